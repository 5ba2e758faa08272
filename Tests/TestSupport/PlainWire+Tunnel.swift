import Foundation
import Glibc

extension PlainWire {
  /// Answers as a proxy does to CONNECT, and passes everything on to a port of this machine.
  public func tunnel(to port: UInt16) {
    readRequest()
    let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(other) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = withUnsafeBytes(of: &address) { bytes in
      bytes.baseAddress.map { connect(other, $0.assumingMemoryBound(to: sockaddr.self), size) } == 0
    }
    guard isConnected else { return }
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
