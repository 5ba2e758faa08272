import Glibc
import TestSupport
import LoginCore
import Testing

@Suite("When there is no answer", .limited(toMinutes: 5))
struct FailureTests {
  @Test("A port on which nobody listens is a connection that failed")
  func refused() async throws {
    // The port is taken, so that no other test's server can be given it, and nobody listens on it.
    let (descriptor, port) = try takenPort()
    defer { close(descriptor) }
    let endpoint = try Endpoint("http://127.0.0.1:\(port)/")
    let fault = await exchange(HTTPRequest(get: endpoint)).fault
    guard case .connection(host: "127.0.0.1", let reason) = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
    #expect(reason == .refused)
  }

  @Test(
    "A connection that breaks is a connection that failed, wherever it breaks",
    arguments: [
      "", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{",
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
    ], [false, true])
  func broken(begin: String, byReset: Bool) async throws {
    let result = try await exchange { wire in
      wire.readRequest()
      wire.write(begin)
      if byReset { wire.reset() }
    }
    guard case .connection = result.fault else {
      Issue.record("\(result)")
      return
    }
  }

  @Test("A server that goes before the request is a connection that failed")
  func gone() async throws {
    guard case .connection = try await exchange(with: { $0.reset() }).fault else {
      Issue.record("no failure")
      return
    }
  }

  @Test("A name that nobody has is an unknown host, or there is no name server to say so")
  func unknownHost() async throws {
    let result = await exchange(HTTPRequest(get: try Endpoint("https://name.invalid/")))
    switch result.fault {
    case .unknownHost("name.invalid"), .offline, .connection(host: "name.invalid", .noNameServer):
      break
    default: Issue.record("\(result)")
    }
  }
}

/// A port of 127.0.0.1 that is taken and on which nobody listens.
private func takenPort() throws -> (descriptor: Int32, port: UInt16) {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = inet_addr("127.0.0.1")
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutableBytes(of: &address) { bytes in
    let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
    return bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
  }
  try #require(isBound)
  return (descriptor, UInt16(bigEndian: address.sin_port))
}
