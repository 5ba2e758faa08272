import Testing

@testable import LoginCore

/// The claims, in the order of OpenID Connect Core section 3.1.3.7.
@Suite("IDTokenVerifier, claims")
struct IDTokenVerifierClaimsTests {
  private typealias Sample = SampleIDToken

  @Test(
    "a token lacks none of the claims that every token has", arguments: ["iss", "sub", "aud", "exp", "iat"])
  func missing(name: String) {
    expectInvalid(.missing([name])) { try Sample.verify(Sample.claims(name, nil)) }
    expectInvalid(.malformedClaim(name)) { try Sample.verify(Sample.claims(name, .null)) }
    expectInvalid(.malformedClaim(name)) { try Sample.verify(Sample.claims(name, [:])) }
  }

  @Test("all that is missing is named at once")
  func missingAll() {
    expectInvalid(.missing(["iss", "sub", "aud", "exp", "iat"])) { try Sample.verify([:]) }
  }

  @Test(
    "the issuer is the one that was asked, byte for byte",
    arguments: [
      "https://as.test/", "https://AS.test", "HTTPS://as.test", "https://as.test:443", "http://as.test",
      "https://evil.test", "https://as.test ", "https://as.tes\u{74}\u{0}", "",
    ])
  func issuer(text: String) {
    expectInvalid(.issuer) { try Sample.verify(Sample.claims("iss", .string(text))) }
  }

  // https://learn.microsoft.com/en-us/entra/identity-platform/access-tokens#validate-the-issuer
  @Test("where the issuer depends on the user it is the one that the claims and the key say, and no other")
  func issuerOfUser() throws {
    var verifier = try Sample.verifier()
    verifier.issuers = IssuerPattern("https://as.test/{tid}/v2")
    func verify(_ issuer: String, keyOf owner: JSONValue? = nil) throws {
      var claims = Sample.claims("tid", "7")
      claims["iss"] = .string(issuer)
      var members: JSONObject = ["kid": "k"]
      members["issuer"] = owner
      let keys = JWKSet([try #require(JWK(FakeSigningKey.rsa(members)))])
      _ = try verifier.verify(
        Sample.text(claims.text), keys: keys, binding: IDTokenBinding(.back, nonce: Nonce(Sample.nonce)),
        at: Sample.date())
    }
    try verify("https://as.test/7/v2")
    try verify("https://as.test/7/v2", keyOf: "https://as.test/{tenantid}/v2")
    expectInvalid(.issuer) { try verify("https://as.test/8/v2") }
    expectInvalid(.issuer) { try verify("https://as.test") }
    expectInvalid(.issuer) { try verify("https://as.test/7/v2", keyOf: "https://as.test/8/v2") }
  }

  @Test("an issuer in another Unicode form is another")
  func issuerForms() throws {
    let issuer = try Issuer("https://as.test/caf%C3%A9")
    var verifier = IDTokenVerifier(issuer: issuer, clientID: "caf\u{E9}", cryptography: FakeCryptography())
    expectInvalid(.issuer) {
      try Sample.verify(Sample.claims("iss", "https://as.test/caf\u{E9}"), by: verifier)
    }
    var claims = Sample.claims("iss", .string(issuer.description))
    claims["aud"] = "cafe\u{301}"
    expectInvalid(.audience) { try Sample.verify(claims, by: verifier) }
    claims["aud"] = ["caf\u{E9}", "e\u{301}"]
    verifier.trustedAudiences = ["\u{E9}"]
    expectInvalid(.audience) { try Sample.verify(claims, by: verifier) }
  }

  @Test(
    "the token is meant for the client, and for nobody else",
    arguments: [
      (["aud": "client"], nil), (["aud": ["client"]], nil), (["aud": ["client", "client"]], nil),
      (["aud": "client", "azp": "client"], nil), (["aud": "evil"], .audience), (["aud": ["evil"]], .audience),
      (["aud": "Client"], .audience), (["aud": ""], .audience), (["aud": ["client", "evil"]], .audience),
      (["aud": ["evil", "client"], "azp": "client"], .audience),
      (["aud": "evil", "azp": "client"], .audience),
      (["aud": ["client", ["client"]]], .malformedClaim("aud")), (["aud": []], .malformedClaim("aud")),
      (["aud": ["client", 1]], .malformedClaim("aud")), (["aud": 1], .malformedClaim("aud")),
      (["aud": "client", "azp": "evil"], .authorizedParty), (["aud": "client", "azp": ""], .authorizedParty),
      (["aud": "client", "azp": 1], .malformedClaim("azp")),
      (["aud": "client", "azp": .null], .malformedClaim("azp")),
    ] as [(JSONObject, IDTokenFault?)])
  func audience(changes: JSONObject, fault: IDTokenFault?) throws {
    var claims = Sample.claims
    for change in changes { claims[change.name] = change.value }
    guard let fault else {
      #expect(try Sample.verify(claims).subject == "24400320")
      return
    }
    expectInvalid(fault) { try Sample.verify(claims) }
  }

  @Test(
    "an audience that somebody vouches for may stand beside the client, which then is the authorized party")
  func trustedAudience() throws {
    var verifier = try Sample.verifier()
    verifier.trustedAudiences = ["api"]
    var claims = Sample.claims("aud", ["api", "client"])
    expectInvalid(.missing(["azp"])) { try Sample.verify(claims, by: verifier) }
    claims["azp"] = "client"
    #expect(try Sample.verify(claims, by: verifier).claims == claims)
    claims["azp"] = "api"
    expectInvalid(.authorizedParty) { try Sample.verify(claims, by: verifier) }
    claims["azp"] = "client"
    claims["aud"] = ["api"]
    expectInvalid(.audience) { try Sample.verify(claims, by: verifier) }
  }

  @Test(
    "clocks may differ by the skew and not by a second more",
    arguments: [
      ("exp", -301, .expired), ("exp", -300, .expired), ("exp", -299, nil), ("exp", 1, nil),
      ("iat", 301, .issuedInFuture), ("iat", 300, nil), ("iat", -1_000_000, nil),
      ("nbf", 301, .notYetValid), ("nbf", 300, nil), ("nbf", -5, nil),
    ] as [(String, Int64, IDTokenFault?)])
  func times(name: String, offset: Int64, fault: IDTokenFault?) throws {
    let claims = Sample.claims(name, .number(JSONNumber(Sample.now + offset)))
    guard let fault else {
      #expect(try Sample.verify(claims).subject == "24400320")
      return
    }
    expectInvalid(fault) { try Sample.verify(claims) }
  }

  @Test("another skew is another limit")
  func skew() throws {
    var verifier = try Sample.verifier()
    verifier.skew = 0
    let claims = Sample.claims("exp", .number(JSONNumber(Sample.now)))
    expectInvalid(.expired) { try Sample.verify(claims, by: verifier) }
    #expect(try Sample.verify(claims).subject == "24400320")
  }

  @Test(
    "a time may have a fraction or an exponent",
    arguments: ["1700000600.5", "1.7000006e9", "17000006E2", "9223372036854775807", "1e18"])
  func fractions(literal: String) throws {
    let claims = Sample.claims("exp", .number(JSONNumber(literal: literal)))
    #expect(try Sample.verify(claims).subject == "24400320")
  }

  @Test(
    "a time that is none is refused and harms nobody",
    arguments: ["exp", "iat", "nbf"],
    [
      .string("1700000600"), .string(""), true, ["1"], .null, .number(JSONNumber(literal: "1e400")),
      .number(JSONNumber(literal: "-1e400")), .number(JSONNumber(literal: "9223372036854775808")),
      .number(JSONNumber(literal: "1" + String(repeating: "0", count: 10_000))),
    ] as [JSONValue])
  func noTimes(name: String, value: JSONValue) {
    expectInvalid(.malformedClaim(name)) { try Sample.verify(Sample.claims(name, value)) }
  }

  @Test("times before all times have passed", arguments: ["-1", "-9223372036854775808", "0", "1e-400"])
  func longAgo(literal: String) {
    expectInvalid(.expired) { try Sample.verify(Sample.claims("exp", .number(JSONNumber(literal: literal)))) }
  }

  @Test(
    "a subject has 1 to 255 printable characters of ASCII",
    arguments: [
      ("a", true), (String(repeating: "a", count: 255), true), ("a b|c@d:e", true), ("", false),
      (String(repeating: "a", count: 256), false), ("é", false), ("a\u{0}", false), ("a\n", false),
      ("\u{7F}", false),
    ])
  func subject(text: String, isSubject: Bool) throws {
    if isSubject {
      #expect(try Sample.verify(Sample.claims("sub", .string(text))).subject == text)
    } else {
      expectInvalid(.malformedClaim("sub")) { try Sample.verify(Sample.claims("sub", .string(text))) }
    }
  }

  @Test("a subject that is a number is none")
  func subjectNumber() {
    expectInvalid(.malformedClaim("sub")) { try Sample.verify(Sample.claims("sub", 1)) }
  }
}
