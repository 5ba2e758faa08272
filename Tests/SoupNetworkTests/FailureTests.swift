import LoginCore
import Testing

@Suite("When there is no answer", .timeLimit(.minutes(1)))
struct FailureTests {
  @Test("A port on which nobody listens is a connection that failed")
  func refused() async throws {
    let server = ScriptedServer { _ in }
    let endpoint = try server.endpoint()
    server.stop()
    let fault = await exchange(HTTPRequest(get: endpoint)).fault
    guard case .connection(host: "127.0.0.1", let reason) = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
    #expect(reason == "the connection was refused")
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
    case .unknownHost("name.invalid"), .offline, .connection(host: "name.invalid", "no name server answers"):
      break
    default: Issue.record("\(result)")
    }
  }
}
