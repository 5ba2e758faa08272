import LoginCore
import TestSupport
import Testing

@testable import SoupNetwork

@Suite("The way through a proxy", .limited(toMinutes: 5))
struct ProxyTests {
  @Test("A proxy makes a tunnel and sees nothing of the request, and it resolves the name")
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

  @Test("A proxy that refuses is a connection that failed, and no answer", arguments: [403, 407, 502])
  func refusal(status: Int) async throws {
    let proxy = ScriptedServer { wire in
      wire.readRequest()
      wire.answer("HTTP/1.1 \(status) No\r\nProxy-Authenticate: Basic realm=\"x\"", "{}")
    }
    defer { proxy.stop() }
    let result = await exchange(
      HTTPRequest(get: try Endpoint("https://name.invalid/")),
      proxies: .always("http://user:password@127.0.0.1:\(proxy.port)"))
    let fault: ConnectionFault = status == 407 ? .proxyNeedsPassword : .proxyRefused(status: status)
    #expect(
      result.fault == .connection(host: "name.invalid", .proxy("http://127.0.0.1:\(proxy.port)", fault)),
      "\(result): without the password that is in its address")
    #expect(proxy.connections == 1)
  }

  @Test(
    "A proxy that is not there is named",
    arguments: [
      ("http://127.0.0.1:1", ConnectionFault.proxy("http://127.0.0.1:1", .refused)),
      ("http://user:password@no.invalid:1", .proxy("http://no.invalid:1", .unknownHost)),
    ])
  func absent(setting: String, fault: ConnectionFault) async throws {
    let result = await exchange(
      HTTPRequest(get: try Endpoint("https://name.invalid/")), proxies: .always(setting))
    #expect(result.fault == .connection(host: "name.invalid", fault))
  }

  @Test("The deadline counts for a proxy as well")
  func silent() async throws {
    let proxy = ScriptedServer { $0.waitForEnd() }
    defer { proxy.stop() }
    let result = await exchange(
      HTTPRequest(get: try Endpoint("https://name.invalid/")), limits: .init(seconds: 1),
      proxies: .always("http://127.0.0.1:\(proxy.port)"))
    #expect(
      result.fault
        == .connection(host: "name.invalid", .proxy("http://127.0.0.1:\(proxy.port)", .timedOut)))
  }

  @Test("What a proxy says that refuses is no stream of the host's")
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
    let fault = ConnectionFault.proxy("http://127.0.0.1:\(port)", .proxyRefused(status: 403))
    #expect(failure == Failure.network(.connection(host: "name.invalid", fault)))
  }

  @Test("A name below localhost is this machine's as well, and one that only ends like it is not")
  func names() async throws {
    for (host, isForThisMachine) in [("a.localhost", true), ("A.LocalHost", true), ("alocalhost", false)] {
      let request = HTTPRequest(get: try Endpoint("https://\(host)/"))
      let found = await onMainLoop { () async -> Bool? in
        (try? Message(request, userAgent: "test/1"))?.isForThisMachine
      }
      #expect(found == isForThisMachine, "\(host)")
    }
  }

  @Test("What is for this machine goes there straight", arguments: ["127.0.0.1", "localhost"])
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
