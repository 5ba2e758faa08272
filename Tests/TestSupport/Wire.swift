import CGLib
import Foundation
import Glibc

/// The server's end of a connection.
public protocol Wire: AnyObject {
  /// Returns the next bytes, or an empty array once the client has disconnected.
  func read() -> [UInt8]
  /// Returns true if all bytes were sent.
  @discardableResult func write(_ bytes: [UInt8]) -> Bool
  /// Waits. Returns false at once if the client disconnects.
  func pause(milliseconds: Int32) -> Bool
  /// Resets the connection instead of closing it properly.
  func reset()
}

extension Wire {
  @discardableResult public func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  /// Reads a request. Returns false if the client disconnects first.
  @discardableResult public func readRequest() -> Bool { request() != nil }

  /// Returns a request as text, or nil if the client disconnects first.
  public func requestText() -> String? { request().map { String(decoding: $0, as: UTF8.self) } }

  /// Passes one request on to a server on this machine, and its answer back.
  func pass(to port: UInt16) {
    guard let request = request(), let server = PlainWire.connection(to: port) else { return }
    defer { close(server) }
    let far = PlainWire(server) { _ in }
    far.write(request)
    while case let bytes = far.read(), !bytes.isEmpty, write(bytes) {}
  }

  /// Returns a request: the header and a body of `Content-Length` bytes. Returns nil if the client disconnects first.
  private func request() -> [UInt8]? {
    var bytes: [UInt8] = []
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if let end = text.range(of: "\r\n\r\n") {
        let promised = text.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
        let length = promised.flatMap { Int($0.drop { $0 != ":" }.dropFirst().filter { $0 != " " }) } ?? 0
        if text[end.upperBound...].utf8.count >= length { return bytes }
      }
      let more = read()
      if more.isEmpty { return nil }
      bytes += more
    }
  }

  /// Waits until the client disconnects.
  public func waitForEnd() { while !read().isEmpty {} }

  /// Sends a complete answer. `head` is the status line with further header fields.
  public func answer(_ head: String, _ body: String = "") {
    write("\(head)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
  }
}

/// A connection without TLS.
public final class PlainWire: Wire, Sendable {
  private let descriptor: Int32
  private let hear: @Sendable ([UInt8]) -> Void

  init(_ descriptor: Int32, _ hear: @escaping @Sendable ([UInt8]) -> Void) {
    self.descriptor = descriptor
    self.hear = hear
  }

  public func read() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    let bytes = Array(buffer.prefix(max(0, count)))
    hear(bytes)
    return bytes
  }

  @discardableResult public func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  public func pause(milliseconds: Int32) -> Bool {
    // After its request, a client sends no more data; the socket becomes readable only at its end.
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) == 0
  }

  public func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
  }
}

extension PlainWire {
  /// Connects to a port of this machine.
  static func connection(to port: UInt16) -> Int32? {
    let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = withUnsafeBytes(of: &address) { bytes in
      bytes.baseAddress.map { connect(other, $0.assumingMemoryBound(to: sockaddr.self), size) } == 0
    }
    if !isConnected { close(other) }
    return isConnected ? other : nil
  }
}

/// A connection with TLS.
final class TLSWire: Wire {
  private let connection: UnsafeMutablePointer<GIOStream>
  private let hear: ([UInt8]) -> Void
  private let descriptor: Int32

  /// Performs the handshake. Returns nil if it fails.
  init?(
    _ descriptor: Int32, _ identity: TestAuthority.Identity, offersHTTP2: Bool,
    _ hear: @escaping ([UInt8]) -> Void
  ) {
    self.descriptor = descriptor
    self.hear = hear
    // The socket closes the duplicate when it is released; the server closes the original.
    let socket = g_socket_new_from_fd(dup(descriptor), nil)
    let plain = g_socket_connection_factory_create_connection(socket)
    let certificate = g_tls_certificate_new_from_files(identity.certificate, identity.key, nil)
    let stream = UnsafeMutableRawPointer(plain)?.assumingMemoryBound(to: GIOStream.self)
    guard let stream, let tls = g_tls_server_connection_new(stream, certificate, nil) else {
      preconditionFailure("no TLS in the tests")
    }
    connection = tls
    g_object_unref(socket)
    g_object_unref(plain)
    g_object_unref(certificate)
    let handshake = UnsafeMutableRawPointer(tls).assumingMemoryBound(to: GTlsConnection.self)
    "h2".withCString { newer in
      "http/1.1".withCString { older in
        var protocols: [UnsafePointer<CChar>?] = offersHTTP2 ? [newer, older, nil] : [older, nil]
        g_tls_connection_set_advertised_protocols(handshake, &protocols)
      }
    }
    if g_tls_connection_handshake(handshake, nil, nil) == 0 { return nil }
  }

  deinit {
    g_io_stream_close(connection, nil, nil)
    g_object_unref(connection)
  }

  public func read() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let input = g_io_stream_get_input_stream(connection)
    let count = g_input_stream_read(input, &buffer, gsize(buffer.count), nil, nil)
    let bytes = Array(buffer.prefix(max(0, count)))
    hear(bytes)
    return bytes
  }

  @discardableResult public func write(_ bytes: [UInt8]) -> Bool {
    let output = g_io_stream_get_output_stream(connection)
    return g_output_stream_write_all(output, bytes, gsize(bytes.count), nil, nil, nil) != 0
  }

  public func pause(milliseconds: Int32) -> Bool { usleep(UInt32(milliseconds) * 1_000) == 0 }

  public func reset() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

extension PlainWire {
  /// Acts as a proxy: accepts a CONNECT request and forwards all bytes to a port of this machine.
  public func tunnel(to port: UInt16) {
    readRequest()
    guard let other = Self.connection(to: port) else { return }
    defer { close(other) }
    write("HTTP/1.1 200 OK\r\n\r\n")
    let far = PlainWire(other) { _ in }
    let back = DispatchGroup()
    back.enter()
    Thread.detachNewThread { [self] in
      while case let bytes = far.read(), !bytes.isEmpty { write(bytes) }
      back.leave()
    }
    while case let bytes = read(), !bytes.isEmpty { far.write(bytes) }
    shutdown(other, Int32(SHUT_RDWR))
    back.wait()
  }
}
