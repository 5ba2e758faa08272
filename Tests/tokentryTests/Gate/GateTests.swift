import LoginCore
import Testing

@testable import tokentry

@Suite("The rules of a gate")
struct GateTests {
  private static let server = try? Endpoint(parsing: "https://api.example/v1/")

  private func gate(port: UInt16? = nil, wellKnown: Bool = false) throws -> Gate {
    Gate(
      server: try #require(Self.server),
      door: port.map { Gate.Door(port: $0, bearer: AccessToken("secret")) },
      passesWellKnown: wellKnown)
  }

  private static func request(_ lines: String...) throws(GateRefusal) -> GateRequest {
    try GateRequest(lines.map { Array($0.utf8) + [0x0D] })
  }

  private func status(_ gate: Gate, _ path: String, _ fields: [String]) throws -> Int? {
    let lines = ["GET \(path) HTTP/1.1"] + fields
    let request = try GateRequest(lines.map { Array("\($0)\r".utf8) })
    do throws(GateRefusal) {
      _ = try gate.destination(of: request)
      return nil
    } catch {
      return error.status
    }
  }

  @Test("A request goes to the server's address, below the path that the gate is for")
  func destination() throws {
    let request = try Self.request("GET /v1/a%2Fb?c='d' HTTP/1.1", "Host: localhost")
    #expect(try gate().destination(of: request).description == "https://api.example/v1/a%2Fb?c='d'")
    for path in ["/v1", "/v1/", "/v1/a"] { #expect(try status(gate(), path, ["Host: localhost"]) == nil) }
    for path in ["/", "/v", "/v10", "/v2/v1", "/V1"] {
      #expect(try status(gate(), path, ["Host: localhost"]) == 403, "\(path)")
    }
  }

  @Test("Metadata about the server are not found here, unless they are wanted")
  func wellKnown() throws {
    let path = "/.well-known/oauth-protected-resource/v1"
    #expect(try status(gate(), path, ["Host: localhost"]) == 404)
    #expect(try status(gate(wellKnown: true), path, ["Host: localhost"]) == nil)
  }

  @Test("Only the gate's own name leads to it, and no page in a browser")
  func senders() throws {
    let socket = try gate()
    #expect(try status(socket, "/v1", ["Host: api.example"]) == nil)
    #expect(try status(socket, "/v1", ["host: LOCALHOST"]) == nil)
    for host in [
      [], ["Host: evil.example"], ["Host: localhost", "Host: localhost"], ["Host: localhost.evil.example"],
    ] {
      #expect(try status(socket, "/v1", host) == 421, "\(host)")
    }
    for field in ["Origin: null", "Origin: http://localhost", "Sec-Fetch-Site: none"] {
      #expect(try status(socket, "/v1", ["Host: localhost", field]) == 403, "\(field)")
    }
  }

  @Test("At a port, every request has to show the bearer")
  func bearer() throws {
    let gate = try gate(port: 8_080)
    let host = "Host: 127.0.0.1:8080"
    #expect(try status(gate, "/v1", [host, "Authorization: Bearer secret"]) == nil)
    #expect(try status(gate, "/v1", [host, "authorization: bearer secret"]) == nil)
    let wrong = [
      [], ["Authorization: Bearer secreT"], ["Authorization: Bearer"], ["Authorization: secret"],
      ["Authorization: Basic secret"], ["Authorization: Bearer secret", "Authorization: Bearer secret"],
      ["Authorization: Bearer  secret"], ["X-Authorization: Bearer secret"],
    ]
    for fields in wrong { #expect(try status(gate, "/v1", [host] + fields) == 403, "\(fields)") }
    for host in ["127.0.0.1", "localhost:8080", "127.0.0.1:8081", "api.example"] {
      #expect(try status(gate, "/v1", ["Host: \(host)", "Authorization: Bearer secret"]) == 421, "\(host)")
    }
  }

  @Test("Fields about the connection and the sign-in end at the gate")
  func fields() throws {
    let request = try Self.request(
      "GET /v1 HTTP/1.1", "Host: localhost", "Authorization: Bearer x", "Cookie: a=b", "DPoP: p",
      "Connection: X-Hop, close", "X-Hop: 1", "Keep-Alive: 5", "TE: trailers", "Proxy-Authorization: Basic x",
      "Content-Type: a/b", "Content-Encoding: gzip", "Accept-Encoding: br", "Expect: 100-continue")
    #expect(
      Gate.fields(of: request).map(\.name) == ["Content-Type", "Content-Encoding", "Accept-Encoding"])
    let answer = HTTPResponse(
      status: 401,
      headers: [
        Parameter("WWW-Authenticate", "Bearer"), Parameter("Set-Cookie", "a=b"), Parameter("DPoP-Nonce", "n"),
        Parameter("Connection", "x-hop"), Parameter("X-Hop", "1"), Parameter("Transfer-Encoding", "chunked"),
        Parameter("ETag", "e"), Parameter("Location", "https://api.example/v1/b?c"),
        Parameter("Location", "https://api.example.evil/v1"),
      ])
    #expect(
      try gate().fields(of: answer).map { "\($0.name) \($0.value)" } == [
        "ETag e", "Location /v1/b?c", "Location https://api.example.evil/v1",
      ])
  }
}
