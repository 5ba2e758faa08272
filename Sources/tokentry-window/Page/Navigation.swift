import CWebKitGTK
import GLibSupport
import LoginCore

/// A navigation that a page wants to make, copied from WebKit's policy decision.
struct Navigation {
  /// The address as WebKit reports it, cut off if it is longer than any callback; see
  /// `[UInt8].init(address:)`.
  let uri: [UInt8]
  /// True if it would open another window.
  let opensWindow: Bool
  /// True if it follows a server's redirect.
  let isRedirect: Bool
  /// True if it goes back or forward to an earlier page.
  let isBack: Bool
  /// True for a POST request, which the address alone cannot repeat.
  let sendsForm: Bool
  /// True if it would send a form a second time, as a reload can.
  let resendsForm: Bool
  /// True if a link leads there, clicked by the user or by a script.
  private let isOfLink: Bool
  /// The type of request (Fetch Metadata, `Sec-Fetch-Dest`), which WebKit reveals for redirects only.
  private let destination: String?

  /// Returns nil if WebKit asks about something other than a navigation.
  init?(_ decision: UnsafeMutablePointer<WebKitPolicyDecision>, _ type: WebKitPolicyDecisionType) {
    guard
      type == WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION
        || type == WEBKIT_POLICY_DECISION_TYPE_NEW_WINDOW_ACTION
    else { return nil }
    let action = webkit_navigation_policy_decision_get_navigation_action(decision.cast())
    let request = webkit_navigation_action_get_request(action)
    uri = webkit_uri_request_get_uri(request).map(Array.init(address:)) ?? []
    isRedirect = webkit_navigation_action_is_redirect(action) != 0
    let kind = webkit_navigation_action_get_navigation_type(action)
    isOfLink = kind == WEBKIT_NAVIGATION_TYPE_LINK_CLICKED
    resendsForm = kind == WEBKIT_NAVIGATION_TYPE_FORM_RESUBMITTED
    sendsForm = webkit_uri_request_get_http_method(request).map { String(cString: $0) == "POST" } ?? false
    isBack = kind == WEBKIT_NAVIGATION_TYPE_BACK_FORWARD
    opensWindow = type == WEBKIT_POLICY_DECISION_TYPE_NEW_WINDOW_ACTION
    destination = webkit_uri_request_get_http_headers(request)
      .flatMap { soup_message_headers_get_one($0, "Sec-Fetch-Dest") }.map { String(cString: $0) }
  }

  /// True if the page itself would navigate, false if a frame inside it would, nil if WebKit does not tell.
  var isMainFrame: Bool? {
    switch destination {
    case nil, "empty"?: nil
    case let destination?: destination == "document"
    }
  }

  /// True if it goes to an anchor inside the page with this address.
  func isInside(_ page: [UInt8]) -> Bool {
    guard let end = uri.firstIndex(of: UInt8(ascii: "#")) else { return false }
    return uri[..<end].elementsEqual(page.prefix { $0 != UInt8(ascii: "#") })
  }

  /// True for a scheme that WebKit handles itself. Such a navigation has no effect when it is refused.
  var isHandledByWebKit: Bool {
    let schemes = [
      "about", "blob", "data", "file", "filesystem", "ftp", "inspector", "javascript", "resource",
      "view-source", "webkit", "ws", "wss",
    ]
    return schemes.contains { uri.starts(with: "\($0):".utf8) }
  }

  /// True for a link or a new window with content that the page itself has made. That is a file to save, or one to show where
  /// the window would have no address for it.
  var savesFile: Bool {
    (isOfLink || opensWindow) && ["blob", "data"].contains { uri.starts(with: "\($0):".utf8) }
  }

  /// True for a scheme that always means another program.
  var callsProgram: Bool { ["intent", "mailto", "sms", "tel"].contains { uri.starts(with: "\($0):".utf8) } }

  /// True for http and https: no request may be sent before the address has been checked.
  var isWeb: Bool { uri.starts(with: "http:".utf8) || uri.starts(with: "https:".utf8) }
}

extension [UInt8] {
  /// Copies an address of WebKit's, but at most one byte more than the longest callback has: a page can make
  /// addresses of many megabytes.
  init(address: UnsafePointer<CChar>) {
    let count = strnlen(address, Callback.maximumLength + 1)
    self = address.withMemoryRebound(to: UInt8.self, capacity: count) {
      Array(UnsafeBufferPointer(start: $0, count: count))
    }
  }

  /// True if the address was cut off before its path. The user name in an address can be that long, and its
  /// last bytes could look like a host.
  var lacksHost: Bool {
    guard isTooLong, let colon = firstIndex(of: UInt8(ascii: ":")) else { return isTooLong }
    return !self[(colon + 1)...].drop { $0 == UInt8(ascii: "/") }.contains { "/?#".utf8.contains($0) }
  }

  /// True if the address is longer than any callback may be.
  var isTooLong: Bool { count > Callback.maximumLength }
}

/// WebKit's policy decision about a navigation, which can be made later. It is refused if this object goes
/// away without an answer.
@GLibActor
final class PendingDecision {
  private let pointer: UnsafeMutablePointer<WebKitPolicyDecision>
  private var isAnswered = false

  init(_ pointer: UnsafeMutablePointer<WebKitPolicyDecision>) {
    self.pointer = pointer
    g_object_ref(pointer)
  }

  isolated deinit {
    refuse()
    g_object_unref(pointer)
  }

  func allow() { answer { webkit_policy_decision_use(pointer) } }

  func refuse() { answer { webkit_policy_decision_ignore(pointer) } }

  private func answer(_ body: () -> Void) {
    if isAnswered { return }
    isAnswered = true
    body()
  }
}
