import CGLib
import CSoup
import GLibSupport
import Glibc
import LoginCore

/// One request and its answer, from the moment when a connection waits for the request.
@GLibActor
final class ServedExchange {
  enum Phase {
    /// The client sends the request.
    case reading
    /// The handler makes the answer.
    case answering
    /// The client reads the answer.
    case writing
    /// The connection has been closed.
    case cut
  }

  private let message: OpaquePointer
  private(set) var phase = Phase.reading
  /// The start of the phase.
  private(set) var since = ContinuousClock.now
  private var bodyBytes = 0

  init(_ message: OpaquePointer) {
    self.message = message
    g_object_ref(UnsafeMutableRawPointer(message))
  }

  isolated deinit { g_object_unref(UnsafeMutableRawPointer(message)) }

  /// Returns true if the handler should answer: an exchange that was refused early has its answer already.
  func beginAnswer() -> Bool {
    guard phase == .reading, soup_server_message_get_status(message) == 0 else { return false }
    enter(.answering)
    soup_server_message_pause(message)
    return true
  }

  /// Writes the answer unless the connection has been cut in the meantime. Without an answer, resets the connection.
  func answer(_ response: HTTPServerResponse?) {
    guard phase == .answering else { return }
    guard let response else { return reset() }
    set(response)
    enter(.writing)
    soup_server_message_unpause(message)
  }

  /// Answers before the whole request has been read. The rest of it is thrown away, and the connection ends.
  func refuse(status: Int) {
    soup_message_body_set_accumulate(soup_server_message_get_request_body(message), 0)
    set(.bare(status: status))
  }

  /// Counts a piece of the body, and returns the total so far.
  func count(_ bytes: Int) -> Int {
    bodyBytes += bytes
    return bodyBytes
  }

  /// Closes the connection; libsoup notices by itself. `shutdown` is not enough: Linux would still deliver bytes that
  /// arrive later.
  func cut() {
    phase = .cut
    if let socket = soup_server_message_get_socket(message) { g_socket_close(socket, nil) }
  }

  /// Closes the connection in a way that its client sees as a fault: without the time for what is still to be sent, Linux
  /// sends RST in place of FIN.
  private func reset() {
    if let socket = soup_server_message_get_socket(message) {
      var time = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        g_socket_get_fd(socket), SOL_SOCKET, SO_LINGER, &time, socklen_t(MemoryLayout<linger>.size))
    }
    cut()
    set(.bare(status: 500))  // which libsoup fails to write, and so notices the end
    soup_server_message_unpause(message)
  }

  private func enter(_ phase: Phase) {
    self.phase = phase
    since = .now
  }

  /// Each answer ends its connection. If a client keeps a connection for another request and then closes it, libsoup 3.2
  /// never closes the descriptor.
  private func set(_ response: HTTPServerResponse) {
    let response = (response.isWellFormed ? response : .bare(status: 500)).adding("Connection", "close")
    soup_server_message_set_status(message, guint(response.status), nil)
    let headers = soup_server_message_get_response_headers(message)
    for header in response.headers { soup_message_headers_append(headers, header.name, header.value) }
    let body = soup_server_message_get_response_body(message)
    soup_message_body_append(body, SOUP_MEMORY_COPY, response.body, gsize(response.body.count))
  }
}

/// The request.
extension ServedExchange {
  var request: HTTPServerRequest {
    let uri = soup_server_message_get_uri(message)
    var request = HTTPServerRequest(
      method: String(cString: soup_server_message_get_method(message)),
      path: g_uri_get_path(uri).map { String(cString: $0) } ?? "/",
      query: g_uri_get_query(uri).map { String(cString: $0) },
      headers: headers, body: body)
    if let socket = soup_server_message_get_socket(message), let client = SocketEnd.peer(of: socket),
      let server = SocketEnd.own(of: socket)
    {
      request.connection = TCPConnection(client: client, server: server)
    }
    return request
  }

  var headers: ParameterList { .fields(of: soup_server_message_get_request_headers(message)) }

  /// The host and the port that the request is for.
  var authority: (host: String, port: Int) {
    let uri = soup_server_message_get_uri(message)
    return (g_uri_get_host(uri).map { String(cString: $0) } ?? "", Int(g_uri_get_port(uri)))
  }

  /// The length of the body according to the header.
  var announcedBodyBytes: Int {
    Int(soup_message_headers_get_content_length(soup_server_message_get_request_headers(message)))
  }

  private var body: [UInt8] {
    [UInt8](consuming: soup_message_body_flatten(soup_server_message_get_request_body(message)))
  }
}
