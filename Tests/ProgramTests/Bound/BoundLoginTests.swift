import Foundation
import LoginCore
import TestSupport
import Testing

/// RFC 9126 and RFC 9449 where both are mandatory, which atproto's profile of OAuth is an example of.
@Suite("Pushed requests and tokens that are bound to a key, against a server", .blocking)
struct BoundLoginTests {
  /// One way in which such a provider misbehaves, and what has to come of it.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let status: Int32
    let error: String?
    /// How often requests are pushed, pages opened, tokens asked for.
    let hits: [Int]
    let change: @Sendable (inout Manner) -> Void
    var testDescription: String { name }

    init(
      _ name: String, _ status: Int32, _ error: String?, _ hits: [Int],
      change: @escaping @Sendable (inout Manner) -> Void
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
    Row("nothing is wrong", 0, nil, [2, 1, 1]) { _ in },
    Row("a type in other letters", 0, nil, [2, 1, 1]) { $0.token["token_type"] = "dPoP" },
    Row("a token that is not bound", 6, "unsupported_token_type", [2, 1, 1]) {
      $0.token["token_type"] = "Bearer"
    },
    Row("a token without a type", 6, "missing_token", [2, 1, 1]) { $0.token["token_type"] = nil },
    Row("no nonce is ever right", 1, "use_dpop_nonce", [2, 0, 0]) { $0.isNeverContent = true },
    Row("no nonce is right at the token endpoint", 1, "use_dpop_nonce", [2, 1, 2]) {
      if $0.request.path == "/token" { $0.isNeverContent = true }
    },
    Row("a nonce is wanted and not told", 1, "use_dpop_nonce", [1, 0, 0]) { $0.keepsNonceToItself = true },
    Row("the proof is refused at the token endpoint", 1, "invalid_dpop_proof", [2, 1, 1]) {
      $0.answers["/token"] = .json(#"{"error":"invalid_dpop_proof"}"#, status: 400)
    },
    Row("nowhere to push requests to", 2, "invalid_configuration", [0, 0, 0]) {
      $0.metadata["pushed_authorization_request_endpoint"] = nil
    },
    Row("proofs are to be signed otherwise", 2, "invalid_configuration", [0, 0, 0]) {
      $0.metadata["dpop_signing_alg_values_supported"] = ["RS256"]
    },
    pushed("a refusal", 1, "invalid_request", .json(#"{"error":"invalid_request"}"#, status: 400)),
    pushed("an unknown client", 1, "invalid_client", .json(#"{"error":"invalid_client"}"#, status: 401)),
    pushed("no name", 5, "bad_provider_response", .json(#"{"expires_in":60}"#, status: 201)),
    pushed("a page", 5, "bad_provider_response", .html("<h1>404")),
    pushed("a broken server", 5, "bad_provider_response", .json("{}", status: 500)),
    pushed("a redirect", 5, "bad_provider_response", .redirect("/elsewhere", status: 307)),
    pushed("no answer", 5, "network_error", .hangUp),
    Row("the name has expired", 1, "invalid_request_uri", [2, 1, 0]) {
      $0.callback["code"] = nil
      $0.callback["error"] = "invalid_request_uri"
    },
    Row("a callback of nobody", 6, "issuer_mismatch", [2, 1, 0]) { $0.callback["iss"] = nil },
    Row("a callback of another server", 6, "issuer_mismatch", [2, 1, 0]) {
      $0.callback["iss"] = "https://evil.example"
    },
  ]

  static func arguments(at server: StandInServer) -> [String] {
    [
      "login", "--issuer", server.base, "--client-id", "https://app.example/client.json", "--redirect-uri",
      "https://app.example/done", "--headless-test",
    ]
  }

  private func login(_ provider: BoundProvider, _ more: String...) throws -> Program.Outcome {
    try Program.run(Self.arguments(at: provider.server) + more)
  }

  @Test("What comes of it is told, and nothing is asked more often than it helps", arguments: rows)
  func row(_ row: Row) async throws {
    try await onThread {
      let provider = try BoundProvider(row.change)
      let outcome = try login(provider, "--dpop", "--scope", "atproto")
      #expect(outcome.status == row.status, "\(outcome.output)\(outcome.messages)")
      #expect(outcome["error"] as? String == row.error)
      #expect(["/par", "/auth", "/token"].map(provider.server.hits) == row.hits)
      #expect(provider.server.hits("/elsewhere") == 0)
      guard row.status == 0 else { return }
      #expect(outcome["sub"] as? String == "did:plc:ann")
      #expect(
        Set((outcome["dpop_jwk"] as? [String: String] ?? [:]).keys).isSuperset(of: ["kty", "x", "y", "d"]))
      let page = try #require(provider.server.requests.first { $0.path == "/auth" })
      #expect(page.queryItems.map(\.name) == ["client_id", "request_uri"])
    }
  }

  @Test("Without --dpop the provider refuses the request, and no page is opened")
  func withoutProof() async throws {
    try await onThread {
      let provider = try BoundProvider()
      let outcome = try login(provider)
      #expect(outcome.status == 1, "\(outcome.output)")
      #expect(outcome["error"] as? String == "invalid_dpop_proof")
      #expect(["/par", "/auth"].map(provider.server.hits) == [1, 0])
    }
  }

  // RFC 9126 section 2.1.
  @Test("A second login pushes a request of its own, with a key of its own")
  func second() async throws {
    try await onThread {
      let provider = try BoundProvider()
      let outcomes = try (1...2).map { _ in try login(provider, "--dpop") }
      #expect(outcomes.allSatisfy { $0.status == 0 })
      let names = provider.server.requests.compactMap { $0.query["request_uri"] }
      #expect(names.count == 2 && names[0] != names[1])
      let keys = outcomes.compactMap { ($0["dpop_jwk"] as? [String: String])?["x"] }
      #expect(keys.count == 2 && keys[0] != keys[1])
    }
  }

  @Test(
    "Shapes that cannot hand the key over are refused before anything is asked",
    arguments: ["token", "header", "env"])
  func shapes(format: String) async throws {
    try await onThread {
      let provider = try BoundProvider()
      let outcome = try login(provider, "--dpop", "--output", format)
      #expect(outcome.status == 2, "\(outcome.messages)")
      #expect(outcome.output.isEmpty)
      #expect(provider.server.requests.isEmpty)
    }
  }

  @Test("The printed token is of use: who signed in is told, and it is renewed, with the same key")
  func use() async throws {
    try await onThread {
      let provider = try BoundProvider()
      let token = try login(provider, "--dpop").output
      let who = try userinfo(provider, token)
      #expect(who.status == 0, "\(who.output)")
      #expect(who["sub"] as? String == "did:plc:ann")
      #expect(provider.server.hits("/me") == 2, "once without the nonce of that server")
      let renewed = try Program.run(
        Self.arguments(at: provider.server) + ["--token-file", "-"], input: token)
      #expect(renewed.status == 0, "\(renewed.output)")
      #expect(renewed["access_token"] as? String == "T2")
      #expect(try userinfo(provider, renewed.output).status == 0)
      try Proofs.expectVerified(provider.server)
    }
  }

  @Test("A bound token without its key is not sent to anybody")
  func noKey() async throws {
    try await onThread {
      let provider = try BoundProvider()
      for key in ["", #","dpop_jwk":{"kty":"EC"}"#] {
        let outcome = try userinfo(provider, #"{"access_token":"T","token_type":"DPoP"\#(key)}"#)
        #expect(outcome.status == 2, "\(outcome.output)")
        #expect(outcome["error"] as? String == "invalid_configuration")
      }
      #expect(provider.server.hits("/me") == 0)
    }
  }

  private func userinfo(_ provider: BoundProvider, _ token: String) throws -> Program.Outcome {
    try Program.run(
      ["userinfo", "--issuer", provider.server.base, "--client-id", "c", "--token-file", "-"], input: token)
  }

  @Test("An account keeps the key, and renews and signs in again where tokens are bound")
  func account() async throws {
    try await onThread {
      let folder = FileManager.default.temporaryDirectory.appending(path: "bound-\(UUID().uuidString)").path()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let store = ["TOKENTRY_STORE": "file:\(folder)"]
      let provider = try BoundProvider(life: 30)  // less than --min-valid demands
      let arguments = Self.arguments(at: provider.server) + ["--dpop", "--account", "sky"]
      let first = try Program.run(arguments, environment: store)
      #expect(first.status == 0, "\(first.output)\(first.messages)")
      let token = try Program.run(["token", "--account", "sky", "--silent"], environment: store)
      #expect(token.status == 0, "\(token.output)\(token.messages)")
      #expect(token["access_token"] as? String == "T2")
      #expect(token["dpop_jwk"] as? [String: String] == first["dpop_jwk"] as? [String: String])
      let listed = try Program.run(["accounts"], environment: store)
      #expect(listed.output.contains("sky") && !listed.output.contains("dpop_jwk"))
      try Proofs.expectVerified(provider.server)
    }
  }

  // RFC 9126 section 2: authenticated as at the token endpoint.
  @Test("A confidential client proves itself where it pushes, and an endpoint that is named is used")
  func confidential() async throws {
    try await onThread {
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
      let arguments = [
        "--authorization-endpoint", server.base + "/auth", "--token-endpoint", server.base + "/token",
        "--pushed-authorization-request-endpoint", server.base + "/par", "--client-id", "me",
        "--redirect-uri",
        "https://app.example/done", "--state", "S", "--headless-test",
      ]
      let secret = ["TOKENTRY_CLIENT_SECRET": "s"]
      let outcome = try Program.run(["login"] + arguments, environment: secret)
      #expect(outcome.status == 0, "\(outcome.output)")
      let pushed = try #require(server.requests.first)
      #expect(pushed.form["client_id"] == "me" && pushed.form["client_secret"] == nil)
      #expect(
        server.requests.first { $0.path == "/auth" }?.target == "/auth?client_id=me&request_uri=urn%3Ax%3A1")
      let explained = try Program.run(["explain", "--dpop"] + arguments, environment: secret)
      #expect(explained["pushed"] as? Bool == true)
      #expect(explained["url"] == nil, "its name is not known yet")
      let parameters = try #require(explained["parameters"] as? [String: String])
      #expect(parameters["redirect_uri"] == "https://app.example/done")
      #expect(parameters["dpop_jkt"]?.count == 43)
    }
  }
}
