import Synchronization
import Testing

@testable import LoginCore

/// A token renewed without the user.
@Suite("RefreshSession")
struct RefreshSessionTests {
  private typealias Sample = SampleIDToken

  private func token(
    _ answer: String, status: Int = 200, claims: JSONObject? = nil,
    _ change: (inout Provider) throws -> Void = { _ in }
  ) async throws -> Token {
    var provider = try Samples.code()
    provider.endpoints[.token] = try Endpoint("https://as.test/token")
    try change(&provider)
    let transport = FakeTransport([
      "https://as.test/token": .json(answer, status: status),
      "https://as.test/jwks": .json(#"{"keys":[\#(FakeSigningKey.rsa(["kid": "k"]).text)]}"#),
    ])
    let clock = FakeClock(date: try Sample.date(), record: transport.record)
    return try await RefreshSession(
      Dependencies(transport: transport, cryptography: FakeCryptography(), clock: clock)
    )
    .token(for: RefreshToken("R1"), of: Samples.login(provider), claims: claims)
  }

  /// An answer with an id_token of a provider whose keys are known.
  private func identified(_ idToken: JSONObject, claims: JSONObject?) async throws -> Token {
    let answer: JSONObject = [
      "access_token": "T", "token_type": "Bearer", "id_token": .string(try Sample.text(idToken.text)),
    ]
    return try await token(answer.text, claims: claims) { provider in
      provider.issuer = try Issuer(Sample.issuer)
      provider.endpoints[.keySet] = try Endpoint("https://as.test/jwks")
    }
  }

  // RFC 6749 section 6: a new refresh token takes the place of the old one.
  @Test("a new refresh token replaces the old one, and without one the old one stays")
  func rotation() async throws {
    let rotated = try await token(#"{"access_token":"T","token_type":"Bearer","refresh_token":"R2"}"#)
    #expect(rotated.members["refresh_token"] == "R2")
    let kept = try await token(#"{"access_token":"T","token_type":"Bearer","refresh_token":""}"#)
    #expect(kept.members["refresh_token"] == "R1")
  }

  @Test("a type that is not repeated stays, and a new refresh token outlives an answer that is of no use")
  func unusable() async throws {
    var provider = try Samples.code()
    provider.endpoints[.token] = try Endpoint("https://as.test/token")
    let login = try Samples.login(provider)
    let clock = FakeClock(date: try Sample.date(), record: Record())
    func renewed(_ answer: String, type: String?) async throws -> (Token?, RefreshToken?) {
      let transport = FakeTransport(["https://as.test/token": .json(answer)])
      let session = RefreshSession(
        Dependencies(transport: transport, cryptography: FakeCryptography(), clock: clock))
      let rescued = Mutex<RefreshToken?>(nil)
      let token = try? await session.token(
        for: RefreshToken("R1"), of: login, type: type,
        rescue: { new in rescued.withLock { $0 = new } })
      return (token, rescued.withLock { $0 })
    }
    let answer = #"{"access_token":"T","refresh_token":"R2"}"#
    let untyped = try await renewed(answer, type: "bearer")
    #expect(untyped.0?.type == "bearer" && untyped.0?.refreshToken == RefreshToken("R2"))
    for answer in [answer, #"{"token_type":"Bearer","refresh_token":"R2"}"#] {
      let lost = try await renewed(answer, type: nil)
      #expect(lost.0 == nil && lost.1 == RefreshToken("R2"))
    }
    #expect(try await renewed(#"{"access_token":"T","refresh_token":"R1"}"#, type: nil).1 == nil)
  }

  @Test("a refresh token that is dead is the provider's refusal")
  func dead() async throws {
    await #expect(throws: Failure.provider(ProviderError(code: "invalid_grant"))) {
      try await token(#"{"error":"invalid_grant"}"#, status: 400)
    }
  }

  @Test("a client that has sent no secret is told so where it is refused")
  func noSecret() async throws {
    await #expect(throws: Failure.provider(ProviderError(code: "invalid_client", remark: .noSecret))) {
      try await token(#"{"error":"invalid_client"}"#, status: 401)
    }
  }

  // OpenID Connect Core section 12.2.
  @Test("an id_token that comes along is verified, and its claims are those of the token")
  func identified() async throws {
    let token = try await identified(Sample.claims, claims: Sample.claims)
    #expect(token.claims == Sample.claims)
    #expect(token.checks.json.text == #"{"id_token":"verified","nonce":"verified"}"#)
    let without = try await identified(Sample.claims("nonce", nil), claims: Sample.claims)
    #expect(without.checks.json.text == #"{"id_token":"verified"}"#)
  }

  @Test(
    "one of another login is refused",
    arguments: [("sub", "somebody else"), ("aud", ["client", "client"]), ("nonce", "other")]
      as [(String, JSONValue)])
  func otherLogin(name: String, value: JSONValue) async throws {
    var original = Sample.claims
    original["aud"] = name == "aud" ? ["client", "other"] : "client"
    let failure: Failure =
      name == "nonce" ? .untrusted(.nonceMismatch) : .invalidIDToken(.otherLogin(name))
    await #expect(throws: failure) {
      try await identified(Sample.claims(name, value), claims: original)
    }
  }

  @Test(
    "where nobody has kept the claims of the login, signature, issuer, audience and time are all there is")
  func unknownLogin() async throws {
    let token = try await identified(Sample.claims, claims: nil)
    #expect(token.checks.json.text == #"{"id_token":"verified"}"#)
    await #expect(throws: Failure.invalidIDToken(.issuer)) {
      try await identified(Sample.claims("iss", "https://evil.test"), claims: nil)
    }
  }

  @Test("one that nobody can verify is not passed on, unless the preset says so")
  func unverified() async throws {
    let answer = #"{"access_token":"T","token_type":"Bearer","id_token":"I.I.I"}"#
    #expect(try await token(answer).members["id_token"] == nil)
    let opaque = try await token(answer) { $0.hasOpaqueIDToken = true }
    #expect(opaque.members["id_token"] == "I.I.I")
    #expect(!opaque.checks.idToken)
  }

  // RFC 9449 section 5: a refresh token of a public client is bound to the key of its login.
  @Test(
    "a bound token is renewed with its own key, and one that is to be bound from now on with a new one",
    arguments: [(["kty": "old", "d": "private"], false, "old"), (nil, true, "new")]
      as [(JSONObject?, Bool, String)])
  func bound(key: JSONObject?, binds: Bool, kind: String) async throws {
    var provider = try Samples.code()
    provider.endpoints[.token] = try Endpoint("https://as.test/token")
    provider.bindsTokens = binds
    let transport = FakeTransport([
      "https://as.test/token": .json(#"{"access_token":"T","token_type":"DPoP"}"#)
    ])
    let clock = FakeClock(date: try Sample.date(), record: transport.record)
    let session = RefreshSession(
      Dependencies(transport: transport, cryptography: FakeCryptography(), clock: clock))
    let token = try await session.token(
      for: RefreshToken("R1"), of: Samples.login(provider), boundTo: key)
    #expect(token.proofKey == ["kty": .string(kind), "d": "private"])
    #expect(transport.sent.first?.values(of: "DPoP").count == 1)
  }

  @Test("a key that is none is refused before anything is sent, since a refresh token is good for one use")
  func brokenKey() async throws {
    var provider = try Samples.code()
    provider.endpoints[.token] = try Endpoint("https://as.test/token")
    let login = try Samples.login(provider)
    let transport = FakeTransport()
    let clock = FakeClock(date: try Sample.date(), record: transport.record)
    let session = RefreshSession(
      Dependencies(transport: transport, cryptography: FakeCryptography(), clock: clock))
    await #expect(throws: Failure.caller(.malformedProofKey)) {
      try await session.token(for: RefreshToken("R1"), of: login, boundTo: ["kty": "EC"])
    }
    #expect(transport.sent.isEmpty)
  }

  @Test("where the state comes back it is this one, and it may be missing")
  func echo() async throws {
    func token(_ state: String) async throws -> Token {
      try await self.token(#"{"access_token":"T","token_type":"Bearer"\#(state)}"#) {
        $0.echoesTokenState = true
      }
    }
    #expect(try await token("").accessToken == AccessToken("T"))
    await #expect(throws: Failure.untrusted(.stateMismatch)) { try await token(#","state":"other""#) }
  }

  @Test("who leaves while the provider answers does not take the new refresh token along")
  func abandoned() async throws {
    var provider = try Samples.code()
    provider.endpoints[.token] = try Endpoint("https://as.test/token")
    let transport = SlowTransport(
      answer: .json(#"{"access_token":"T","token_type":"Bearer","refresh_token":"R2"}"#))
    let clock = FakeClock(date: try Sample.date(), record: Record())
    let dependencies = Dependencies(transport: transport, cryptography: FakeCryptography(), clock: clock)
    let (session, login) = (RefreshSession(dependencies), try Samples.login(provider))
    let kept = Mutex<RefreshToken?>(nil)
    let task = Task {
      try await session.token(for: RefreshToken("R1"), of: login) { token in
        kept.withLock { $0 = token.refreshToken }
      }
    }
    await transport.wasAsked()
    task.cancel()
    transport.goesOn()
    _ = await task.result
    #expect(kept.withLock { $0 } == RefreshToken("R2"))
  }

  @Test("who has left before anything was asked for asks for nothing")
  func leftBefore() async throws {
    var provider = try Samples.code()
    provider.endpoints[.token] = try Endpoint("https://as.test/token")
    let transport = FakeTransport(["https://as.test/token": .json(#"{"access_token":"T"}"#)])
    let clock = FakeClock(date: try Sample.date(), record: transport.record)
    let session = RefreshSession(
      Dependencies(transport: transport, cryptography: FakeCryptography(), clock: clock))
    let login = try Samples.login(provider)
    let task = Task { () -> Failure? in
      withUnsafeCurrentTask { $0?.cancel() }
      do throws(Failure) { _ = try await session.token(for: RefreshToken("R1"), of: login) } catch {
        return error
      }
      return nil
    }
    #expect(await task.value == .user(.cancelled(.task)))
    #expect(transport.sent.isEmpty)
  }
}
