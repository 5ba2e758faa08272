import CGLib
import CSoup
import GLibSupport
import Glibc
import LoginCore

/// A request of libsoup and, once it has been sent, the head of its answer.
@GLibActor
final class SoupRequest {
  let pointer: OpaquePointer
  let endpoint: Endpoint
  /// The host as a name, or as an address without brackets.
  let host: String
  /// True if the body of the answer stays encoded.
  private let isPassedOn: Bool
  /// True if the answer has no body (RFC 9110 section 9.3.2).
  private let expectsNoBody: Bool

  /// Makes the request that libsoup will send. `userAgent` is used unless the request has a `User-Agent` of its own, as
  /// some providers demand.
  convenience init(_ request: HTTPRequest, userAgent: String) throws(Failure) {
    let hasBody = [.post, .put, .patch].contains(request.method) || !request.body.isEmpty
    try self.init(
      request.method.rawValue, request.endpoint, request.headers, hasBody ? .bytes(request.body) : nil,
      userAgent: userAgent)
  }

  convenience init(_ request: ResourceRequest, _ body: RequestBody?, userAgent: String) throws(Failure) {
    try self.init(
      request.method, request.endpoint, request.headers, body, userAgent: userAgent,
      isPassedOn: request.isPassedOn)
  }

  private init(
    _ method: String, _ endpoint: Endpoint, _ fields: ParameterList, _ body: RequestBody?, userAgent: String,
    isPassedOn: Bool = false
  ) throws(Failure) {
    if let unfit = fields.first(where: { !$0.isHeaderField }) { throw .defect(unfit.name) }
    guard let message = soup_message_new(method, PercentEncoding.complete(endpoint.description)),
      let host = g_uri_get_host(soup_message_get_uri(message))
    else { throw .defect(endpoint.description) }
    (pointer, self.endpoint, self.isPassedOn) = (message, endpoint, isPassedOn)
    self.host = String(cString: host)
    expectsNoBody = method == "HEAD"
    // Following a redirect would take credentials to another place. A redirect is an answer, but never one of OAuth.
    soup_message_add_flags(message, SOUP_MESSAGE_NO_REDIRECT)
    body?.attach(to: message)
    let headers = soup_message_get_request_headers(message)
    for header in fields { soup_message_headers_append(headers, header.name, header.value) }
    if soup_message_headers_get_one(headers, "User-Agent") == nil {
      soup_message_headers_append(headers, "User-Agent", userAgent)
    }
    // Libsoup sends a POST over a new connection, which would stay open for a minute without another request.
    if !["GET", "HEAD"].contains(method) { soup_message_headers_replace(headers, "Connection", "close") }
    if isPassedOn { soup_message_disable_feature(message, soup_content_decoder_get_type()) }
    // Answers are small, and an answer that is not compressed cannot be a bomb.
    if !isPassedOn || soup_message_headers_get_one(headers, "Accept-Encoding") == nil {
      soup_message_headers_replace(headers, "Accept-Encoding", "identity")
    }
    insistOnHTTP1()
  }

  isolated deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

  /// The address by which libsoup looks for a proxy.
  var address: String {
    guard let text = g_uri_to_string_partial(soup_message_get_uri(pointer), G_URI_HIDE_USERINFO) else {
      return ""
    }
    defer { g_free(text) }
    return String(cString: text)
  }

  /// True for loopback addresses and the names that stand for them (RFC 6761 section 6.3).
  var isForThisMachine: Bool {
    let name = host.lowercased()
    if name == "localhost" || name.hasSuffix(".localhost") { return true }
    guard let address = g_inet_address_new_from_string(name) else { return false }
    defer { g_object_unref(address) }
    return g_inet_address_get_is_loopback(address) != 0
  }

  /// Sends the request and waits for the head of the answer. The stream has the body.
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

/// The head of the answer.
extension SoupRequest {
  var status: Int { Int(soup_message_get_status(pointer).rawValue) }

  var headers: ParameterList { .fields(of: soup_message_get_response_headers(pointer)) }

  /// The length of the body according to the head, if it can be compared with the bytes that arrive. Libsoup accepts a
  /// shorter body if the connection is not used again.
  var promisedLength: Int? {
    let headers = soup_message_get_response_headers(pointer)
    guard isFramed(as: SOUP_ENCODING_CONTENT_LENGTH),
      isPassedOn || soup_message_headers_get_one(headers, "Content-Encoding") == nil
    else { return nil }
    return Int(clamping: soup_message_headers_get_content_length(headers))
  }

  /// True if the body is a stream of server-sent events (HTML Standard section 9.2).
  var isEventStream: Bool {
    let type = soup_message_headers_get_one(soup_message_get_response_headers(pointer), "Content-Type")
    return type.map { String(cString: $0).lowercased().hasPrefix("text/event-stream") } ?? false
  }

  /// The number of the connection, if it stays open after the answer.
  var keptConnection: guint64? {
    status > 0 && soup_message_is_keepalive(pointer) != 0 ? soup_message_get_connection_id(pointer) : nil
  }

  /// True if the body comes in chunks.
  var isChunked: Bool { isFramed(as: SOUP_ENCODING_CHUNKED) }

  private func isFramed(as encoding: SoupEncoding) -> Bool {
    let headers = soup_message_get_response_headers(pointer)
    return !expectsNoBody && ![204, 304].contains(status)
      && soup_message_headers_get_encoding(headers) == encoding
  }

  /// The certificate of the server in DER.
  var certificate: [UInt8]? { soup_message_get_tls_peer_certificate(pointer)?.der }

  /// Refuses an answer that did not come from the host. If a proxy refuses to make a tunnel, libsoup passes on the
  /// proxy's answer as if it were the host's.
  func checkSender() throws(ExchangeError) {
    let isForTLS = String(cString: g_uri_get_scheme(soup_message_get_uri(pointer))) == "https"
    guard isForTLS, soup_message_get_tls_peer_certificate(pointer) == nil else { return }
    throw .unreachable(
      status == 407
        ? "the proxy asks for a password, which tokentry does not support"
        : "the proxy refused with HTTP \(status)")
  }

  /// Refuses a body that libsoup would not decode, and one that was encoded several times: with the latter, a few bytes
  /// could keep the decoders busy for minutes before any output appears. A compressed body in chunks is refused as well:
  /// libsoup would not notice that it breaks off, and servers that compress while they send ask first if they may.
  func checkCoding() throws(ExchangeError) {
    if isPassedOn { return }
    let fields = headers.filter { $0.name.lowercased() == "content-encoding" }
    guard let coding = fields.first?.value else { return }
    // A list has a comma in it, so it equals none of the names.
    guard fields.count == 1, Self.decoded.contains(coding), coding == "identity" || !isChunked else {
      throw .other(.notOAuth("the body of the answer has an encoding that was not requested"))
    }
  }

  /// The content codings that libsoup removes (RFC 9110 section 8.4.1), in lower case only.
  private static let decoded: Set<String> = ["identity", "gzip", "x-gzip", "deflate", "br"]
}

/// Signals of the exchange.
extension SoupRequest {
  /// Offers the server HTTP/1.1 only.
  ///
  /// With HTTP/2, libsoup 3.2 does not end a request that is cancelled while the server is silent, and it reads an
  /// endless body faster than its bytes can be counted.
  private func insistOnHTTP1() {
    whenTLS(G_SOCKET_CLIENT_TLS_HANDSHAKING) { connection in
      "http/1.1".withCString { name in
        var protocols: [UnsafePointer<CChar>?] = [name, nil]
        g_tls_connection_set_advertised_protocols(connection, &protocols)
      }
    }
  }

  private typealias Look = @GLibActor (UnsafeMutableRawPointer) -> Void

  /// Calls `look` for each connection that reaches this stage.
  private func when(_ wanted: GSocketClientEvent, _ look: @escaping Look) {
    let handler:
      @GLibActor @convention(c) (
        OpaquePointer, GSocketClientEvent, UnsafeMutableRawPointer?, gpointer
      ) -> Void = { _, event, stream, data in
        let (wanted, look) = Handler<(GSocketClientEvent, Look)>.body(data)
        if event == wanted, let stream { look(stream) }
      }
    connect(UnsafeMutableRawPointer(pointer), "network-event", handler, (wanted, look))
  }

  /// Calls `look` for each connection that reaches this stage of its TLS handshake.
  private func whenTLS(
    _ wanted: GSocketClientEvent, _ look: @escaping @GLibActor (UnsafeMutablePointer<GTlsConnection>) -> Void
  ) {
    when(wanted) { look($0.assumingMemoryBound(to: GTlsConnection.self)) }
  }

  /// Lets `judge` decide about certificates that did not pass the verification, and about each connection before
  /// anything is sent over it.
  func ask(_ judge: ConnectionJudge, cancelling cancellable: Cancellable) {
    when(G_SOCKET_CLIENT_CONNECTING) { judge.note($0.assumingMemoryBound(to: GSocketConnection.self)) }
    when(G_SOCKET_CLIENT_CONNECTED) { connection in
      if !judge.accepts(connection.assumingMemoryBound(to: GSocketConnection.self)) { cancellable.cancel() }
    }
    whenTLS(G_SOCKET_CLIENT_TLS_HANDSHAKED) { connection in
      if !judge.accepts(g_tls_connection_get_protocol_version(connection)) { cancellable.cancel() }
    }
    let handler:
      @GLibActor @convention(c) (
        OpaquePointer, UnsafeMutablePointer<GTlsCertificate>, GTlsCertificateFlags, gpointer
      ) -> gboolean = { _, certificate, flaws, data in
        Handler<ConnectionJudge>.body(data).accepts(certificate, flaws: flaws) ? 1 : 0
      }
    connect(UnsafeMutableRawPointer(pointer), "accept-certificate", handler, judge)
  }

  /// Breaks the connection when the exchange is cancelled. Otherwise, libsoup would end a body in chunks as if it were whole.
  func breakOff(with cancellable: Cancellable) {
    when(G_SOCKET_CLIENT_CONNECTED) { connection in
      guard
        let socket = g_socket_connection_get_socket(
          connection.assumingMemoryBound(to: GSocketConnection.self))
      else { return }
      g_cancellable_connect(
        cancellable.pointer, unsafeBitCast(SocketOnAnyThread.cut, to: GCallback.self), g_object_ref(socket),
        SocketOnAnyThread.release)
    }
  }

  /// Counts interim answers.
  func report(to interim: InterimAnswers) {
    connect(UnsafeMutableRawPointer(pointer), "got-informational") { interim.add() }
  }

  /// Notes each part of the body that has been sent.
  func report(to progress: Progress) {
    let handler: @GLibActor @convention(c) (OpaquePointer, guint, gpointer) -> Void = { _, _, data in
      Handler<Progress>.body(data).note()
    }
    connect(UnsafeMutableRawPointer(pointer), "wrote-body-data", handler, progress)
  }
}

/// Functions that GIO calls on the thread that cancels an exchange, or that releases it last.
private enum SocketOnAnyThread {
  static let cut: @Sendable @convention(c) (gpointer?, gpointer) -> Void = { _, socket in
    shutdown(g_socket_get_fd(socket.assumingMemoryBound(to: GSocket.self)), Int32(SHUT_RDWR))
  }
  static let release: @Sendable @convention(c) (gpointer?) -> Void = { g_object_unref($0) }
}

/// The body of a request.
package enum RequestBody: Sendable {
  case bytes([UInt8])
  /// A descriptor, which is read from its current position; the caller closes it. Without a length, that of a regular file
  /// counts, and any other body is sent in chunks (RFC 9112 section 7.1).
  case descriptor(Int32, length: Int? = nil)

  /// Hands the body to libsoup, which reads a descriptor only as fast as it can send.
  @GLibActor
  fileprivate func attach(to message: OpaquePointer) {
    switch self {
    case .bytes(let bytes):
      let body = g_bytes_new(bytes, gsize(bytes.count))
      soup_message_set_request_body_from_bytes(message, nil, body)
      g_bytes_unref(body)
    case .descriptor(let descriptor, let length):
      let stream = g_unix_input_stream_new(descriptor, 0)
      soup_message_set_request_body(message, nil, stream, length ?? Self.rest(of: descriptor) ?? -1)
      g_object_unref(stream)
    }
  }

  /// True if the program that writes the body keeps us waiting.
  var isAwaited: Bool {
    guard case .descriptor(let descriptor, _) = self else { return false }
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, 0) == 0
  }

  /// Returns the number of bytes left in a regular file.
  private static func rest(of descriptor: Int32) -> Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return max(0, status.st_size - max(0, lseek(descriptor, 0, SEEK_CUR)))
  }
}

extension ParameterList {
  /// Returns header fields in their order. Bytes in them that are not UTF-8 are replaced.
  static func fields(of headers: OpaquePointer?) -> ParameterList {
    var iterator = SoupMessageHeadersIter()
    soup_message_headers_iter_init(&iterator, headers)
    var fields = ParameterList()
    var name: UnsafePointer<CChar>?
    var value: UnsafePointer<CChar>?
    while soup_message_headers_iter_next(&iterator, &name, &value) != 0, let name, let value {
      fields.append(String(cString: name), String(cString: value))
    }
    return fields
  }
}

extension Parameter {
  /// True if it can be sent as a header field (RFC 9110 sections 5.1 and 5.5). A line feed in a value would begin
  /// another field.
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
