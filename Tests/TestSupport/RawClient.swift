import Foundation

/// A connection over which a test sends bytes that a proper client would not send.
public final class RawConnection: Sendable {
  private let descriptor: Int32

  /// Connects. No call on this connection blocks for longer than five seconds.
  public init(port: UInt16, host: String = "127.0.0.1") throws {
    let isIPv6 = host.contains(":")
    descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let result: Int32
    if isIPv6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      inet_pton(AF_INET6, host, &address.sin6_addr)
      result = connect(to: &address)
    } else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      inet_pton(AF_INET, host, &address.sin_addr)
      result = connect(to: &address)
    }
    if result != 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  /// Connects to a socket in the file system.
  public init(path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    if connect(to: &address) != 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  deinit { close(descriptor) }

  private func connect<Address>(to address: inout Address) -> Int32 {
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }

  /// Sends all bytes. Returns false if the server has closed the connection.
  @discardableResult
  public func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  @discardableResult
  public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Reads until the server closes the connection or is silent for five seconds.
  public func readToEnd() -> [UInt8] {
    var bytes: [UInt8] = []
    while let piece = read() { bytes += piece }
    return bytes
  }

  /// Returns the next bytes, or nil at the end.
  public func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  /// Returns true if the server closes the connection within a minute. Read its answer first. The minute consists of
  /// twelve reads, each of which times out after five seconds.
  public func ends() -> Bool {
    var byte: UInt8 = 0
    return (0..<12).contains { _ in recv(descriptor, &byte, 1, 0) == 0 }
  }
}

/// An answer as received over a ``RawConnection``.
public struct RawAnswer: Sendable {
  /// The status, or 0 if there was no answer.
  public let status: Int
  /// The lines of the header without the status line.
  public let headers: [String]
  public let body: String

  public init(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let halves = text.components(separatedBy: "\r\n\r\n")
    var lines = halves[0].components(separatedBy: "\r\n")
    let words = lines.removeFirst().split(separator: " ")
    status = words.count > 1 ? Int(words[1]) ?? 0 : 0
    headers = lines
    body = halves.dropFirst().joined(separator: "\r\n\r\n")
  }

  /// The value of the first header field with this name.
  public subscript(_ name: String) -> String? {
    headers.first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
      .map { String($0.dropFirst(name.count + 2)) }
  }

  /// The body as a JSON object; empty if it is not one.
  public var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]) ?? [:]
  }
}

/// Sends one request to 127.0.0.1 and returns the answer. A request with a body is a POST.
public func ask(_ port: UInt16, _ target: String, headers: [String] = [], body: String? = nil) -> RawAnswer {
  guard let connection = try? RawConnection(port: port) else { return RawAnswer([]) }
  var lines = ["\(body == nil ? "GET" : "POST") \(target) HTTP/1.1", "Connection: close"] + headers
  if !headers.contains(where: { $0.lowercased().hasPrefix("host:") }) {
    lines.append("Host: 127.0.0.1:\(port)")
  }
  if let body { lines.append("Content-Length: \(body.utf8.count)") }
  connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
  return RawAnswer(connection.readToEnd())
}
