import CWebKitGTK

/// A navigation that a page wants to make, copied from what WebKit asks about.
struct Navigation {
  /// Where to, as WebKit reports it.
  let uri: [UInt8]
  /// Whether it would open another window.
  let opensWindow: Bool
  /// Whether a server has sent it there.
  let isRedirect: Bool
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
    uri = webkit_uri_request_get_uri(request).map { Array(String(cString: $0).utf8) } ?? []
    isRedirect = webkit_navigation_action_is_redirect(action) != 0
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

  /// Whether it goes to a server, so that nothing must be sent before it is known where it leads.
  var isWeb: Bool { uri.starts(with: "http:".utf8) || uri.starts(with: "https:".utf8) }
}
