import Testing

@testable import LoginCore

@Suite("IDToken")
struct IDTokenTests {
  private typealias Sample = SampleIDToken

  @Test("An id_token does not print its text or its claims")
  func redacted() throws {
    let token = try Sample.verify(Sample.claims)
    var dumped = ""
    dump(token, to: &dumped)
    for text in ["\(token)", String(reflecting: token), dumped] {
      #expect(!text.contains("24400320") && !text.contains(token.text), "\(text)")
    }
  }

  @Test("Two tokens are about one user if issuer and subject have the same bytes")
  func subjects() throws {
    let token = try Sample.verify(Sample.claims)
    #expect(token.hasSameSubject(as: try Sample.verify(Sample.claims("auth_time", 1))))
    #expect(!token.hasSameSubject(as: try Sample.verify(Sample.claims("sub", "24400321"))))
    let other = IDToken(
      text: "", subject: token.subject, claims: Sample.claims("iss", "https://other.test"))
    #expect(!token.hasSameSubject(as: other))
  }
}

@Suite("IssuerPattern")
struct IssuerPatternTests {
  private static let text = "https://login.test/{tid}/v2.0"

  private func pattern() throws -> IssuerPattern { try #require(IssuerPattern(Self.text)) }

  @Test("A pattern is an issuer with a claim in place of one segment of its path")
  func read() throws {
    #expect(try pattern().description == Self.text)
    #expect(IssuerPattern("https://login.test/{tid}") != nil)
  }

  @Test(
    "Any other text is not a pattern",
    arguments: [
      "", "https://login.test/v2.0", "https://{tid}.login.test/v2.0", "https://login.test{tid}/v2.0",
      "https://login.test/a{tid}/v2.0", "https://login.test/{tid}a", "https://login.test/{}/v2.0",
      "https://login.test/{a b}/v2.0", "https://login.test/{tid/v2.0", "https://login.test/{a}/{b}",
      "http://login.test/{tid}", "https://login.test/{tid}?a=b", "https://login.test/{tid}#a", "{tid}",
      "https://{tid}",
    ])
  func none(text: String) { #expect(IssuerPattern(text) == nil) }

  @Test("An issuer matches if it contains the claim of the same token, byte for byte")
  func matches() throws {
    let pattern = try pattern()
    #expect(pattern.matches("https://login.test/9188/v2.0", claims: ["tid": "9188"]))
    for issuer in [
      "https://login.test/9189/v2.0", "https://login.test/{tid}/v2.0", "https://login.test/9188/v2.0/",
      "https://evil.test/9188/v2.0", "",
    ] { #expect(!pattern.matches(issuer, claims: ["tid": "9188"])) }
    #expect(!pattern.matches("https://login.test/9188/v2.0", claims: [:]))
  }

  @Test(
    "A claim cannot be more than one segment", arguments: ["", ".", "..", "a/b", "a?b", "a#b", "é", "a b"])
  func climbing(value: String) throws {
    #expect(try !pattern().matches("https://login.test/\(value)/v2.0", claims: ["tid": .string(value)]))
  }

  @Test("A key signs for its own issuer, or for all issuers of the same pattern")
  func keys() throws {
    let pattern = try pattern()
    let issuer = "https://login.test/9188/v2.0"
    for owner in [nil, issuer, "https://login.test/{tenantid}/v2.0"] {
      #expect(pattern.allows(keyOf: owner, for: issuer))
    }
    for owner in [
      "", "https://login.test/1/v2.0", "https://evil.test/{tid}/v2.0", "https://login.test/{tid}/v1",
    ] {
      #expect(!pattern.allows(keyOf: owner, for: issuer))
    }
  }
}
