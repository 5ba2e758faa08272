import Testing

@testable import LoginCore

/// Which signatures are believed; the claims have their own suite.
@Suite("IDTokenVerifier")
struct IDTokenVerifierTests {
  private func verify(
    _ text: String, by verifier: IDTokenVerifier? = nil, keys: JWKSet? = nil
  ) throws -> IDToken {
    try (verifier ?? SampleIDToken.verifier()).verify(
      text, keys: keys ?? SampleIDToken.keys(),
      binding: IDTokenBinding(.back, nonce: Nonce(SampleIDToken.nonce)), at: SampleIDToken.date())
  }

  @Test("a token that is signed and right is believed")
  func believed() throws {
    let text = try SampleIDToken.text(SampleIDToken.claims.text)
    let token = try verify(text)
    #expect(token.subject == "24400320")
    #expect(token.text == text)
    #expect(token.claims == SampleIDToken.claims)
  }

  @Test("a signature that is not that of the key is refused")
  func wrongSignature() throws {
    let text = try SampleIDToken.text(SampleIDToken.claims.text)
    let other = try SampleIDToken.text(SampleIDToken.claims("sub", "1").text)
    let mixed = other.parts(at: ".").dropLast().joined(separator: ".") + "." + text.parts(at: ".")[2]
    expectInvalid(.jose(.wrongSignature)) { _ = try verify(mixed) }
    let empty = text.parts(at: ".").dropLast().joined(separator: ".") + "."
    expectInvalid(.jose(.wrongSignature)) { _ = try verify(empty) }
  }

  @Test("the signature is judged before the claims")
  func order() throws {
    let text = try SampleIDToken.text("{}").parts(at: ".").dropLast().joined(separator: ".") + ".AAAA"
    expectInvalid(.jose(.wrongSignature)) { _ = try verify(text) }
  }

  @Test("what is no JWS is refused with its reason")
  func malformed() throws {
    expectInvalid(.jose(.notThreeParts)) { _ = try verify("a") }
    expectInvalid(.jose(.encrypted)) { _ = try verify("a.b.c.d.e") }
    expectInvalid(.jose(.notBase64URL)) { _ = try verify("a.b.c") }
    let none = "\(Base64.encodeURLSafe(#"{"alg":"none"}"#.utf8)).e30."
    expectInvalid(.jose(.unsupportedAlgorithm("none"))) { _ = try verify(none) }
  }

  @Test("an algorithm that was not agreed upon is refused, whoever signed")
  func algorithms() throws {
    let verifier = try SampleIDToken.verifier(algorithms: [.es256])
    let text = try SampleIDToken.text(SampleIDToken.claims.text)
    expectInvalid(.algorithmNotAllowed("RS256")) { _ = try verify(text, by: verifier) }
    expectInvalid(.algorithmNotAllowed("RS256")) { _ = try verifier.lacksKey(for: text, in: JWKSet()) }
  }

  @Test("a symmetric algorithm needs a secret, and one that is long enough")
  func symmetric() throws {
    let text = try SampleIDToken.text(SampleIDToken.claims.text, algorithm: .hs256)
    let names = SignatureAlgorithm.allowed(byProvider: ["RS256", "HS256"])
    let without = try SampleIDToken.verifier(algorithms: names)
    expectInvalid(.algorithmNotAllowed("HS256")) { _ = try verify(text, by: without) }
    let secret = String(repeating: "s", count: 32)
    let unasked = try SampleIDToken.verifier(secret: ClientSecret(secret))
    expectInvalid(.algorithmNotAllowed("HS256")) { _ = try verify(text, by: unasked) }
    let short = try SampleIDToken.verifier(
      secret: ClientSecret(String(secret.dropLast())), algorithms: names)
    expectInvalid(.secretTooShort) { _ = try verify(text, by: short) }
    let long = try SampleIDToken.verifier(secret: ClientSecret(secret), algorithms: names)
    #expect(try verify(text, by: long, keys: JWKSet()).subject == "24400320")
    #expect(try !long.lacksKey(for: text, in: JWKSet()))
  }

  @Test("keys that are newer than the set are told from keys that are not there")
  func rotation() throws {
    let verifier = try SampleIDToken.verifier()
    let text = try SampleIDToken.text(SampleIDToken.claims.text, header: ["kid": "new"])
    let old = try SampleIDToken.keys()
    #expect(try verifier.lacksKey(for: text, in: old))
    expectInvalid(.jose(.unknownKey)) { _ = try verify(text, keys: old) }
    let new = JWKSet(old.keys + [try #require(JWK(FakeSigningKey.rsa(["kid": "new"])))])
    #expect(try !verifier.lacksKey(for: text, in: new))
    #expect(try verify(text, keys: new).subject == "24400320")
  }

  @Test("several keys that fit are no reason to read the set again")
  func ambiguous() throws {
    let text = try SampleIDToken.text(SampleIDToken.claims.text, header: [:])
    let key = try #require(JWK(FakeSigningKey.rsa(["kid": "a"])))
    let other = try #require(JWK(FakeSigningKey.rsa(bits: 2_056, ["kid": "b"])))
    let two = JWKSet([key, other])
    #expect(try !SampleIDToken.verifier().lacksKey(for: text, in: two))
    expectInvalid(.jose(.ambiguousKey)) { _ = try verify(text, keys: two) }
    #expect(try verify(text, keys: JWKSet([key])).subject == "24400320")
  }

  @Test(
    "a token that says that it is of another kind is refused",
    arguments: ["at+jwt", "application/at+jwt", "AT+JWT", "logout+jwt", "dpop+jwt"])
  func otherTypes(type: String) throws {
    let text = try SampleIDToken.text(SampleIDToken.claims.text, header: ["kid": "k", "typ": .string(type)])
    expectInvalid(.otherType(type)) { _ = try verify(text) }
  }

  @Test("the type of an ordinary token may be named", arguments: ["JWT", "jwt", "application/jwt"])
  func types(type: String) throws {
    let text = try SampleIDToken.text(SampleIDToken.claims.text, header: ["kid": "k", "typ": .string(type)])
    #expect(try verify(text).subject == "24400320")
  }

  @Test(
    "a payload that is not one JSON object is refused",
    arguments: [
      ("", .unexpectedEnd), ("null", .notAnObject), ("[]", .notAnObject), ("\"a\"", .notAnObject),
      ("{", .unexpectedEnd), ("{}{}", .trailingCharacters),
      (#"{"sub":"a","sub":"b"}"#, .repeatedName("sub")),
      (#"{"sub":"a","s\u0075b":"b"}"#, .repeatedName("sub")),
      (#"{"a":{"b":1,"b":2}}"#, .repeatedName("b")),
    ] as [(String, JSONFault.Reason)])
  func payload(text: String, reason: JSONFault.Reason) throws {
    let token = try SampleIDToken.text(text)
    expectInvalid(.malformedPayload(JSONFault(reason: reason, line: 1))) { _ = try verify(token) }
  }

  @Test("what cryptography cannot do is no forgery")
  func defect() throws {
    let text = try SampleIDToken.text(SampleIDToken.claims.text)
    let verifier = try SampleIDToken.verifier(cryptography: FakeCryptography(failure: Samples.defect))
    #expect(throws: Samples.defect) { try verify(text, by: verifier) }
  }
}
