import Testing

@testable import LoginCore

// RFC 9207 section 2.4.
@Suite("AuthorizationResponse, issuer")
struct AuthorizationResponseIssuerTests {
  private static let otherIssuer = Failure(
    .issuerMismatch, "the callback comes from a different authorization server")
  private static let missingIssuer = Failure(
    .issuerMismatch, "the callback does not name the authorization server, although this server always does")

  /// Returns the answer to an implicit request.
  private func response(_ tail: String, issuer: String?, isSent: Bool = false) throws -> AuthorizationResponse
  {
    var provider = try Samples.vk()
    provider.issuer = try issuer.map { text in try Issuer(text) }
    provider.sendsIssuer = isSent
    return try Samples.response("https://oauth.vk.com/blank.html\(tail)", to: Samples.login(provider))
  }

  /// The sample's state, encoded.
  private static let state = "state=S-_.~%201"

  @Test(
    "The right issuer is accepted in the answer's own channel",
    arguments: [
      "#\(state)&iss=https://as.test/t1", "#iss=https%3A%2F%2Fas.test%2Ft1&\(state)",
      "?iss=https%3A%2F%2Fas.test%2Ft1#\(state)&iss=https://as.test/t1", "#\(state)&iss=https://%61s.test/t1",
    ], [true, false])
  func verified(tail: String, isSent: Bool) throws {
    #expect(try response(tail, issuer: "https://as.test/t1", isSent: isSent).checks.issuer)
  }

  /// A hostile server redirects to an honest one with `#iss=` in the address, and the honest server's redirect inherits it
  /// (RFC 9110 section 10.2.2).
  @Test("An issuer in the other channel does not vouch for the answer")
  func inherited() throws {
    #expect(throws: Self.missingIssuer) {
      try response("?iss=https://as.test/t1#\(Self.state)", issuer: "https://as.test/t1", isSent: true)
    }
    #expect(
      try !response("?iss=https://as.test/t1#\(Self.state)", issuer: "https://as.test/t1").checks.issuer)

    var provider = try Samples.code()
    provider.issuer = try Issuer("https://evil.test")
    provider.sendsIssuer = true
    let login = try Samples.login(provider)
    func code(_ tail: String) throws -> AuthorizationResponse {
      try Samples.response("https://app.test/cb?code=A&\(Self.state)\(tail)", to: login)
    }
    #expect(throws: Self.missingIssuer) { try code("#iss=https://evil.test") }
    #expect(throws: Self.otherIssuer) { try code("&iss=https://honest.test#iss=https://evil.test") }
    #expect(try code("&iss=https://evil.test").checks.issuer)
    // An error may come in the other channel, and its issuer then does, too.
    expectRefusal("access_denied") {
      _ = try response("?error=access_denied&iss=https://as.test", issuer: "https://as.test", isSent: true)
    }
  }

  @Test("An error with the right state is believed without an issuer, and with no other")
  func errors() throws {
    let error = "error=invalid_scope"
    for tail in ["#\(error)&\(Self.state)", "?\(error)&\(Self.state)"] {
      expectRefusal("invalid_scope") { _ = try response(tail, issuer: "https://as.test/t1", isSent: true) }
    }
    for tail in ["#\(error)", "#\(error)&state=wrong", "?\(error)#iss=https://as.test/t1"] {
      #expect(throws: Self.missingIssuer, "\(tail)") {
        try response(tail, issuer: "https://as.test/t1", isSent: true)
      }
    }
    #expect(throws: Self.otherIssuer) {
      try response(
        "#\(error)&\(Self.state)&iss=https://evil.test", issuer: "https://as.test/t1", isSent: true)
    }
  }

  @Test(
    "Any other issuer is refused in either channel",
    arguments: [
      "https://as.test/t1/", "https://AS.test/t1", "https://as.test:443/t1", "https://%2561s.test/t1",
      "https://as.test/T1", "http://as.test/t1",
      "https://as.test", "https://evil.test", "x", "+https://as.test/t1", "https://as.test/t1%00",
      "https://as.test/t1%20", "%FF", "https%253A%252F%252Fas.test%252Ft1",
    ], [true, false])
  func mismatch(issuer: String, isSent: Bool) throws {
    for tail in ["#\(Self.state)&iss=\(issuer)", "?iss=\(issuer)#\(Self.state)"] {
      #expect(throws: Self.otherIssuer, "\(tail)") {
        try response(tail, issuer: "https://as.test/t1", isSent: isSent)
      }
    }
  }

  @Test("Two different issuers are refused, whichever is right")
  func disagreement() throws {
    for tail in [
      "?iss=https://as.test#\(Self.state)&iss=https://evil.test",
      "?iss=https://evil.test#\(Self.state)&iss=https://as.test",
    ] {
      #expect(throws: Self.otherIssuer, "\(tail)") {
        try response(tail, issuer: "https://as.test")
      }
    }
  }

  @Test(
    "A provider that always names its issuer must do so, in an error without the state, too",
    arguments: [
      "#\(state)", "#\(state)&iss=", "?iss=#\(state)", "#error=access_denied", "?error=access_denied",
    ])
  func missing(tail: String) throws {
    #expect(throws: Self.missingIssuer) {
      try response(tail, issuer: "https://as.test", isSent: true)
    }
  }

  @Test(
    "An issuer that need not be sent may be missing, and is not reported as checked",
    arguments: ["#\(state)", "#\(state)&iss="])
  func notSent(tail: String) throws {
    #expect(try !response(tail, issuer: "https://as.test").checks.issuer)
  }

  @Test(
    "Without a known issuer no issuer is compared",
    arguments: ["#\(state)", "#\(state)&iss=https://evil.test", "?iss=a#\(state)&iss=b"], [true, false])
  func unknownIssuer(tail: String, isSent: Bool) throws {
    #expect(try !response(tail, issuer: nil, isSent: isSent).checks.issuer)
  }

  // RFC 9207 section 2.4 applies to errors, too.
  @Test("A denial by another issuer is refused")
  func denialOfAnother() throws {
    for tail in [
      "#error=access_denied&iss=https://evil.test",
      "?error=access_denied&iss=https://evil.test&\(Self.state)",
    ] {
      #expect(throws: Self.otherIssuer) { try response(tail, issuer: "https://as.test") }
    }
  }
}
