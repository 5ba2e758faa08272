import CWebKitGTK
import LoginCore
import WindowProtocol

/// A page that could not be shown.
struct FailedLoad {
  let fault: PageFault
  /// The address of the page, or empty if it should not be requested again.
  var uri = ""
  /// True if a form was sent there.
  var isOfForm = false
  /// True if the page has arrived, and is no page for people. There is no way back to it.
  var isPageItself = false

  /// True if the page's process has ended. Its page is loaded again when the user comes back to it.
  var isProcessEnd: Bool { if case .viewEnded = fault { true } else { false } }
}

extension PageFault {
  /// Translates the error of a load. Returns nil if the load was stopped, or was not allowed.
  init?(_ error: GError, loading uri: [UInt8], _ policy: NavigationPolicy) {
    let address = PageAddress(String(decoding: uri, as: UTF8.self))
    let host = address.host
    // WebKit reports this where a navigation was refused, and where a response is not a page.
    let isInterrupted =
      error.domain == webkit_policy_error_quark()
      && error.code == Int32(WEBKIT_POLICY_ERROR_FRAME_LOAD_INTERRUPTED_BY_POLICY_CHANGE.rawValue)
    if error.isStop || isInterrupted || uri.isEmpty { return nil }
    if host.isEmpty {
      self = .refused(policy.refusal(of: uri))
      return
    }
    let isOnline = g_network_monitor_get_network_available(g_network_monitor_get_default()) != 0
    if !isOnline, address.connection != .local {
      self = .offline
    } else if error.domain == g_resolver_error_quark() {
      self = .unknownHost(host)
    } else {
      self = .connection(host: host, reason: String(cString: error.message).forDisplay(limit: 200))
    }
  }

  /// Says what is wrong with an untrusted certificate.
  init(
    _ certificate: UnsafeMutablePointer<GTlsCertificate>, _ flags: GTlsCertificateFlags, loading uri: String
  ) {
    let known: [(CertificateFlaw, GTlsCertificateFlags)] = [
      (.revoked, G_TLS_CERTIFICATE_REVOKED), (.otherHost, G_TLS_CERTIFICATE_BAD_IDENTITY),
      (.expired, G_TLS_CERTIFICATE_EXPIRED), (.notYetValid, G_TLS_CERTIFICATE_NOT_ACTIVATED),
      (.insecure, G_TLS_CERTIFICATE_INSECURE), (.unknownIssuer, G_TLS_CERTIFICATE_UNKNOWN_CA),
    ]
    let flaws = known.filter { flags.rawValue & $0.1.rawValue != 0 }.map(\.0)
    self = .tls(
      host: PageAddress(uri).hostName, flaws.isEmpty ? [.damaged] : flaws,
      fingerprint: Self.fingerprint(of: certificate), validity: Self.validity(of: certificate))
  }

  /// Returns the time in which a certificate is valid, if it says so.
  private static func validity(of certificate: UnsafeMutablePointer<GTlsCertificate>) -> ClosedRange<UTCDate>?
  {
    func date(_ time: OpaquePointer?) -> UTCDate? {
      guard let time else { return nil }
      defer { g_date_time_unref(time) }
      return UTCDate(secondsSince1970: Int64(g_date_time_to_unix(time)))
    }
    guard let start = date(g_tls_certificate_get_not_valid_before(certificate)),
      let end = date(g_tls_certificate_get_not_valid_after(certificate)), start <= end
    else { return nil }
    return start...end
  }

  /// Returns the SHA-256 digest of a certificate in the form in which people compare it.
  private static func fingerprint(of certificate: UnsafeMutablePointer<GTlsCertificate>) -> String? {
    var value = GValue()
    g_value_init(&value, g_byte_array_get_type())
    defer { g_value_unset(&value) }
    g_object_get_property(certificate.cast(), "certificate", &value)
    guard let bytes = g_value_get_boxed(&value)?.assumingMemoryBound(to: GByteArray.self),
      let digest = g_compute_checksum_for_data(
        G_CHECKSUM_SHA256, bytes.pointee.data, gsize(bytes.pointee.len))
    else { return nil }
    defer { g_free(digest) }
    let digits = Array(String(cString: digest).uppercased())
    return stride(from: 0, to: digits.count - 1, by: 2).map { String(digits[$0...$0 + 1]) }
      .joined(separator: ":")
  }
}

extension GError {
  /// True if a content rule has blocked the load. WebKit's headers do not name this code.
  var isBlockedByRules: Bool { domain == webkit_policy_error_quark() && code == 104 }

  /// True if the load was stopped.
  var isStop: Bool {
    domain == webkit_network_error_quark() && code == Int32(WEBKIT_NETWORK_ERROR_CANCELLED.rawValue)
  }

  /// True if WebKit itself gave the connection up. A load that the user or the page stops has another error.
  var isCancellation: Bool { domain == g_io_error_quark() && code == Int32(G_IO_ERROR_CANCELLED.rawValue) }
}

/// A server's response, before WebKit makes a page of it.
struct PageResponse {
  let uri: String
  private let host: String
  private let type: String
  private let status: Int
  private let isEmpty: Bool
  private let isAttachment: Bool
  /// True if the server wants a sign-in by HTTP authentication, such as Negotiate.
  let asksForPassword: Bool
  /// True for the page itself, false for frames and the like inside it.
  let isOfPage: Bool
  /// True if WebKit can show this type of content.
  let isShowable: Bool
  /// The fields that a final page is asked for.
  let fields: [Parameter]
  /// True if the page has sent a form for this response.
  var answersForm = false

  init(_ decision: UnsafeMutablePointer<WebKitResponsePolicyDecision>, keeping names: [String]) {
    let response = webkit_response_policy_decision_get_response(decision)
    let headers = webkit_uri_response_get_http_headers(response)
    let field = { (name: String) in
      headers.flatMap { soup_message_headers_get_one($0, name) }.map { String(cString: $0) }
    }
    uri = webkit_uri_response_get_uri(response).map { String(cString: $0) } ?? ""
    host = PageAddress(uri).host
    type = webkit_uri_response_get_mime_type(response).map { String(cString: $0) } ?? ""
    status = Int(webkit_uri_response_get_status_code(response))
    isEmpty = field("Content-Length") == "0"
    isAttachment = field("Content-Disposition")?.lowercased().hasPrefix("attachment") ?? false
    asksForPassword = status == 401 && field("WWW-Authenticate") != nil
    fields = names.compactMap { name in
      headers.flatMap { soup_message_headers_get_list($0, name) }.map { Parameter(name, String(cString: $0)) }
    }
    isOfPage = webkit_response_policy_decision_is_main_frame_main_resource(decision) != 0
    isShowable = webkit_response_policy_decision_is_mime_type_supported(decision) != 0
  }

  /// True if the server could not or would not answer.
  var isError: Bool { status >= 400 }

  /// The reason why the response cannot become a page.
  var refusal: PageRefusal? {
    if status == 204 || status == 205 { return .nothing(host: host, status: status) }
    if isEmpty, status >= 400 { return serverError ?? .nothing(host: host, status: status) }
    if isAttachment || !isShowable { return .download(host: host, type: type) }
    return nil
  }

  /// The refusal if the status is 400 to 499, even if there is a page to show. The answer to a form may only say
  /// that the password was wrong.
  var rejection: PageRefusal? {
    (400..<500).contains(status) && !answersForm ? .rejected(host: host, status: status) : nil
  }

  /// True if the response may be an error for programs, which WebKit shows as plain text.
  var mayBeOAuthError: Bool { status >= 400 && (type.hasSuffix("json") || type == "text/plain") }

  /// Returns the refusal in the text of the response: an OAuth error, or a demand for HTTP authentication with a
  /// page that leads nowhere.
  func refusal(in text: String?) -> PageRefusal? {
    guard let text else { return nil }
    let isDeadEnd = asksForPassword && !PageRefusal.leadsOn(text)
    return PageRefusal(body: Array(text.utf8), from: host) ?? (isDeadEnd ? .password(host: host) : nil)
  }

  /// The server's failure if the status is 500 or more, even if there is a page to show.
  var serverError: PageRefusal? { status >= 500 ? .failed(host: host, status: status) : nil }
}
