import Testing

@testable import LoginCore

/// The issuer in a callback: RFC 9207 section 2.4.
@Suite("AuthorizationResponse+Issuer")
struct AuthorizationResponseIssuerTests {
  /// The answer that a callback is to an implicit request.
  private func response(_ tail: String, issuer: String?, isSent: Bool = false) throws -> AuthorizationResponse
  {
    var provider = try Samples.vk()
    provider.issuer = try issuer.map { text in try Issuer(text) }
    provider.sendsIssuer = isSent
    return try Samples.response("https://oauth.vk.com/blank.html\(tail)", to: Samples.login(provider))
  }

  /// The sample's state as it comes back.
  private static let state = "state=S-_.~%201"

  @Test(
    "the issuer that was asked is verified, in either channel",
    arguments: [
      "#\(state)&iss=https://as.test/t1", "#iss=https%3A%2F%2Fas.test%2Ft1&\(state)",
      "?iss=https://as.test/t1#\(state)",
      "?iss=https%3A%2F%2Fas.test%2Ft1#\(state)&iss=https://as.test/t1", "#\(state)&iss=https://%61s.test/t1",
    ], [true, false])
  func verified(tail: String, isSent: Bool) throws {
    #expect(try response(tail, issuer: "https://as.test/t1", isSent: isSent).checks.issuer)
  }

  @Test(
    "any other issuer is a mismatch, in either channel",
    arguments: [
      "https://as.test/t1/", "https://AS.test/t1", "https://as.test:443/t1", "https://%2561s.test/t1",
      "https://as.test/T1", "http://as.test/t1",
      "https://as.test", "https://evil.test", "x", "+https://as.test/t1", "https://as.test/t1%00",
      "https://as.test/t1%20", "%FF", "https%253A%252F%252Fas.test%252Ft1",
    ], [true, false])
  func mismatch(issuer: String, isSent: Bool) throws {
    for tail in ["#\(Self.state)&iss=\(issuer)", "?iss=\(issuer)#\(Self.state)"] {
      #expect(throws: Failure.untrusted(.issuerMismatch), "\(tail)") {
        try response(tail, issuer: "https://as.test/t1", isSent: isSent)
      }
    }
  }

  @Test("two issuers that disagree are a mismatch, whichever is right")
  func disagreement() throws {
    for tail in [
      "?iss=https://as.test#\(Self.state)&iss=https://evil.test",
      "?iss=https://evil.test#\(Self.state)&iss=https://as.test",
    ] {
      #expect(throws: Failure.untrusted(.issuerMismatch), "\(tail)") {
        try response(tail, issuer: "https://as.test")
      }
    }
  }

  @Test(
    "an issuer that is always sent is missed, in a denial too",
    arguments: [
      "#\(state)", "#\(state)&iss=", "?iss=#\(state)", "#error=access_denied&\(state)",
      "?error=access_denied",
    ])
  func missing(tail: String) throws {
    #expect(throws: Failure.untrusted(.issuerMissing)) {
      try response(tail, issuer: "https://as.test", isSent: true)
    }
  }

  @Test(
    "an issuer that need not be sent is not missed, and not claimed",
    arguments: ["#\(state)", "#\(state)&iss="])
  func notSent(tail: String) throws {
    #expect(try !response(tail, issuer: "https://as.test").checks.issuer)
  }

  @Test(
    "without a known issuer none is compared, and none claimed",
    arguments: ["#\(state)", "#\(state)&iss=https://evil.test", "?iss=a#\(state)&iss=b"], [true, false])
  func unknownIssuer(tail: String, isSent: Bool) throws {
    #expect(try !response(tail, issuer: nil, isSent: isSent).checks.issuer)
  }

  // RFC 9207 section 2.4: an error does not come from the server that was asked, either.
  @Test("a denial of another issuer is a mismatch and no denial")
  func denialOfAnother() throws {
    for tail in [
      "#error=access_denied&iss=https://evil.test",
      "?error=access_denied&iss=https://evil.test&\(Self.state)",
    ] {
      #expect(throws: Failure.untrusted(.issuerMismatch)) { try response(tail, issuer: "https://as.test") }
    }
  }
}
