import Testing

@testable import LoginCore

@Suite("IDTokenCheck")
struct IDTokenCheckTests {
  private static let keySet = "https://as.test/jwks"

  private func verified(_ text: String, _ transport: FakeTransport) async throws -> IDToken {
    var provider = try Samples.code()
    provider.issuer = try Issuer(SampleIDToken.issuer)
    provider.endpoints[.keySet] = try Endpoint(Self.keySet)
    provider.idTokenAlgorithms = ["RS256", "HS256"]
    var login = try Samples.login(provider)
    login.clientSecret = ClientSecret(String(repeating: "s", count: 32))
    let check = IDTokenCheck(of: login, try Samples.dependencies(transport))
    let binding = IDTokenBinding(channel: .back, nonce: Nonce(SampleIDToken.nonce))
    return try await #require(check).verified(text, binding, at: SampleIDToken.date())
  }

  // OpenID Connect Core section 10.1: a provider that signs with client secrets need not publish keys.
  @Test("If the client secret is the key, the provider's keys are not read")
  func secret() async throws {
    let transport = FakeTransport([Self.keySet: HTTPResponse.json("{}", status: 403)])
    let text = try SampleIDToken.text(SampleIDToken.claims.text, algorithm: .hs256)
    #expect(try await verified(text, transport).subject == "24400320")
    #expect(transport.sent.isEmpty)
  }

  @Test("A key set that lacks the key is read again once, and an unreadable one ends the login")
  func keys() async throws {
    let text = try SampleIDToken.text(SampleIDToken.claims.text)
    let closed = FakeTransport([Self.keySet: HTTPResponse.json("{}", status: 403)])
    await #expect(throws: Failure.status(403, from: .keySet)) {
      try await verified(text, closed)
    }
    #expect(closed.sent.count == 1)
    let empty = FakeTransport([Self.keySet: HTTPResponse.json(#"{"keys":[]}"#)])
    await #expect(throws: Failure.invalidIDToken(JWKSet.unknownKey)) {
      try await verified(text, empty)
    }
    #expect(empty.sent.count == 2)
  }
  @Test("An id_token that is shown again may have expired, and is refused if it is not this client's")
  func hint() async throws {
    var provider = try Samples.code()
    provider.issuer = try Issuer(SampleIDToken.issuer)
    provider.endpoints[.keySet] = try Endpoint(Self.keySet)
    let login = try Samples.login(provider)
    let clock = FakeClock(date: try SampleIDToken.date(86_400), record: Record())
    let dependencies = Dependencies(
      transport: FakeTransport([Self.keySet: SampleIDToken.keySet]), cryptography: FakeCryptography(),
      clock: clock)
    let text = try SampleIDToken.text(SampleIDToken.claims.text)
    #expect(try await login.claims(ofHint: text, dependencies).subject == "24400320")
    for (name, value) in [("aud", "another"), ("iss", "https://evil.test"), ("exp", "soon")] {
      let text = try SampleIDToken.text(SampleIDToken.claims(name, .string(value)).text)
      let failure = await #expect(throws: Failure.self) {
        try await login.claims(ofHint: text, dependencies)
      }
      #expect(failure?.code == .invalidIDToken)
    }
    await #expect(throws: Failure.invalidIDToken("its signature is wrong")) {
      try await login.claims(ofHint: text.dropLast(8) + "AAAAAAAA", dependencies)
    }
  }
}
