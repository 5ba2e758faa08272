import Synchronization
import Testing

@testable import LoginCore

@Suite("RefreshSession")
struct RefreshSessionTests {
  private typealias Sample = SampleIDToken

  private func login(_ change: (inout Provider) throws -> Void = { _ in }) throws -> LoginRequest {
    var provider = try Samples.code()
    provider.endpoints[.token] = try Endpoint("https://as.test/token")
    try change(&provider)
    return try Samples.login(provider)
  }

  private func session(_ transport: any HTTPTransport) throws -> RefreshSession {
    RefreshSession(
      Dependencies(
        transport: transport, cryptography: FakeCryptography(),
        clock: FakeClock(date: try Sample.date(), record: Record())))
  }

  private func server(_ answer: String, status: Int = 200) -> FakeTransport {
    FakeTransport([
      "https://as.test/token": .json(answer, status: status), "https://as.test/jwks": Sample.keySet,
    ])
  }

  private func token(
    _ answer: String, status: Int = 200, claims: JSONObject? = nil,
    _ change: (inout Provider) throws -> Void = { _ in }
  ) async throws -> Token {
    try await session(server(answer, status: status))
      .token(for: RefreshToken("R1"), of: login(change), claims: claims)
  }

  /// Refreshes a token of a login with these claims. The answer has this id_token, and the provider has keys.
  private func identified(
    _ idToken: JSONObject, claims: JSONObject?, maxAge: String? = nil
  ) async throws -> Token {
    let answer: JSONObject = [
      "access_token": "T", "token_type": "Bearer", "id_token": .string(try Sample.text(idToken.text)),
    ]
    return try await token(answer.text, claims: claims) { provider in
      provider.issuer = try Issuer(Sample.issuer)
      provider.endpoints[.keySet] = try Endpoint("https://as.test/jwks")
      provider.authorizationParameters = maxAge.map { [Parameter("max_age", $0)] } ?? []
    }
  }

  // RFC 6749 section 6.
  @Test("A new refresh token replaces the old one; without a new one, the old one stays")
  func rotation() async throws {
    let rotated = try await token(#"{"access_token":"T","token_type":"Bearer","refresh_token":"R2"}"#)
    #expect(rotated.allMembers["refresh_token"] == "R2")
    let kept = try await token(#"{"access_token":"T","token_type":"Bearer","refresh_token":""}"#)
    #expect(kept.allMembers["refresh_token"] == "R1")
  }

  /// Refreshes a token of this type. Also returns the refresh token that was rescued.
  private func rescued(_ answer: String, type: String?) async throws -> (Token?, RefreshToken?) {
    let rescued = Mutex<RefreshToken?>(nil)
    let token = try? await session(server(answer)).token(
      for: RefreshToken("R1"), of: login(), claims: nil, type: type,
      rescue: { new in rescued.withLock { $0 = new } })
    return (token, rescued.withLock { $0 })
  }

  @Test("The token keeps its type if the answer does not name one")
  func type() async throws {
    let (token, _) = try await rescued(#"{"access_token":"T","refresh_token":"R2"}"#, type: "bearer")
    #expect(token?.type == "bearer" && token?.refreshToken == RefreshToken("R2"))
  }

  @Test("A new refresh token in an otherwise unusable answer is rescued")
  func rescue() async throws {
    for answer in [
      #"{"access_token":"T","refresh_token":"R2"}"#, #"{"token_type":"Bearer","refresh_token":"R2"}"#,
    ] {
      let (token, new) = try await rescued(answer, type: nil)
      #expect(token == nil && new == RefreshToken("R2"))
    }
    #expect(try await rescued(#"{"access_token":"T","refresh_token":"R1"}"#, type: nil).1 == nil)
  }

  @Test("Of an answer with a refused id_token, the refresh token is kept, and nothing else")
  func refusedIdentity() async throws {
    let answer: JSONObject = [
      "access_token": "T", "token_type": "Bearer", "refresh_token": "R2",
      "id_token": .string(try Sample.text(Sample.claims("sub", "other").text)),
    ]
    let rescued = Mutex<RefreshToken?>(nil)
    let kept = Mutex<Token?>(nil)
    await #expect(throws: Failure.self) {
      try await session(server(answer.text)).token(
        for: RefreshToken("R1"),
        of: login { provider in
          provider.issuer = try Issuer(Sample.issuer)
          provider.endpoints[.keySet] = try Endpoint("https://as.test/jwks")
        }, claims: Sample.claims, rescue: { new in rescued.withLock { $0 = new } },
        keep: { token in kept.withLock { $0 = token } })
    }
    #expect(rescued.withLock { $0 } == RefreshToken("R2"))
    #expect(kept.withLock { $0 } == nil)
  }

  @Test("A failure says for how long the server wants no other request")
  func delay() async throws {
    let answer = HTTPResponse(status: 503, headers: [Parameter("Retry-After", "90")])
    let transport = FakeTransport(["https://as.test/token": answer])
    do {
      _ = try await session(transport).token(for: RefreshToken("R1"), of: login())
      Issue.record("a token")
    } catch {
      #expect((error as? Failure)?.details == ["retry_after": 90])
    }
  }

  // OpenID Connect Core section 12.2.
  @Test("An id_token is verified, and the token has its claims")
  func identified() async throws {
    let token = try await identified(Sample.claims, claims: Sample.claims)
    #expect(token.claims == Sample.claims)
    #expect(token.checks.json.text == #"{"id_token":"verified","nonce":"verified"}"#)
    let without = try await identified(Sample.claims("nonce", nil), claims: Sample.claims)
    #expect(without.checks.json.text == #"{"id_token":"verified"}"#)
  }

  // Some servers send the time of the user's last login, even if it was another client's.
  @Test("Another time of the sign-in is passed on and not claimed, but refused if the request limits it")
  func lastLogin() async throws {
    let (before, now) = (Sample.claims("auth_time", 1), Sample.claims("auth_time", 2))
    let token = try await identified(now, claims: before)
    #expect(token.claims?["auth_time"] == 2)
    #expect(token.checks.json.text == #"{"id_token":"verified","nonce":"verified"}"#)
    await #expect(
      throws: Failure.invalidIDToken("its auth_time differs from that of the original login")
    ) { try await identified(now, claims: before, maxAge: "60") }
  }

  @Test(
    "An id_token of another login is refused",
    arguments: [("sub", "somebody else"), ("aud", ["client", "client"]), ("nonce", "other")]
      as [(String, JSONValue)])
  func otherLogin(name: String, value: JSONValue) async throws {
    var original = Sample.claims
    original["aud"] = name == "aud" ? ["client", "other"] : "client"
    let failure: Failure =
      name == "nonce"
      ? .nonceMismatch
      : .invalidIDToken("its \(name) differs from that of the original login")
    await #expect(throws: failure) {
      try await identified(Sample.claims(name, value), claims: original)
    }
  }

  @Test("Without the claims of the login, an id_token is only compared with the provider and the client")
  func unknownLogin() async throws {
    let token = try await identified(Sample.claims, claims: nil)
    #expect(token.checks.json.text == #"{"id_token":"verified"}"#)
    await #expect(throws: Failure.invalidIDToken("it comes from another provider")) {
      try await identified(Sample.claims("iss", "https://evil.test"), claims: nil)
    }
  }

  @Test("An id_token that cannot be verified is dropped, unless the preset says that it is opaque")
  func unverified() async throws {
    let answer = #"{"access_token":"T","token_type":"Bearer","id_token":"I.I.I"}"#
    #expect(try await token(answer).allMembers["id_token"] == nil)
    let opaque = try await token(answer) { $0.hasOpaqueIDToken = true }
    #expect(opaque.allMembers["id_token"] == "I.I.I")
    #expect(!opaque.checks.idToken)
  }

  // RFC 9449 section 5: a refresh token of a public client is bound to the key of its login.
  @Test(
    "A bound token is refreshed with its own key, and a token that becomes bound gets a new key",
    arguments: [(["kty": "old", "d": "private"], false, "old"), (nil, true, "new")]
      as [(JSONObject?, Bool, String)])
  func bound(key: JSONObject?, binds: Bool, kind: String) async throws {
    let transport = server(#"{"access_token":"T","token_type":"DPoP"}"#)
    let token = try await session(transport).token(
      for: RefreshToken("R1"), of: login { $0.bindsTokens = binds }, boundTo: key)
    #expect(token.proofKey == ["kty": .string(kind), "d": "private"])
    #expect(transport.sent.first?.values(of: "DPoP").count == 1)
  }

  @Test("A malformed key is refused before the refresh token is sent")
  func malformedKey() async throws {
    let transport = FakeTransport()
    let failure = Failure(.invalidConfiguration, "dpop_jwk is not a private key on the curve P-256")
    await #expect(throws: failure) {
      try await session(transport).token(for: RefreshToken("R1"), of: login(), boundTo: ["kty": "EC"])
    }
    #expect(transport.sent.isEmpty)
  }

  @Test("The answer may repeat the state of the request, but not another state")
  func echo() async throws {
    func token(_ state: String) async throws -> Token {
      try await self.token(#"{"access_token":"T","token_type":"Bearer"\#(state)}"#) {
        $0.echoesTokenState = true
      }
    }
    #expect(try await token("").accessToken == AccessToken("T"))
    await #expect(throws: Failure.stateMismatch) { try await token(#","state":"other""#) }
  }

  @Test("The new refresh token is saved even if the task is cancelled while the provider answers")
  func abandoned() async throws {
    let transport = SlowTransport(
      answer: .json(#"{"access_token":"T","token_type":"Bearer","refresh_token":"R2"}"#))
    let (session, login) = (try session(transport), try login())
    let kept = Mutex<RefreshToken?>(nil)
    let task = Task {
      try await session.token(
        for: RefreshToken("R1"), of: login, claims: nil,
        keep: { token in kept.withLock { $0 = token.refreshToken } })
    }
    await transport.waitForRequest()
    task.cancel()
    transport.release()
    _ = await task.result
    #expect(kept.withLock { $0 } == RefreshToken("R2"))
  }

  @Test("A task that is already cancelled sends no request")
  func cancelledBefore() async throws {
    let transport = server(#"{"access_token":"T"}"#)
    let (session, login) = (try session(transport), try login())
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await session.token(for: RefreshToken("R1"), of: login)
    }
    await #expect(throws: Failure.cancelled) { try await task.value }
    #expect(transport.sent.isEmpty)
  }
}
