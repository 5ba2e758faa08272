import Testing

@testable import LoginCore

/// Tokens that come with a refreshed access token (OpenID Connect Core section 12.2).
@Suite("IDTokenVerifier, refreshed tokens")
struct IDTokenRefreshTests {
  private typealias Sample = SampleIDToken

  private func refresh(_ claims: JSONObject, original: JSONObject = Sample.claims) throws -> IDToken {
    let cryptography = FakeCryptography(digests: [Array("token".utf8): [UInt8](repeating: 1, count: 32)])
    return try Sample.verifier(cryptography: cryptography).verifyRefreshed(
      Sample.text(claims.text), keys: Sample.keys(), original: original, accessToken: AccessToken("token"),
      at: Sample.date())
  }

  @Test("the same login is believed, with its nonce or without")
  func same() throws {
    #expect(try refresh(Sample.claims).subject == "24400320")
    #expect(try refresh(Sample.claims("nonce", nil)).subject == "24400320")
    #expect(try refresh(Sample.claims("aud", ["client"])).subject == "24400320")
    #expect(try refresh(Sample.claims("azp", "client")).subject == "24400320")
    #expect(try refresh(Sample.claims, original: Sample.claims("azp", "client")).subject == "24400320")
    #expect(try refresh(Sample.claims("iat", .number(JSONNumber(Sample.now + 5)))).subject == "24400320")
  }

  @Test("another user is refused", arguments: ["24400321", "24400320 ", "2440032"])
  func subject(text: String) {
    expectInvalid(.otherLogin("sub")) { _ = try refresh(Sample.claims("sub", .string(text))) }
  }

  @Test("another issuer is refused, of the new token and of the old one")
  func issuer() {
    expectInvalid(.issuer) { _ = try refresh(Sample.claims("iss", "https://evil.test")) }
    expectInvalid(.otherLogin("iss")) {
      _ = try refresh(Sample.claims, original: Sample.claims("iss", "https://evil.test"))
    }
    expectInvalid(.otherLogin("iss")) { _ = try refresh(Sample.claims, original: [:]) }
  }

  @Test("other audiences are refused")
  func audience() {
    expectInvalid(.audience) { _ = try refresh(Sample.claims("aud", ["client", "api"])) }
    expectInvalid(.otherLogin("aud")) {
      _ = try refresh(Sample.claims, original: Sample.claims("aud", ["client", "api"]))
    }
  }

  @Test("a foreign nonce is refused", arguments: ["other", "", 1, .null] as [JSONValue])
  func nonce(value: JSONValue) {
    #expect(throws: Failure.untrusted(.nonceMismatch)) { try refresh(Sample.claims("nonce", value)) }
    #expect(throws: Failure.untrusted(.nonceMismatch)) {
      try refresh(Sample.claims, original: Sample.claims("nonce", nil))
    }
  }

  @Test("the user signed in when the login says")
  func authTime() throws {
    let original = Sample.claims("auth_time", .number(JSONNumber(literal: "1699999000.5")))
    #expect(try refresh(Sample.claims("auth_time", 1_699_999_000), original: original).subject == "24400320")
    #expect(try refresh(Sample.claims, original: original).subject == "24400320")
    expectInvalid(.otherLogin("auth_time")) {
      _ = try refresh(Sample.claims("auth_time", 1_699_999_001), original: original)
    }
  }

  @Test("the hash of the new access token is right if it is there")
  func hash() throws {
    let right = Base64.encodeURLSafe([UInt8](repeating: 1, count: 16))
    #expect(try refresh(Sample.claims("at_hash", .string(right))).subject == "24400320")
    expectInvalid(.accessTokenHash) { _ = try refresh(Sample.claims("at_hash", "AQ")) }
  }

  @Test("a refreshed token has expired like any other")
  func expired() {
    expectInvalid(.expired) { _ = try refresh(Sample.claims("exp", 1)) }
  }
}
