import LoginCore
import TestSupport
import Testing

@Suite("Requests", .limited(toMinutes: 5))
struct RequestTests {
  @Test("A GET request has each header field once")
  func get() async throws {
    let heard = try await heard { HTTPRequest(get: $0, headers: [Parameter("Authorization", "Bearer T")]) }
    let lines = heard.split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.first == "GET /a%2Fb/~c?x=%2B&y=a+b&&z HTTP/1.1")
    #expect(lines.suffix(2) == ["", ""])
    #expect(
      lines.dropFirst().dropLast(2).map { $0.replacing(#/:\d+$/#, with: ":PORT") }.sorted() == [
        "Accept-Encoding: identity", "Accept: application/json", "Authorization: Bearer T",
        "Connection: Keep-Alive", "Host: 127.0.0.1:PORT", "User-Agent: test/1",
      ])
  }

  @Test("A percent sign that does not begin an escape is escaped")
  func lonePercent() async throws {
    let heard = try await heard(at: "/50%/%zz?q=100%&r=%2B%2") { HTTPRequest(get: $0) }
    #expect(heard.hasPrefix("GET /50%25/%25zz?q=100%25&r=%2B%252 HTTP/1.1\r\n"), "\(heard)")
  }

  @Test("A form is sent with its type and length")
  func post() async throws {
    let heard = try await heard {
      HTTPRequest(post: [Parameter("code", "a b"), Parameter("x", "é")], to: $0)
    }
    #expect(heard.hasPrefix("POST /a%2Fb/~c?x=%2B&y=a+b&&z HTTP/1.1\r\n"))
    #expect(heard.hasSuffix("\r\n\r\ncode=a%20b&x=%C3%A9"))
    let fields = heard.split(separator: "\r\n").dropFirst().map { $0.split(separator: ":")[0].lowercased() }
    #expect(heard.contains("\r\nContent-Length: 19\r\n"))
    #expect(heard.contains("\r\nContent-Type: application/x-www-form-urlencoded\r\n"))
    #expect(Set(fields).count == fields.count)
  }

  @Test("A request's own User-Agent replaces the transport's")
  func userAgent() async throws {
    let heard = try await heard { HTTPRequest(get: $0, headers: [Parameter("User-Agent", "own/2")]) }
    let fields = heard.split(separator: "\r\n").filter { $0.lowercased().hasPrefix("user-agent:") }
    #expect(fields == ["User-Agent: own/2"])
  }

  @Test("An empty form has the length 0")
  func emptyPost() async throws {
    let heard = try await heard { HTTPRequest(post: [], to: $0) }
    #expect(heard.contains("\r\nContent-Length: 0\r\n"))
  }

  @Test(
    "A header field with a forbidden character prevents the request",
    arguments: [("X", "a\r\nY: b"), ("X", "a\nb"), ("X", "a\0b"), ("X Y", "a"), ("X:", "a"), ("", "a")])
  func injection(name: String, value: String) async throws {
    let server = ScriptedServer { $0.readRequest() }
    defer { server.stop() }
    let result = await exchange(
      HTTPRequest(get: try server.endpoint(), headers: [Parameter(name, value)]))
    #expect(result.failure?.code == .internalError, "\(result)")
    #expect(server.connections == 0)
  }

  @Test("Cookies are not sent back")
  func noCookies() async throws {
    let server = ScriptedServer { wire in
      wire.readRequest()
      wire.answer("HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Path=/")
    }
    defer { server.stop() }
    let request = HTTPRequest(get: try server.endpoint())
    let results = await exchanges([request, request])
    #expect(results.map { $0.answer?[header: "set-cookie"] } == ["a=b; Path=/", "a=b; Path=/"])
    #expect(server.connections == 2)
    #expect(!server.heard.lowercased().contains("cookie"))
  }

  @Test("A form is never sent over a connection that was used before")
  func connections() async throws {
    let server = ScriptedServer { wire in
      while wire.readRequest() { wire.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}") }
    }
    defer { server.stop() }
    let endpoint = try server.endpoint()
    let get = HTTPRequest(get: endpoint)
    _ = await exchanges([get, get])
    #expect(server.connections == 1)
    _ = await exchanges([get, HTTPRequest(post: [], to: endpoint)])
    #expect(server.connections == 3)
  }

  /// Sends a request and returns the text that the server received.
  private func heard(
    at target: String = "/a%2Fb/~c?x=%2B&y=a+b&&z", _ request: (Endpoint) -> HTTPRequest
  ) async throws -> String {
    let server = ScriptedServer { wire in
      wire.readRequest()
      wire.answer("HTTP/1.1 200 OK", "{}")
    }
    defer { server.stop() }
    let result = await exchange(request(try server.endpoint(target)))
    #expect(result.answer?.body == Array("{}".utf8), "\(result)")
    return server.heard
  }
}
