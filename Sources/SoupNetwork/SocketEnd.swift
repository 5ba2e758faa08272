import CGLib
import Glibc

/// One end of a TCP connection of this process.
struct SocketEnd: Sendable, Equatable {
  /// The 16 bytes of an IPv6 address. An IPv4 address is mapped (RFC 4291 section 2.5.5.2), because a program may use that
  /// form for it.
  let address: [UInt8]
  let port: UInt16

  init(_ address: [UInt8], _ port: UInt16) {
    self.address = address.count == 4 ? [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + address : address
    self.port = port
  }

  /// Returns the other end of a connection that still exists.
  static func peer(of socket: UnsafeMutablePointer<GSocket>) -> SocketEnd? { SocketEnd(socket, getpeername) }

  /// Returns this process's end.
  static func own(of socket: UnsafeMutablePointer<GSocket>) -> SocketEnd? { SocketEnd(socket, getsockname) }

  private init?(
    _ socket: UnsafeMutablePointer<GSocket>,
    _ name: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
  ) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let end: SocketEnd? = withUnsafeMutableBytes(of: &storage) { bytes in
      guard
        name(g_socket_get_fd(socket), bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length) == 0
      else { return nil }
      switch Int32(bytes.load(as: sockaddr.self).sa_family) {
      case AF_INET:
        let end = bytes.load(as: sockaddr_in.self)
        return SocketEnd(withUnsafeBytes(of: end.sin_addr, Array.init), UInt16(bigEndian: end.sin_port))
      case AF_INET6:
        let end = bytes.load(as: sockaddr_in6.self)
        return SocketEnd(withUnsafeBytes(of: end.sin6_addr, Array.init), UInt16(bigEndian: end.sin6_port))
      default: return nil
      }
    }
    guard let end else { return nil }
    self = end
  }
}
