import Testing

@testable import LoginCore

@Suite("IDTokenVerifier, signatures")
struct IDTokenVerifierTests {
  private func verify(
    _ text: String, by verifier: IDTokenVerifier? = nil, keys: JWKSet? = nil
  ) throws -> IDToken {
    try (verifier ?? SampleIDToken.verifier()).verify(
      text, keys: keys ?? SampleIDToken.keys(),
      binding: IDTokenBinding(channel: .back, nonce: Nonce(SampleIDToken.nonce)), at: SampleIDToken.date())
  }

  @Test("A token with a right signature and right claims is believed")
  func believed() throws {
    let text = try SampleIDToken.text(SampleIDToken.claims.text)
    let token = try verify(text)
    #expect(token.subject == "24400320")
    #expect(token.text == text)
    #expect(token.claims == SampleIDToken.claims)
  }

  @Test("A signature that the key did not make is refused")
  func wrongSignature() throws {
    let text = try SampleIDToken.text(SampleIDToken.claims.text)
    let other = try SampleIDToken.text(SampleIDToken.claims("sub", "1").text)
    let mixed = other.parts(at: ".").dropLast().joined(separator: ".") + "." + text.parts(at: ".")[2]
    expectInvalid("its signature is wrong") { _ = try verify(mixed) }
    let empty = text.parts(at: ".").dropLast().joined(separator: ".") + "."
    expectInvalid("its signature is wrong") { _ = try verify(empty) }
  }

  @Test("The signature is checked before the claims")
  func order() throws {
    let text = try SampleIDToken.text("{}").parts(at: ".").dropLast().joined(separator: ".") + ".AAAA"
    expectInvalid("its signature is wrong") { _ = try verify(text) }
  }

  @Test("A text that is not a JWS is refused with the reason")
  func malformed() throws {
    expectInvalid("it does not have three parts") { _ = try verify("a") }
    let none = "\(Base64.encodeURLSafe(#"{"alg":"none"}"#.utf8)).e30."
    expectInvalid("it is signed with \"none\"") { _ = try verify(none) }
  }

  @Test("An algorithm that was not agreed upon is refused")
  func algorithms() throws {
    let verifier = try SampleIDToken.verifier(algorithms: [.es256])
    let text = try SampleIDToken.text(SampleIDToken.claims.text)
    expectInvalid("it must not be signed with RS256") { _ = try verify(text, by: verifier) }
    expectInvalid("it must not be signed with RS256") { _ = try verifier.lacksKey(for: text, in: JWKSet()) }
  }

  @Test("A symmetric algorithm needs a secret of sufficient length")
  func symmetric() throws {
    let text = try SampleIDToken.text(SampleIDToken.claims.text, algorithm: .hs256)
    let names = SignatureAlgorithm.allowed(byProvider: ["RS256", "HS256"])
    let without = try SampleIDToken.verifier(algorithms: names)
    expectInvalid("it must not be signed with HS256") { _ = try verify(text, by: without) }
    let secret = String(repeating: "s", count: 32)
    let unasked = try SampleIDToken.verifier(secret: ClientSecret(secret))
    expectInvalid("it must not be signed with HS256") { _ = try verify(text, by: unasked) }
    let short = try SampleIDToken.verifier(
      secret: ClientSecret(String(secret.dropLast())), algorithms: names)
    expectInvalid("the client secret is too short for its algorithm") { _ = try verify(text, by: short) }
    let long = try SampleIDToken.verifier(secret: ClientSecret(secret), algorithms: names)
    #expect(try verify(text, by: long, keys: JWKSet()).subject == "24400320")
    #expect(try !long.lacksKey(for: text, in: JWKSet()))
  }

  @Test("A key that is newer than the set can be told from an unknown key")
  func rotation() throws {
    let verifier = try SampleIDToken.verifier()
    let text = try SampleIDToken.text(SampleIDToken.claims.text, header: ["kid": "new"])
    let old = try SampleIDToken.keys()
    #expect(try verifier.lacksKey(for: text, in: old))
    expectInvalid(JWKSet.unknownKey) { _ = try verify(text, keys: old) }
    let new = JWKSet(old.keys + [try #require(JWK(FakeSigningKey.rsa(["kid": "new"])))])
    #expect(try !verifier.lacksKey(for: text, in: new))
    #expect(try verify(text, keys: new).subject == "24400320")
  }

  @Test("An ambiguous key is not a reason to read the set again")
  func ambiguous() throws {
    let text = try SampleIDToken.text(SampleIDToken.claims.text, header: [:])
    let key = try #require(JWK(FakeSigningKey.rsa(["kid": "a"])))
    let other = try #require(JWK(FakeSigningKey.rsa(bits: 2_056, ["kid": "b"])))
    let two = JWKSet([key, other])
    #expect(try !SampleIDToken.verifier().lacksKey(for: text, in: two))
    expectInvalid("more than one of the provider's keys may have signed it") {
      _ = try verify(text, keys: two)
    }
    #expect(try verify(text, keys: JWKSet([key])).subject == "24400320")
  }

  @Test(
    "A token that names another type is refused",
    arguments: ["at+jwt", "application/at+jwt", "AT+JWT", "logout+jwt", "dpop+jwt"])
  func otherTypes(type: String) throws {
    let text = try SampleIDToken.text(SampleIDToken.claims.text, header: ["kid": "k", "typ": .string(type)])
    expectInvalid("it is a token of the type \"\(type)\"") { _ = try verify(text) }
  }

  @Test("The type of an ordinary token may be named", arguments: ["JWT", "jwt", "application/jwt"])
  func types(type: String) throws {
    let text = try SampleIDToken.text(SampleIDToken.claims.text, header: ["kid": "k", "typ": .string(type)])
    #expect(try verify(text).subject == "24400320")
  }

  @Test(
    "A payload that is not one JSON object is refused",
    arguments: [
      ("", "the document ends too early"), ("[]", "the document is not a JSON object"),
      (#"{"sub":"a","s\u0075b":"b"}"#, "the member \"sub\" appears twice"),
    ] as [(String, Message)])
  func payload(text: String, reason: Message) throws {
    let token = try SampleIDToken.text(text)
    expectInvalid("its payload is not JSON: line 1: \(reason)") { _ = try verify(token) }
  }

  @Test("A failure of the cryptography is not reported as a forgery")
  func defect() throws {
    let text = try SampleIDToken.text(SampleIDToken.claims.text)
    let verifier = try SampleIDToken.verifier(cryptography: FakeCryptography(failure: Samples.defect))
    #expect(throws: Samples.defect) { try verify(text, by: verifier) }
  }
}

@Suite("IDTokenVerifier, refreshed tokens")
struct IDTokenVerifierRefreshTests {
  private typealias Sample = SampleIDToken

  private func refresh(
    _ claims: JSONObject, original: JSONObject = Sample.claims, maxAge: Int? = nil
  ) throws -> IDToken {
    let cryptography = FakeCryptography(digests: [Array("token".utf8): [UInt8](repeating: 1, count: 32)])
    return try Sample.verifier(cryptography: cryptography).verifyRefreshed(
      Sample.text(claims.text), keys: Sample.keys(), original: original, accessToken: AccessToken("token"),
      maxAge: maxAge, at: Sample.date())
  }

  private func otherLogin(_ claim: String) -> Message {
    "its \(claim) differs from that of the original login"
  }

  @Test("A token of the same login is believed, with its nonce or without")
  func same() throws {
    #expect(try refresh(Sample.claims).subject == "24400320")
    #expect(try refresh(Sample.claims("nonce", nil)).subject == "24400320")
    #expect(try refresh(Sample.claims("aud", ["client"])).subject == "24400320")
    #expect(try refresh(Sample.claims("azp", "client")).subject == "24400320")
    #expect(try refresh(Sample.claims, original: Sample.claims("azp", "client")).subject == "24400320")
    #expect(try refresh(Sample.claims("iat", .number(JSONNumber(Sample.now + 5)))).subject == "24400320")
  }

  @Test("A token about another user is refused", arguments: ["24400321", "24400320 ", "2440032"])
  func subject(text: String) {
    expectInvalid(otherLogin("sub")) { _ = try refresh(Sample.claims("sub", .string(text))) }
  }

  @Test("A token of another issuer is refused, be it the new token or the old one")
  func issuer() {
    expectInvalid("it comes from another provider") {
      _ = try refresh(Sample.claims("iss", "https://evil.test"))
    }
    expectInvalid(otherLogin("iss")) {
      _ = try refresh(Sample.claims, original: Sample.claims("iss", "https://evil.test"))
    }
    expectInvalid(otherLogin("iss")) { _ = try refresh(Sample.claims, original: [:]) }
  }

  @Test("Other audiences are refused")
  func audience() {
    expectInvalid("it is not meant for this client alone") {
      _ = try refresh(Sample.claims("aud", ["client", "api"]))
    }
    expectInvalid(otherLogin("aud")) {
      _ = try refresh(Sample.claims, original: Sample.claims("aud", ["client", "api"]))
    }
  }

  @Test("Another nonce is refused", arguments: ["other", "", 1, .null] as [JSONValue])
  func nonce(value: JSONValue) {
    #expect(throws: Failure.nonceMismatch) { try refresh(Sample.claims("nonce", value)) }
    #expect(throws: Failure.nonceMismatch) {
      try refresh(Sample.claims, original: Sample.claims("nonce", nil))
    }
  }

  @Test("The time of the sign-in must not change if the request limits it, and is passed on otherwise")
  func authTime() throws {
    let original = Sample.claims("auth_time", .number(JSONNumber(literal: "1699999000.5")))
    let later = Sample.claims("auth_time", 1_699_999_001)
    for maxAge in [nil, 3_600] {
      let same = Sample.claims("auth_time", 1_699_999_000)
      #expect(try refresh(same, original: original, maxAge: maxAge).subject == "24400320")
      #expect(try refresh(Sample.claims, original: original, maxAge: maxAge).subject == "24400320")
    }
    #expect(try refresh(later, original: original).claims["auth_time"] == 1_699_999_001)
    expectInvalid(otherLogin("auth_time")) { _ = try refresh(later, original: original, maxAge: 3_600) }
  }

  @Test("The hash of the new access token must be right if there is one")
  func hash() throws {
    let right = Base64.encodeURLSafe([UInt8](repeating: 1, count: 16))
    #expect(try refresh(Sample.claims("at_hash", .string(right))).subject == "24400320")
    expectInvalid("it belongs to another access token") { _ = try refresh(Sample.claims("at_hash", "AQ")) }
  }

  @Test("A refreshed token can expire like any other")
  func expired() {
    expectInvalid("it has expired") { _ = try refresh(Sample.claims("exp", 1)) }
  }
}
