import Testing

@testable import LoginCore

@Suite("IDTokenVerifier, claims")
struct IDTokenVerifierClaimsTests {
  private static let otherIssuer: Message = "it comes from another provider"
  private static let otherAudience: Message = "it is not meant for this client alone"
  private static let otherParty: Message = "it was issued to another client"
  private static let expired: Message = "it has expired"

  private typealias Sample = SampleIDToken

  @Test(
    "Every required claim must be there", arguments: ["iss", "sub", "aud", "exp", "iat"])
  func missing(name: String) {
    expectInvalid("it lacks \(name)", missing: [name]) { try Sample.verify(Sample.claims(name, nil)) }
    expectInvalid("its \(name) is malformed") { try Sample.verify(Sample.claims(name, .null)) }
    expectInvalid("its \(name) is malformed") { try Sample.verify(Sample.claims(name, [:])) }
  }

  @Test("All missing claims are named at once")
  func missingAll() {
    expectInvalid("it lacks iss, sub, aud, exp, iat", missing: ["iss", "sub", "aud", "exp", "iat"]) {
      try Sample.verify([:])
    }
  }

  @Test(
    "The issuer must be the one that was asked, byte for byte",
    arguments: [
      "https://as.test/", "https://AS.test", "HTTPS://as.test", "https://as.test:443", "http://as.test",
      "https://evil.test", "https://as.test ", "https://as.tes\u{74}\u{0}", "",
    ])
  func issuer(text: String) {
    expectInvalid(Self.otherIssuer) { try Sample.verify(Sample.claims("iss", .string(text))) }
  }

  // https://learn.microsoft.com/en-us/entra/identity-platform/access-tokens#validate-the-issuer
  @Test("If the issuer depends on the user, it must match the claims and the key")
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
        Sample.text(claims.text), keys: keys,
        binding: IDTokenBinding(channel: .back, nonce: Nonce(Sample.nonce)),
        at: Sample.date())
    }
    try verify("https://as.test/7/v2")
    try verify("https://as.test/7/v2", keyOf: "https://as.test/{tenantid}/v2")
    expectInvalid(Self.otherIssuer) { try verify("https://as.test/8/v2") }
    expectInvalid(Self.otherIssuer) { try verify("https://as.test") }
    expectInvalid(Self.otherIssuer) { try verify("https://as.test/7/v2", keyOf: "https://as.test/8/v2") }
  }

  @Test("Issuer and audience in another Unicode form are refused")
  func issuerForms() throws {
    let issuer = try Issuer("https://as.test/caf%C3%A9")
    var verifier = IDTokenVerifier(issuer: issuer, clientID: "caf\u{E9}", cryptography: FakeCryptography())
    expectInvalid(Self.otherIssuer) {
      try Sample.verify(Sample.claims("iss", "https://as.test/caf\u{E9}"), by: verifier)
    }
    var claims = Sample.claims("iss", .string(issuer.description))
    claims["aud"] = "cafe\u{301}"
    expectInvalid(Self.otherAudience) { try Sample.verify(claims, by: verifier) }
    claims["aud"] = ["caf\u{E9}", "e\u{301}"]
    verifier.trustedAudiences = ["\u{E9}"]
    expectInvalid(Self.otherAudience) { try Sample.verify(claims, by: verifier) }
  }

  private func claims(_ changes: JSONObject) -> JSONObject {
    changes.reduce(into: Sample.claims) { $0[$1.name] = $1.value }
  }

  @Test(
    "A token for the client alone is believed",
    arguments: [
      ["aud": "client"], ["aud": ["client"]], ["aud": ["client", "client"]],
      ["aud": "client", "azp": "client"],
    ] as [JSONObject])
  func audience(changes: JSONObject) throws {
    #expect(try Sample.verify(claims(changes)).subject == "24400320")
  }

  @Test(
    "A token for another audience is refused",
    arguments: [
      ["aud": "evil"], ["aud": ["evil"]], ["aud": "Client"], ["aud": ""], ["aud": ["client", "evil"]],
      ["aud": ["evil", "client"], "azp": "client"], ["aud": "evil", "azp": "client"],
    ] as [JSONObject])
  func otherAudience(changes: JSONObject) {
    expectInvalid(Self.otherAudience) { try Sample.verify(claims(changes)) }
  }

  @Test("A token that was issued to another client is refused", arguments: ["evil", ""])
  func otherParty(party: String) {
    let claims = claims(["aud": "client", "azp": .string(party)])
    expectInvalid(Self.otherParty) { try Sample.verify(claims) }
  }

  @Test("A malformed audience or authorized party is refused")
  func malformedAudience() {
    for value in [["client", ["client"]], [], ["client", 1], 1] as [JSONValue] {
      expectInvalid("its aud is malformed") { try Sample.verify(Sample.claims("aud", value)) }
    }
    for value in [1, .null] as [JSONValue] {
      expectInvalid("its azp is malformed") { try Sample.verify(Sample.claims("azp", value)) }
    }
  }

  @Test(
    "A trusted audience may stand beside the client, which must then be the authorized party")
  func trustedAudience() throws {
    var verifier = try Sample.verifier()
    verifier.trustedAudiences = ["api"]
    var claims = Sample.claims("aud", ["api", "client"])
    expectInvalid("it lacks azp", missing: ["azp"]) { try Sample.verify(claims, by: verifier) }
    claims["azp"] = "client"
    #expect(try Sample.verify(claims, by: verifier).claims == claims)
    claims["azp"] = "api"
    expectInvalid(Self.otherParty) { try Sample.verify(claims, by: verifier) }
    claims["azp"] = "client"
    claims["aud"] = ["api"]
    expectInvalid(Self.otherAudience) { try Sample.verify(claims, by: verifier) }
  }

  @Test(
    "Clocks may differ by the skew and by no second more",
    arguments: [
      ("exp", -301, expired), ("exp", -300, expired), ("exp", -299, nil), ("exp", 1, nil),
      ("iat", 301, "it was issued in the future; is the clock right?"), ("iat", 300, nil),
      ("iat", -1_000_000, nil),
      ("nbf", 301, "it is not valid yet"), ("nbf", 300, nil), ("nbf", -5, nil),
    ] as [(String, Int64, Message?)])
  func times(name: String, offset: Int64, reason: Message?) throws {
    let claims = Sample.claims(name, .number(JSONNumber(Sample.now + offset)))
    guard let reason else {
      #expect(try Sample.verify(claims).subject == "24400320")
      return
    }
    expectInvalid(reason) { try Sample.verify(claims) }
  }

  @Test("Another skew is another limit")
  func skew() throws {
    var verifier = try Sample.verifier()
    verifier.skew = 0
    let claims = Sample.claims("exp", .number(JSONNumber(Sample.now)))
    expectInvalid(Self.expired) { try Sample.verify(claims, by: verifier) }
    #expect(try Sample.verify(claims).subject == "24400320")
  }

  @Test(
    "A time may have a fraction or an exponent",
    arguments: ["1700000600.5", "1.7000006e9", "17000006E2", "9223372036854775807", "1e18"])
  func fractions(literal: String) throws {
    let claims = Sample.claims("exp", .number(JSONNumber(literal: literal)))
    #expect(try Sample.verify(claims).subject == "24400320")
  }

  @Test(
    "A time of the wrong type or beyond the integers is refused",
    arguments: ["exp", "iat", "nbf"],
    [
      .string("1700000600"), .string(""), true, ["1"], .null, .number(JSONNumber(literal: "1e400")),
      .number(JSONNumber(literal: "-1e400")), .number(JSONNumber(literal: "9223372036854775808")),
      .number(JSONNumber(literal: "1" + String(repeating: "0", count: 10_000))),
    ] as [JSONValue])
  func noTimes(name: String, value: JSONValue) {
    expectInvalid("its \(name) is malformed") { try Sample.verify(Sample.claims(name, value)) }
  }

  @Test("A very early time has passed", arguments: ["-1", "-9223372036854775808", "0", "1e-400"])
  func longAgo(literal: String) {
    expectInvalid(Self.expired) {
      try Sample.verify(Sample.claims("exp", .number(JSONNumber(literal: literal))))
    }
  }

  @Test(
    "A subject has 1 to 255 printable ASCII characters",
    arguments: [
      ("a", true), (String(repeating: "a", count: 255), true), ("a b|c@d:e", true), ("", false),
      (String(repeating: "a", count: 256), false), ("é", false), ("a\u{0}", false), ("a\n", false),
      ("\u{7F}", false),
    ])
  func subject(text: String, isSubject: Bool) throws {
    if isSubject {
      #expect(try Sample.verify(Sample.claims("sub", .string(text))).subject == text)
    } else {
      expectInvalid("its sub is malformed") { try Sample.verify(Sample.claims("sub", .string(text))) }
    }
  }

  @Test("A subject must not be a number")
  func subjectNumber() {
    expectInvalid("its sub is malformed") { try Sample.verify(Sample.claims("sub", 1)) }
  }
}
