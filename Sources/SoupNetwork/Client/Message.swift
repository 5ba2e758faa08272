import CGLib
import CSoup
import GLibSupport
import LoginCore

/// A request of libsoup and, once it has been sent, the head of its answer.
@GLibActor
final class Message {
  private let pointer: OpaquePointer
  /// The host that is asked: a name, or an address without brackets.
  let host: String
  /// Whether the answer is a head alone (RFC 9110 section 9.3.2).
  private let expectsNoBody: Bool

  /// Writes the request down as libsoup will send it; `userAgent` is who sends it unless the request says that
  /// itself, as some providers demand it.
  convenience init(_ request: HTTPRequest, userAgent: String) throws(Failure) {
    try self.init(
      request.method.rawValue, request.endpoint, request.headers,
      request.method == .post ? .bytes(request.body) : nil, userAgent: userAgent)
  }

  /// A request that an application makes, with its body.
  convenience init(_ request: ResourceRequest, _ body: RequestBody?, userAgent: String) throws(Failure) {
    try self.init(request.method, request.endpoint, request.headers, body, userAgent: userAgent)
  }

  private init(
    _ method: String, _ endpoint: Endpoint, _ fields: [Parameter], _ body: RequestBody?, userAgent: String
  ) throws(Failure) {
    if let unfit = fields.first(where: { !$0.isHeaderField }) {
      throw .defect(.here(unfit.name))
    }
    guard let message = soup_message_new(method, PercentEncoding.complete(endpoint.description)),
      let host = g_uri_get_host(soup_message_get_uri(message))
    else { throw .defect(.here(endpoint.description)) }
    pointer = message
    self.host = String(cString: host)
    expectsNoBody = method == "HEAD"
    // A redirect would take credentials to another place; it is an answer, and no answer of OAuth.
    soup_message_add_flags(message, SOUP_MESSAGE_NO_REDIRECT)
    body?.attach(to: message)
    let headers = soup_message_get_request_headers(message)
    for header in fields { soup_message_headers_append(headers, header.name, header.value) }
    if soup_message_headers_get_one(headers, "User-Agent") == nil {
      soup_message_headers_append(headers, "User-Agent", userAgent)
    }
    // Answers are small, and what is not compressed cannot be a bomb.
    soup_message_headers_replace(headers, "Accept-Encoding", "identity")
    insistOnHTTP1()
  }

  isolated deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

  /// What is asked for, as libsoup looks for a proxy for it.
  var address: String {
    guard let text = g_uri_to_string_partial(soup_message_get_uri(pointer), G_URI_HIDE_USERINFO) else {
      return ""
    }
    defer { g_free(text) }
    return String(cString: text)
  }

  /// Whether it goes to a loopback address, or to the name that stands for it (RFC 6761 section 6.3).
  var isForThisMachine: Bool {
    let name = host.lowercased()
    if name == "localhost" || name.hasSuffix(".localhost") { return true }
    guard let address = g_inet_address_new_from_string(name) else { return false }
    defer { g_object_unref(address) }
    return g_inet_address_get_is_loopback(address) != 0
  }

  /// Whether the answer can only come over TLS.
  var isForTLS: Bool { String(cString: g_uri_get_scheme(soup_message_get_uri(pointer))) == "https" }

  /// Whether whoever gave the answer has shown a certificate.
  var hasCertificate: Bool { soup_message_get_tls_peer_certificate(pointer) != nil }

  /// The status code of the answer.
  var status: Int { Int(soup_message_get_status(pointer).rawValue) }

  /// The header fields of the answer; what is not UTF-8 in them is replaced.
  var headers: [Parameter] {
    var iterator = SoupMessageHeadersIter()
    soup_message_headers_iter_init(&iterator, soup_message_get_response_headers(pointer))
    var fields: [Parameter] = []
    var name: UnsafePointer<CChar>?
    var value: UnsafePointer<CChar>?
    while soup_message_headers_iter_next(&iterator, &name, &value) != 0, let name, let value {
      fields.append(Parameter(String(cString: name), String(cString: value)))
    }
    return fields
  }

  /// How long the body is according to the head, where that can be held against what has come. Libsoup is
  /// content with less when the connection is not to be used again.
  var promisedLength: Int? {
    let headers = soup_message_get_response_headers(pointer)
    guard !expectsNoBody, ![204, 304].contains(status),
      soup_message_headers_get_one(headers, "Content-Encoding") == nil,
      soup_message_headers_get_encoding(headers) == SOUP_ENCODING_CONTENT_LENGTH
    else { return nil }
    return Int(clamping: soup_message_headers_get_content_length(headers))
  }

  /// Offers HTTP/1.1 and nothing newer to the server.
  ///
  /// With HTTP/2, libsoup 3.2 does not end a request that is cancelled while a server is silent, and swallows a
  /// body without an end faster than anybody can count it.
  private func insistOnHTTP1() {
    whenTLS(G_SOCKET_CLIENT_TLS_HANDSHAKING) { connection in
      "http/1.1".withCString { name in
        var protocols: [UnsafePointer<CChar>?] = [name, nil]
        g_tls_connection_set_advertised_protocols(connection, &protocols)
      }
    }
  }

  private typealias Look = @GLibActor (UnsafeMutablePointer<GTlsConnection>) -> Void

  /// Has a look at every connection that gets as far in encrypting itself.
  private func whenTLS(_ wanted: GSocketClientEvent, _ look: @escaping Look) {
    let handler:
      @GLibActor @convention(c) (
        OpaquePointer, GSocketClientEvent, UnsafeMutablePointer<GIOStream>?, gpointer
      ) -> Void = { _, event, stream, data in
        let (wanted, look) = Handler<(GSocketClientEvent, Look)>.body(data)
        guard event == wanted, let stream else { return }
        look(UnsafeMutableRawPointer(stream).assumingMemoryBound(to: GTlsConnection.self))
      }
    connect(UnsafeMutableRawPointer(pointer), "network-event", handler, (wanted, look))
  }

  /// Lets `judge` decide about a certificate that the verification has refused, and about a connection before anything
  /// is sent over it.
  func ask(_ judge: CertificateJudge, cancelling cancellable: Cancellable) {
    whenTLS(G_SOCKET_CLIENT_TLS_HANDSHAKED) { connection in
      if !judge.accepts(g_tls_connection_get_protocol_version(connection)) { cancellable.cancel() }
    }
    let handler:
      @GLibActor @convention(c) (
        OpaquePointer, UnsafeMutablePointer<GTlsCertificate>, GTlsCertificateFlags, gpointer
      ) -> gboolean = { _, certificate, flaws, data in
        Handler<CertificateJudge>.body(data).accepts(certificate, flaws: flaws) ? 1 : 0
      }
    connect(UnsafeMutableRawPointer(pointer), "accept-certificate", handler, judge)
  }

  /// Lets `interim` see every interim answer.
  func report(to interim: InterimAnswers) {
    connect(UnsafeMutableRawPointer(pointer), "got-informational") { interim.add() }
  }

  /// Tells `progress` of every part of the body that has been sent.
  func report(to progress: Progress) {
    let handler: @GLibActor @convention(c) (OpaquePointer, guint, gpointer) -> Void = { _, _, data in
      Handler<Progress>.body(data).note()
    }
    connect(UnsafeMutableRawPointer(pointer), "wrote-body-data", handler, progress)
  }

  /// Sends the request and waits for the head of the answer; the stream holds what follows it.
  func send(
    through session: UnsafeMutablePointer<SoupSession>, _ cancellable: Cancellable
  ) async throws(GLibError) -> ByteStream {
    let pointer = self.pointer
    let result = await asyncCall(cancellable) { ready, data in
      soup_session_send_async(session, pointer, G_PRIORITY_DEFAULT, cancellable.pointer, ready, data)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(result.pointer)) }
    var error: UnsafeMutablePointer<GError>?
    let stream = soup_session_send_finish(session, result.pointer, &error)
    if let error { throw GLibError(consuming: error) }
    return ByteStream(adopting: stream ?? g_memory_input_stream_new())
  }
}

extension Parameter {
  /// Whether it can be sent as a header field (RFC 9110 sections 5.1 and 5.5): a line feed in a value would
  /// begin a field of its own.
  fileprivate var isHeaderField: Bool {
    let marks = "!#$%&'*+-.^_`|~".utf8
    let isToken = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        true
      default: marks.contains(byte)
      }
    }
    return !name.isEmpty && isToken && value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
  }
}
