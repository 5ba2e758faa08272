import Testing

@testable import LoginCore

@Suite("AccessTokenCheck")
struct AccessTokenCheckTests {
  private static let keySet = "https://as.test/jwks"
  private static let now = SampleIDToken.now
  private static let claims: JSONObject = [
    "iss": "https://as.test", "sub": "ada", "aud": ["https://other.test", "https://api.test"],
    "client_id": "app", "scope": "read  write", "jti": "1", "exp": .number(JSONNumber(now + 600)),
    "iat": .number(JSONNumber(now)),
  ]

  private func check(
    _ text: String, _ transport: FakeTransport = FakeTransport([keySet: SampleIDToken.keySet])
  ) async throws -> TokenClaims {
    var provider = try Samples.code()
    provider.issuer = try Issuer("https://as.test")
    provider.endpoints[.keySet] = try Endpoint(Self.keySet)
    let clock = FakeClock(date: try SampleIDToken.date(), record: Record())
    let check = AccessTokenCheck(
      for: "https://api.test",
      Dependencies(transport: transport, cryptography: FakeCryptography(), clock: clock))
    return try await check.claims(of: text, from: provider)
  }

  private static func text(
    _ claims: JSONObject = claims, type: JSONValue? = "at+jwt", key: JSONValue? = "k",
    algorithm: SignatureAlgorithm = .rs256
  ) throws -> String {
    try SampleIDToken.text(claims.text, header: ["typ": type, "kid": key], algorithm: algorithm)
  }

  @Test("The claims of a good token can be read", arguments: ["at+jwt", "application/AT+JWT"])
  func good(type: String) async throws {
    let claims = try await check(Self.text(type: .string(type)))
    #expect(claims.subject == "ada" && claims.clientID == "app" && claims.scopes == ["read", "write"])
    #expect(claims.expiresAt == (try SampleIDToken.date(600)) && "\(claims)" == "[redacted]")
  }

  // RFC 9068 section 4.
  @Test(
    "A claim that is wrong refuses the token",
    arguments: [
      ("iss", "https://as.test/", "it comes from another provider"),
      ("aud", "https://other.test", "it is not meant for this API"),
      ("aud", [], "its aud is malformed"), ("aud", nil, "it lacks aud"),
      ("exp", .number(JSONNumber(now - 60)), "it has expired"), ("exp", "soon", "its exp is malformed"),
      ("iat", .number(JSONNumber(now + 61)), "it was issued in the future; is the clock right?"),
      ("nbf", .number(JSONNumber(now + 61)), "it is not valid yet"), ("sub", "", "its sub is malformed"),
      ("sub", nil, "it lacks sub"), ("client_id", nil, "it lacks client_id"), ("jti", nil, "it lacks jti"),
      ("cnf", ["jkt": "x"], "it is bound to a key, whose proof is not checked"),
    ] as [(String, JSONValue?, String)])
  func claim(name: String, value: JSONValue?, reason: String) async throws {
    var claims = Self.claims
    claims[name] = value
    let text = try Self.text(claims)
    let failure = await #expect(throws: Failure.self) { try await check(text) }
    #expect(failure?.code == .invalidAccessToken)
    #expect(failure?.message.description == "the access token cannot be accepted: \(reason)")
  }

  @Test("Another type of token, an unsigned one, one with a shared secret and a forged one are refused")
  func header() async throws {
    let unsigned = Base64.encodeURLSafe(#"{"alg":"none","typ":"at+jwt"}"#.utf8)
    let good = try Self.text()
    let texts = try [
      Self.text(type: nil), Self.text(type: "JWT"), Self.text(algorithm: .hs256),
      "\(unsigned).\(Base64.encodeURLSafe(Self.claims.text.utf8)).",
      good.dropLast(8) + "AAAAAAAA", "opaque", "",
    ]
    for text in texts {
      let failure = await #expect(throws: Failure.self) { try await check(text) }
      #expect(failure?.code == .invalidAccessToken, "\(text)")
    }
  }

  @Test("For a key that the provider does not publish, its keys are read once more")
  func unknownKey() async throws {
    let transport = FakeTransport([Self.keySet: SampleIDToken.keySet])
    await #expect(throws: Failure.invalidAccessToken(JWKSet.unknownKey)) {
      try await check(Self.text(key: "new"), transport)
    }
    #expect(transport.sent.count == 2)
  }
}
