import Glibc

/// A socket that listens on 127.0.0.1, where every user of this machine can connect to it.
package struct LoopbackSocket: Sendable {
  /// The caller closes it.
  package let descriptor: Int32
  package let port: UInt16

  /// Listens on a port, or for zero on one that the system chooses. Throws `EADDRINUSE` if a program listens there.
  package init(port wanted: UInt16) throws(SystemError) {
    let type = Int32(SOCK_STREAM.rawValue)
    let descriptor = socket(AF_INET, type | O_CLOEXEC | O_NONBLOCK, 0)  // as SOCK_CLOEXEC and SOCK_NONBLOCK
    guard descriptor >= 0 else { throw SystemError() }
    var (yes, length): (Int32, socklen_t) = (1, socklen_t(MemoryLayout<sockaddr_in>.size))
    // Connections of an earlier program may still be closing.
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout.size(ofValue: yes)))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = wanted.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && listen(descriptor, SOMAXCONN) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    guard isListening else {
      let error = SystemError()
      close(descriptor)
      throw error
    }
    (self.descriptor, port) = (descriptor, UInt16(bigEndian: address.sin_port))
  }
}
