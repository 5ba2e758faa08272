import Foundation
import Synchronization
import TestSupport
import Testing

/// Each server makes one mistake.
@Suite("Mistakes of APIs and their servers", .blocking)
struct ResourceMistakeTests {
  private static let document = "/.well-known/oauth-protected-resource/mcp"
  private static let metadata = "/.well-known/oauth-authorization-server"

  /// The answer at one path, and the expected result. `BASE` stands for the server.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let path: String
    let body: String
    let status: Int32
    let error: String

    init(_ name: String, _ path: String, _ body: String, _ status: Int32, _ error: String) {
      (testDescription, self.path, self.body, self.status, self.error) = (name, path, body, status, error)
    }

    func answer(_ base: String) -> StandInServer.Answer {
      .json(body.replacingOccurrences(of: "BASE", with: base))
    }
  }

  private static func described(_ members: String) -> String { #"{"resource":"BASE/mcp",\#(members)}"# }
  private static func server(_ members: String, issuer: String = "BASE") -> String {
    #"{"issuer":"\#(issuer)","authorization_endpoint":"BASE/authorize","token_endpoint":"BASE/token",\#(members)}"#
  }

  private static let rows = [
    Row("another API", document, #"{"resource":"https://other.example/"}"#, 6, "untrusted_metadata"),
    Row("no JSON", document, "<html>", 5, "bad_provider_response"),
    Row("no server", document, described(#""authorization_servers":[]"#), 2, "invalid_configuration"),
    Row(
      "a server over http", document, described(#""authorization_servers":["http://as.example"]"#), 2,
      "invalid_configuration"),
    Row(
      "a description that is too large", document,
      described("\"x\":\"\(String(repeating: "x", count: 1 << 20))\""), 5, "bad_provider_response"),
    Row("another issuer", metadata, #"{"issuer":"https://other.example"}"#, 6, "untrusted_metadata"),
    Row("no PKCE", metadata, server(#""x":1"#), 6, "untrusted_metadata"),
    Row(
      "an endpoint of another server", metadata,
      #"{"issuer":"BASE","authorization_endpoint":"https://honest.example/a","token_endpoint":"BASE/token","#
        + #""code_challenge_methods_supported":["S256"]}"#, 6, "untrusted_metadata"),
  ]

  @Test("A mistake is refused before the user is asked, and no client is registered", arguments: rows)
  func wrong(row: Row) throws {
    try ResourceFixture.with { fixture, server, address in
      fixture.state.withLock { $0.other[row.path] = row.answer(server.base) }
      for command in ["login", "explain"] {
        let outcome = try fixture.run([command, "--resource", address, "--headless-test"])
        #expect(outcome.status == row.status, "\(outcome.output)")
        #expect(outcome.error == row.error)
        #expect((outcome["details"] as? [String: Any])?.isEmpty == (row.status == 6 ? false : nil))
        #expect(row.status != 2 || outcome.messages.contains("--issuer URL or --provider NAME"))
      }
      #expect(["/register", "/authorize", "/token"].allSatisfy { server.hits($0) == 0 })
    }
  }

  @Test("If the API describes no server, the error asks for one, and with one the login works")
  func noServer() throws {
    try ResourceFixture.with { fixture, server, address in
      let missing = StandInServer.Answer(404)
      let path = Self.document
      fixture.state.withLock {
        $0.other = ["/mcp": StandInServer.Answer(401, ["WWW-Authenticate: Bearer"]), path: missing]
      }
      let login = try fixture.run(["login", "--resource", address, "--headless-test"])
      #expect(login.status == 2 && login.error == "invalid_configuration", "\(login.output)")
      #expect(login.messages.contains("--issuer URL or --provider NAME"), "\(login.messages)")
      let places = [path, "/.well-known/oauth-protected-resource"]
      #expect(server.requests.map(\.path) == ["/mcp"] + places)
      let helper = ["helper", "headers", address, "--issuer", server.base, "--headless-test"]
      let headers = try fixture.run(helper)
      #expect(headers.status == 0 && headers.output.contains("Bearer T1"), "\(headers.messages)")
      #expect(server.requests.last { $0.path == "/authorize" }?.query["resource"] == address)
      #expect(try fixture.run(["helper", "headers", address]).output == headers.output)
    }
  }
}
