import Foundation
import Testing

@testable import LoginCore

/// Logins that one process begins and another one finishes.
@Suite("PendingLogin")
struct PendingLoginTests {
  private static let token = "https://as.test/token"
  private static let callback = "/cb?code=C&iss=https%3A%2F%2Fas.test&state=S-_.~%201"

  private func login(_ change: (inout LoginRequest) throws -> Void = { _ in }) throws -> LoginRequest {
    var provider = try Samples.code()
    provider.issuer = try Issuer("https://as.test")
    provider.sendsIssuer = true
    provider.endpoints[.token] = try Endpoint(Self.token)
    provider.endpoints[.keySet] = try Endpoint("https://as.test/jwks")
    var login = try Samples.login(provider)
    login.scope = "notes"
    try change(&login)
    return login
  }

  /// Begins a login, and returns it as another process reads it.
  private func begun(
    _ login: LoginRequest, cryptography: FakeCryptography = .appendixB,
    through transport: FakeTransport = .init()
  ) async throws -> PendingLogin {
    let begun = try await PendingLogin(
      login, lifetime: 60, try Samples.dependencies(transport, cryptography))
    return try JSONDecoder().decode(PendingLogin.self, from: try JSONEncoder().encode(begun))
  }

  /// The client in the other process, which knows neither the values of the request nor what it asked for.
  private func other(_ change: (inout LoginRequest) throws -> Void = { _ in }) throws -> LoginRequest {
    try login { login in
      (login.fixed, login.scope) = (LoginRequest.FixedValues(), nil)
      try change(&login)
    }
  }

  private func finish(
    _ pending: PendingLogin, _ callback: String = callback, of client: LoginRequest? = nil,
    after seconds: Int64 = 59, through transport: FakeTransport = answering()
  ) async throws -> Token {
    let dependencies = try Samples.dependencies(transport, .appendixB, seconds: seconds)
    return try await pending.token(from: callback, of: client ?? other(), dependencies)
  }

  private static func answering(_ more: [String: HTTPResponse] = [:]) -> FakeTransport {
    let answer = HTTPResponse.json(#"{"access_token":"T","token_type":"Bearer"}"#)
    return FakeTransport([Self.token: answer].merging(more) { $1 })
  }

  @Test(
    "Another process finishes the login, at an address with or without its server",
    arguments: [callback, "https://app.test" + callback])
  func finished(callback: String) async throws {
    let pending = try await begun(login { $0.parameters = [Parameter("resource", "https://api.test/")] })
    #expect(pending.url.hasPrefix("https://as.test/authorize?response_type=code&client_id=client&"))
    #expect(pending.expiresAt == (try Samples.receivedAt().adding(seconds: 60)))
    let transport = Self.answering()
    let token = try await finish(pending, callback, through: transport)
    #expect(token.accessToken == AccessToken("T"))
    let checks = #"{"redirect":"exact","state":"verified","pkce":"S256","iss":"verified"}"#
    #expect(token.checks.json.text == checks)
    let form = try #require(transport.sent.first?.form)
    #expect(form.contains(Parameter("code_verifier", FakeCryptography.codeVerifier)))
    #expect(form.contains(Parameter("resource", "https://api.test/")))
  }

  @Test(
    "A callback that does not answer this login is refused before the code is sent anywhere",
    arguments: [
      ("/cb?code=C&iss=https%3A%2F%2Fas.test&state=another", .stateMismatch),
      ("/cb?code=C&iss=https%3A%2F%2Fas.test", .stateMissing),
      ("/cb?code=C&iss=https%3A%2F%2Fevil.test&state=S-_.~%201", .issuerMismatch),
      ("/cb?code=C&state=S-_.~%201", .issuerMismatch),
      ("/cb?error=access_denied&iss=https%3A%2F%2Fas.test&state=S-_.~%201", .accessDenied),
      ("/cb2?code=C&state=S-_.~%201", .malformedCallback), ("", .malformedCallback),
      ("//evil.test" + callback, .malformedCallback),
      ("https://evil.test" + callback, .malformedCallback),
    ] as [(String, Failure.Code)])
  func wrongCallback(callback: String, code: Failure.Code) async throws {
    let transport = Self.answering()
    let pending = try await begun(login())
    let failure = await #expect(throws: Failure.self) {
      try await finish(pending, callback, through: transport)
    }
    #expect(failure?.code == code, "\(callback)")
    #expect(transport.sent.isEmpty)
  }

  @Test("A login is finished neither after its time nor by another client")
  func tooLateOrForeign() async throws {
    let pending = try await begun(login())
    await #expect(throws: Failure.loginTooOld) { try await finish(pending, after: 60) }
    let foreign = [
      try other { $0.clientID = "another" },
      try other { $0.provider.issuer = try Issuer("https://evil.test") },
    ]
    for client in foreign {
      let transport = Self.answering()
      await #expect(throws: Failure.loginOfOtherClient) {
        try await finish(pending, of: client, through: transport)
      }
      #expect(transport.sent.isEmpty)
    }
  }

  @Test("Two logins cannot be swapped, even if one browser has both")
  func swapped() async throws {
    let random = try login { $0.fixed.state = nil }
    let cryptography = FakeCryptography.appendixB
    let first = try await begun(random, cryptography: cryptography)
    let second = try await begun(random, cryptography: cryptography)
    let state = try #require(first.url.split(separator: "state=").last?.prefix { $0 != "&" })
    let callback = "/cb?code=C&iss=https%3A%2F%2Fas.test&state=\(state)"
    await #expect(throws: Failure.stateMismatch) { try await finish(second, callback) }
    #expect(try await finish(first, callback).accessToken == AccessToken("T"))
  }

  // OpenID Connect Core section 3.1.3.7: the other process must not forget that an id_token was asked for.
  @Test(
    "The id_token needs the nonce with which the login began", arguments: [SampleIDToken.nonce, "another"])
  func nonce(nonce: String) async throws {
    let pending = try await begun(
      login {
        $0.scope = "openid"
        $0.fixed.nonce = Nonce(nonce)
      })
    let now = try Samples.receivedAt().secondsSince1970
    var claims = SampleIDToken.claims
    (claims["iat"], claims["exp"]) = (.number(JSONNumber(now)), .number(JSONNumber(now + 600)))
    let text = try SampleIDToken.text(claims.text)
    let answer = #"{"access_token":"T","token_type":"Bearer","id_token":"\#(text)"}"#
    let transport = Self.answering([Self.token: .json(answer), "https://as.test/jwks": SampleIDToken.keySet])
    if nonce == SampleIDToken.nonce {
      #expect(try await finish(pending, through: transport).claims?["sub"] == "24400320")
      await #expect(throws: Failure.missingToken(["id_token"])) { try await finish(pending) }
    } else {
      await #expect(throws: Failure.nonceMismatch) { try await finish(pending, through: transport) }
    }
  }

  @Test("The token is bound to the key with which the login began")
  func proofKey() async throws {
    let client = try other { $0.provider.bindsTokens = true }
    let pending = try await begun(login { $0.provider.bindsTokens = true })
    let answer = HTTPResponse.json(#"{"access_token":"T","token_type":"DPoP"}"#)
    let token = try await finish(pending, of: client, through: Self.answering([Self.token: answer]))
    #expect(token.proofKey?["kty"] == "new")
  }

  @Test("A request that the provider wants pushed is sent when the login begins")
  func pushed() async throws {
    let login = try login {
      $0.provider.pushesRequests = true
      $0.provider.endpoints[.pushedAuthorizationRequest] = try Endpoint("https://as.test/par")
    }
    let pushed = HTTPResponse.json(#"{"request_uri":"urn:x"}"#, status: 201)
    let pending = try await begun(login, through: FakeTransport(["https://as.test/par": pushed]))
    #expect(pending.url == "https://as.test/authorize?client_id=client&request_uri=urn%3Ax")
    #expect(try await finish(pending).accessToken == AccessToken("T"))
  }

  @Test("A login whose answer a server cannot see or bind to a browser is not begun")
  func unusable() async throws {
    let changes: [@Sendable (inout LoginRequest) -> Void] = [
      { $0.responseType = .token }, { $0.responseMode = .fragment }, { $0.omitsState = true },
      { $0.grant = .device },
    ]
    for change in changes {
      let failure = await #expect(throws: Failure.self) { try await begun(login(change)) }
      #expect(failure?.code == .invalidConfiguration)
    }
  }

  @Test("It prints no secret, and only its own document is read")
  func document() async throws {
    let pending = try await begun(login())
    #expect("\(pending)" == "[redacted]" && String(reflecting: pending) == "[redacted]")
    var printed = ""
    dump(pending, to: &printed)
    #expect(!printed.contains(Samples.state))
    let changes: [(String, JSONValue?)] = [
      ("state", nil), ("version", 2), ("version", nil), ("more", 1), ("redirect_uri", "https://app.test/#x"),
    ]
    for (name, value) in changes {
      var json = pending.json
      json[name] = value
      let document = try JSONEncoder().encode(json.text)
      #expect(throws: DecodingError.self, "\(name)") {
        try JSONDecoder().decode(PendingLogin.self, from: document)
      }
    }
  }
}
