import Foundation
import LoginCore
import TestSupport
import Testing

/// Pushed requests (RFC 9126) and bound tokens (RFC 9449), both mandatory, as in atproto's profile of OAuth.
@Suite("Login with pushed requests and bound tokens", .blocking)
struct BoundLoginTests {
  /// One misbehaviour of such a provider, and the expected result.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let status: Int32
    let error: String?
    /// The number of pushed requests, pages and token requests.
    let hits: [Int]
    let change: @Sendable (inout BoundBehavior) -> Void
    var testDescription: String { name }

    init(
      _ name: String, _ status: Int32, _ error: String?, _ hits: [Int],
      change: @escaping @Sendable (inout BoundBehavior) -> Void
    ) {
      self.name = name
      self.status = status
      self.error = error
      self.hits = hits
      self.change = change
    }
  }

  private static func pushed(
    _ name: String, _ status: Int32, _ error: String, _ answer: StandInServer.Answer
  ) -> Row {
    Row(name, status, error, [1, 0, 0]) { $0.answers["/par"] = answer }
  }

  static let rows: [Row] = [
    Row("a provider without faults", 0, nil, [2, 1, 1]) { _ in },
    Row("a token that is not bound", 6, "unsupported_token_type", [2, 1, 1]) {
      $0.token["token_type"] = "Bearer"
    },
    Row("a provider that accepts no nonce", 1, "use_dpop_nonce", [2, 0, 0]) { $0.refusesEveryNonce = true },
    Row("a nonce that is demanded and not told", 1, "use_dpop_nonce", [1, 0, 0]) { $0.hidesNonce = true },
    Row("a signature algorithm that is not supported", 2, "invalid_configuration", [0, 0, 0]) {
      $0.metadata["dpop_signing_alg_values_supported"] = ["RS256"]
    },
    pushed("a refusal", 1, "invalid_request", .json(#"{"error":"invalid_request"}"#, status: 400)),
    Row("an expired request_uri", 1, "invalid_request_uri", [2, 1, 0]) {
      $0.callback["code"] = nil
      $0.callback["error"] = "invalid_request_uri"
    },
    Row("a callback without iss", 6, "issuer_mismatch", [2, 1, 0]) { $0.callback["iss"] = nil },
  ]

  static func arguments(at server: StandInServer) -> [String] {
    [
      "login", "--issuer", server.base, "--client-id", "https://app.example/client.json", "--redirect-uri",
      "https://app.example/done", "--headless-test",
    ]
  }

  private func login(_ provider: BoundProvider, _ more: String...) throws -> Outcome {
    try Tokentry.run(Self.arguments(at: provider.server) + more)
  }

  @Test("The result fits the fault, and requests are not repeated in vain", arguments: rows)
  func row(_ row: Row) throws {
    let provider = try BoundProvider(row.change)
    let outcome = try login(provider, "--dpop", "--scope", "atproto")
    #expect(outcome.status == row.status, "\(outcome)")
    #expect(outcome.error == row.error)
    #expect(["/par", "/auth", "/token"].map(provider.server.hits) == row.hits)
    #expect(provider.server.hits("/elsewhere") == 0)
    guard row.status == 0 else { return }
    #expect(outcome["sub"] as? String == "did:plc:ann")
    #expect(
      Set((outcome["dpop_jwk"] as? [String: String] ?? [:]).keys).isSuperset(of: ["kty", "x", "y", "d"]))
    let page = try #require(provider.server.requests.first { $0.path == "/auth" })
    #expect(page.queryItems.map(\.name) == ["client_id", "request_uri"])
  }

  @Test("Without --dpop the provider refuses the request, and no page is opened")
  func withoutProof() throws {
    let provider = try BoundProvider()
    let outcome = try login(provider)
    #expect(outcome.status == 1, "\(outcome.output)")
    #expect(outcome.error == "invalid_dpop_proof")
    #expect(["/par", "/auth"].map(provider.server.hits) == [1, 0])
  }

  @Test("The printed token works for userinfo and for a refresh, with the same key")
  func use() throws {
    let provider = try BoundProvider()
    let token = try login(provider, "--dpop").output
    let who = try userinfo(provider, token)
    #expect(who.status == 0, "\(who.output)")
    #expect(who["sub"] as? String == "did:plc:ann")
    #expect(provider.server.hits("/me") == 2, "once without the nonce of that server")
    let renewed = try Tokentry.run(Self.arguments(at: provider.server) + ["--token-file", "-"], input: token)
    #expect(renewed.status == 0, "\(renewed.output)")
    #expect(renewed.accessToken == "T2")
    #expect(try userinfo(provider, renewed.output).status == 0)
    try Proofs.expectVerified(provider.server)
  }

  private func userinfo(_ provider: BoundProvider, _ token: String) throws -> Outcome {
    try Tokentry.run(
      ["userinfo", "--issuer", provider.server.base, "--client-id", "c", "--token-file", "-"], input: token)
  }

  @Test("An account keeps the key, and uses it for a refresh")
  func account() throws {
    let folder = TemporaryFolder()
    let store = ["TOKENTRY_STORE": "file:\(folder.path)/store"]
    let provider = try BoundProvider(life: 30)  // less than --min-valid demands
    let arguments = Self.arguments(at: provider.server) + ["--dpop", "--account", "sky"]
    let first = try Tokentry.run(arguments, environment: store)
    #expect(first.status == 0, "\(first)")
    let token = try Tokentry.run(["token", "--account", "sky", "--silent"], environment: store)
    #expect(token.status == 0, "\(token)")
    #expect(token.accessToken == "T2")
    #expect(token["dpop_jwk"] as? [String: String] == first["dpop_jwk"] as? [String: String])
    let listed = try Tokentry.run(["accounts"], environment: store)
    #expect(listed.output.contains("sky") && !listed.output.contains("dpop_jwk"))
    try Proofs.expectVerified(provider.server)
  }

  // RFC 9126 section 2: the client authenticates as at the token endpoint.
  @Test("A confidential client authenticates itself at a PAR endpoint that the caller names")
  func confidential() throws {
    let server = try StandInServer { request, base in
      switch request.path {
      case "/par":
        .json(
          request.headers["authorization"] == "Basic bWU6cw=="
            ? #"{"request_uri":"urn:x:1"}"# : #"{"error":"invalid_client"}"#, status: 201)
      case "/auth": .redirect("https://app.example/done?code=C&state=S")
      default: .json(#"{"access_token":"T","token_type":"Bearer"}"#)
      }
    }
    let arguments =
      server.endpoints() + ["--endpoint", "pushed_authorization_request=\(server.base)/par"]
      + ["--redirect-uri", "https://app.example/done", "--state", "S", "--headless-test"]
    let secret = ["TOKENTRY_CLIENT_SECRET": "s"]
    let outcome = try Tokentry.run(["login"] + arguments, environment: secret)
    #expect(outcome.status == 0, "\(outcome.output)")
    let pushed = try #require(server.requests.first)
    #expect(pushed.form["client_id"] == "me" && pushed.form["client_secret"] == nil)
    #expect(
      server.requests.first { $0.path == "/auth" }?.target == "/auth?client_id=me&request_uri=urn%3Ax%3A1")
    let explained = try Tokentry.run(["explain", "--dpop"] + arguments, environment: secret)
    #expect(explained["pushed"] as? Bool == true)
    #expect(explained["url"] == nil, "the request_uri is not known yet")
    let parameters = try #require(explained["parameters"] as? [String: String])
    #expect(parameters["redirect_uri"] == "https://app.example/done")
    #expect(parameters["dpop_jkt"]?.count == 43)
  }
}
