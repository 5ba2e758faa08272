import CWebKitGTK
import LoginCore
import LoginWays

/// What a server has answered, before anything is made of it.
struct PageAnswer {
  private let host: String
  private let type: String
  /// The status of HTTP.
  let status: Int
  private let isEmpty: Bool
  private let isAttachment: Bool
  /// Whether it is the page itself and nothing inside it.
  let isOfPage: Bool
  /// Whether WebKit can show it.
  let isShowable: Bool

  init(_ decision: UnsafeMutablePointer<WebKitResponsePolicyDecision>) {
    let response = webkit_response_policy_decision_get_response(decision)
    let headers = webkit_uri_response_get_http_headers(response)
    let field = { (name: String) in
      headers.flatMap { soup_message_headers_get_one($0, name) }.map { String(cString: $0) }
    }
    host = PageAddress(webkit_uri_response_get_uri(response).map { String(cString: $0) } ?? "").host
    type = webkit_uri_response_get_mime_type(response).map { String(cString: $0) } ?? ""
    status = Int(webkit_uri_response_get_status_code(response))
    isEmpty = field("Content-Length") == "0"
    isAttachment = field("Content-Disposition")?.lowercased().hasPrefix("attachment") ?? false
    isOfPage = webkit_response_policy_decision_is_main_frame_main_resource(decision) != 0
    isShowable = webkit_response_policy_decision_is_mime_type_supported(decision) != 0
  }

  /// Why it cannot become a page.
  var refusal: PageRefusal? {
    if status == 204 || status == 205 { return .nothing(host: host, status: status) }
    if isEmpty, status >= 400 { return failure ?? .nothing(host: host, status: status) }
    if isAttachment || !isShowable { return .download(host: host, type: type) }
    return nil
  }

  /// What it says of the server, whatever its page shows.
  var failure: PageRefusal? { status >= 500 ? .failed(host: host, status: status) : nil }
}
