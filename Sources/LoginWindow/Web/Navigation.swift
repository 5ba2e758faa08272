import CWebKitGTK
import GLibSupport
import LoginCore

/// A navigation that a page wants to make, copied from what WebKit asks about.
struct Navigation {
  /// Where to, as WebKit reports it; of what is longer than any callback, no more than shows that.
  let uri: [UInt8]
  /// Whether it would open another window.
  let opensWindow: Bool
  /// Whether a server has sent it there.
  let isRedirect: Bool
  /// Whether it goes to a page that was there before.
  let isBack: Bool
  /// Whether it sends what cannot be had by asking for the address alone.
  let sendsForm: Bool
  /// Whether it would send a form that was sent before, as by a page that is loaded again.
  let resendsForm: Bool
  /// What the request is for, which WebKit tells of redirects alone (Fetch Metadata, `Sec-Fetch-Dest`).
  private let destination: String?

  /// Nothing if it is no navigation that is asked about.
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
    resendsForm = kind == WEBKIT_NAVIGATION_TYPE_FORM_RESUBMITTED
    sendsForm = webkit_uri_request_get_http_method(request).map { String(cString: $0) == "POST" } ?? false
    isBack = kind == WEBKIT_NAVIGATION_TYPE_BACK_FORWARD
    opensWindow = type == WEBKIT_POLICY_DECISION_TYPE_NEW_WINDOW_ACTION
    destination = webkit_uri_request_get_http_headers(request)
      .flatMap { soup_message_headers_get_one($0, "Sec-Fetch-Dest") }.map { String(cString: $0) }
  }

  /// Whether it is the page itself that would go there, or a frame inside it, where that can be told.
  var isMainFrame: Bool? {
    switch destination {
    case nil, "empty"?: nil
    case let destination?: destination == "document"
    }
  }

  /// Whether it goes to a place in the page of an address.
  func isInside(_ page: [UInt8]) -> Bool {
    guard let end = uri.firstIndex(of: UInt8(ascii: "#")) else { return false }
    return uri[..<end].elementsEqual(page.prefix { $0 != UInt8(ascii: "#") })
  }

  /// Whether the web engine itself would answer. It comes to nothing then, and the page stays.
  var isEngines: Bool {
    let schemes = [
      "about", "blob", "data", "file", "filesystem", "ftp", "inspector", "javascript", "resource",
      "view-source", "webkit", "ws", "wss",
    ]
    return schemes.contains { uri.starts(with: "\($0):".utf8) }
  }

  /// Whether it has another program do something, whatever else it says.
  var callsProgram: Bool {
    ["intent", "mailto", "sms", "tel"].contains { uri.starts(with: "\($0):".utf8) }
  }

  /// Whether it goes to a server, so that nothing must be sent before it is known where it leads.
  var isWeb: Bool { uri.starts(with: "http:".utf8) || uri.starts(with: "https:".utf8) }
}

extension [UInt8] {
  /// An address of WebKit's, cut off one byte behind the longest callback: pages can make some of many megabytes.
  init(address: UnsafePointer<CChar>) {
    let count = strnlen(address, Callback.maximumLength + 1)
    self = address.withMemoryRebound(to: UInt8.self, capacity: count) {
      Array(UnsafeBufferPointer(start: $0, count: count))
    }
  }

  /// Whether an address is longer than any callback may be, and what is left of it does not reach its path: the user's
  /// name may be as long, and what is its end could look like a host.
  var lacksHost: Bool {
    guard isTooLong, let colon = firstIndex(of: UInt8(ascii: ":")) else { return isTooLong }
    return !self[(colon + 1)...].drop { $0 == UInt8(ascii: "/") }.contains { "/?#".utf8.contains($0) }
  }

  /// Whether an address is longer than any callback may be.
  var isTooLong: Bool { count > Callback.maximumLength }
}

/// The answer that WebKit waits for before it goes anywhere. Whoever holds it can take a moment; without one it is no.
@GLibActor
final class PolicyAnswer {
  private let pointer: UnsafeMutablePointer<WebKitPolicyDecision>
  private var isGiven = false

  init(_ pointer: UnsafeMutablePointer<WebKitPolicyDecision>) {
    self.pointer = pointer
    g_object_ref(pointer)
  }

  isolated deinit {
    give(false)
    g_object_unref(pointer)
  }

  func give(_ isAllowed: Bool) {
    if isGiven { return }
    isGiven = true
    if isAllowed { webkit_policy_decision_use(pointer) } else { webkit_policy_decision_ignore(pointer) }
  }
}
