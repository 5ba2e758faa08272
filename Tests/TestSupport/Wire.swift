import CGLib
import Foundation
import Glibc

/// The server's end of a connection.
public protocol Wire: AnyObject {
  /// Some bytes, or none when the client has gone.
  func read() -> [UInt8]
  /// Whether all of it was taken.
  @discardableResult func write(_ bytes: [UInt8]) -> Bool
  /// Waits; false at once when the client has gone.
  func pause(milliseconds: Int32) -> Bool
  /// Makes the connection end with an error instead of an end.
  func reset()
}

extension Wire {
  /// Sends a text, byte by byte as it is.
  @discardableResult public func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  /// Reads a request: its head, and as much body as the head promises. False when the client has gone.
  @discardableResult public func readRequest() -> Bool {
    var bytes: [UInt8] = []
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if let end = text.range(of: "\r\n\r\n") {
        let promised = text.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
        let length = promised.flatMap { Int($0.drop { $0 != ":" }.dropFirst().filter { $0 != " " }) } ?? 0
        if text[end.upperBound...].utf8.count >= length { return true }
      }
      let more = read()
      if more.isEmpty { return false }
      bytes += more
    }
  }

  /// Waits until the client has gone.
  public func waitForEnd() { while !read().isEmpty {} }

  /// A whole answer.
  public func answer(_ head: String, _ body: String = "") {
    write("\(head)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
  }
}

/// A connection as it is.
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
    // After its request a client has nothing more to say but that it goes.
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) == 0
  }

  public func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
  }
}

/// A connection inside TLS.
final class TLSWire: Wire {
  private let connection: UnsafeMutablePointer<GIOStream>
  private let hear: ([UInt8]) -> Void
  private let descriptor: Int32

  /// Shakes hands; nothing if that fails.
  init?(_ descriptor: Int32, _ identity: TestAuthority.Identity, _ hear: @escaping ([UInt8]) -> Void) {
    self.descriptor = descriptor
    self.hear = hear
    // The socket closes its descriptor when it is released, the server closes the other.
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
    // Most servers would rather speak HTTP/2, which this one cannot: a client that lets it choose so fails.
    "h2".withCString { newer in
      "http/1.1".withCString { older in
        var protocols: [UnsafePointer<CChar>?] = [newer, older, nil]
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
