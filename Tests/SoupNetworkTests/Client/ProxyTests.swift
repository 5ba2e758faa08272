import LoginCore
import TestSupport
import Testing

@testable import SoupNetwork

@Suite("Proxies", .limited(toMinutes: 5))
struct ProxyTests {
  @Test("A proxy resolves the host name and forwards a tunnel whose content it cannot read")
  func tunnel() async throws {
    let authority = try TestAuthority()
    let server = ScriptedServer(identity: try authority.identity("a", for: "DNS:name.invalid")) { wire in
      wire.readRequest()
      wire.answer("HTTP/1.1 200 OK", "{}")
    }
    defer { server.stop() }
    let proxy = ScriptedServer { ($0 as? PlainWire)?.tunnel(to: server.port) }
    defer { proxy.stop() }
    let result = await exchange(
      HTTPRequest(
        post: [Parameter("code", "SECRET")], to: try Endpoint("https://name.invalid/token"),
        headers: [Parameter("Authorization", "Basic SECRET")]),
      authorities: .file(authority.certificate), proxies: .always("http://127.0.0.1:\(proxy.port)"))
    #expect(result.answer?.status == 200, "\(result)")
    #expect(proxy.heard.hasPrefix("CONNECT name.invalid:443 HTTP/1.1\r\n"))
    #expect(!proxy.heard.contains("SECRET"))
    #expect(server.heard.contains("code=SECRET"))
  }

  @Test("A server may not name an endpoint whose name leads to an address nearer than its own")
  func nearerAddress() async throws {
    let authority = try TestAuthority()
    let identity = try authority.identity("a", for: "DNS:name.invalid,DNS:other.invalid")
    // The server is far away, since a proxy leads to it. Other endpoints are reached without the proxy.
    let server = ScriptedServer(identity: identity) { wire in
      wire.readRequest()
      wire.answer("HTTP/1.1 200 OK", "{}")
    }
    defer { server.stop() }
    let proxy = ScriptedServer { ($0 as? PlainWire)?.tunnel(to: server.port) }
    defer { proxy.stop() }
    let near = ScriptedServer { wire in
      while wire.readRequest() { wire.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}") }
    }
    defer { near.stop() }
    func endpoint(_ address: String, namedBy namer: String?) throws -> HTTPRequest {
      var endpoint = try Endpoint(address)
      endpoint.namer = try namer.map { try WebAddress($0) }
      return HTTPRequest(get: endpoint)
    }
    let (name, other) = ("https://name.invalid/", "https://other.invalid/")
    let address = "http://127.0.0.1:\(near.port)/"
    func results(_ requests: [HTTPRequest]) async -> [Result<HTTPResponse, Failure>] {
      await exchanges(
        requests, authorities: .file(authority.certificate),
        proxies: .always("http://127.0.0.1:\(proxy.port)"))
    }
    let refusal = Failure.notOAuth("\"127.0.0.1\" is \(Message.nearer)")
    // The proxy's own address does not count.
    let far = try await results([endpoint(name, namedBy: nil), endpoint(other, namedBy: name)])
    #expect(far.map { $0.answer?.status } == [200, 200], "\(far)")
    let refused = try await results([endpoint(name, namedBy: nil), endpoint(address, namedBy: name)])
    #expect(refused.last?.failure == refusal, "\(refused)")
    #expect(near.heard == "", "not even a request is sent")
    // A connection that is there already is not used either.
    let kept = try await results([
      endpoint(name, namedBy: nil), endpoint(address, namedBy: nil), endpoint(address, namedBy: name),
    ])
    #expect(kept[1].answer?.status == 200 && kept[2].failure == refusal, "\(kept)")
    // The caller's own choice, a server on this machine, and one whose place is not known.
    let allowed = try await results([
      endpoint(address, namedBy: nil), endpoint(address, namedBy: "https://localhost/"),
      endpoint(address, namedBy: other),
    ])
    #expect(allowed.map { $0.answer?.status } == [200, 200, 200], "\(allowed)")
  }

  @Test("The answer of a proxy that refuses a tunnel is a failed connection", arguments: [403, 407, 502])
  func refusal(status: Int) async throws {
    let proxy = ScriptedServer { wire in
      wire.readRequest()
      wire.answer("HTTP/1.1 \(status) No\r\nProxy-Authenticate: Basic realm=\"x\"", "{}")
    }
    defer { proxy.stop() }
    let result = await exchange(
      HTTPRequest(get: try Endpoint("https://name.invalid/")),
      proxies: .always("http://user:password@127.0.0.1:\(proxy.port)"))
    let reason: Message =
      status == 407
      ? "the proxy asks for a password, which tokentry does not support"
      : "the proxy refused with HTTP \(status)"
    #expect(
      result.failure
        == .unreachableThroughProxy("name.invalid", "http://127.0.0.1:\(proxy.port)", reason),
      "\(result): the failure must not contain the password")
    #expect(proxy.connections == 1)
  }

  @Test(
    "A failure to connect to a proxy names the proxy",
    arguments: [
      (
        "http://127.0.0.1:1",
        Failure.unreachableThroughProxy("name.invalid", "http://127.0.0.1:1", "the connection was refused")
      ),
      (
        "http://user:password@no.invalid:1",
        .unreachableThroughProxy("name.invalid", "http://no.invalid:1", "its host is unknown")
      ),
    ])
  func absent(setting: String, failure: Failure) async throws {
    let result = await exchange(
      HTTPRequest(get: try Endpoint("https://name.invalid/")), proxies: .always(setting))
    #expect(result.failure == failure)
  }

  @Test("A silent proxy ends with the deadline")
  func silent() async throws {
    let proxy = ScriptedServer { $0.waitForEnd() }
    defer { proxy.stop() }
    let result = await exchange(
      HTTPRequest(get: try Endpoint("https://name.invalid/")), limits: .init(seconds: 1),
      proxies: .always("http://127.0.0.1:\(proxy.port)"))
    #expect(
      result.failure
        == .unreachableThroughProxy(
          "name.invalid", "http://127.0.0.1:\(proxy.port)", "the connection timed out"))
  }

  @Test("A streamed request does not take the refusal of a proxy for the host's answer")
  func refusedStream() async throws {
    let proxy = ScriptedServer { wire in
      wire.readRequest()
      wire.answer("HTTP/1.1 403 No", "words of the proxy")
    }
    defer { proxy.stop() }
    let (port, request) = (proxy.port, try ResourceRequest("GET", try Endpoint("https://name.invalid/")))
    let failure = await onMainLoop { () async -> Failure? in
      do throws(Failure) {
        let transport = SoupTransport(
          userAgent: "test/1", trusted: [:], limits: .init(), authorities: .system,
          proxies: .always("http://127.0.0.1:\(port)"))
        _ = try await transport.stream(request, nil, patience: 10)
        return nil
      } catch {
        return error
      }
    }
    #expect(
      failure
        == .unreachableThroughProxy(
          "name.invalid", "http://127.0.0.1:\(port)", "the proxy refused with HTTP 403"))
  }

  @Test("localhost and its subdomains are this machine; a name that only ends in localhost is not")
  func names() async throws {
    for (host, isForThisMachine) in [("a.localhost", true), ("A.LocalHost", true), ("alocalhost", false)] {
      let request = HTTPRequest(get: try Endpoint("https://\(host)/"))
      let found = await onMainLoop { () async -> Bool? in
        (try? SoupRequest(request, userAgent: "test/1"))?.isForThisMachine
      }
      #expect(found == isForThisMachine, "\(host)")
    }
  }

  @Test("Requests to this machine do not use the proxy", arguments: ["127.0.0.1", "localhost"])
  func loopback(host: String) async throws {
    let proxy = ScriptedServer { $0.readRequest() }
    defer { proxy.stop() }
    let server = ScriptedServer { wire in
      wire.readRequest()
      wire.answer("HTTP/1.1 200 OK", "{}")
    }
    defer { server.stop() }
    let result = await exchange(
      HTTPRequest(get: try server.endpoint(host: host)),
      proxies: .always("http://127.0.0.1:\(proxy.port)"))
    #expect(result.answer?.status == 200, "\(result)")
    #expect(proxy.connections == 0)
  }
}
