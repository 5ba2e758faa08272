import Testing

@testable import LoginCore

@Suite("IssuerPattern")
struct IssuerPatternTests {
  private static let text = "https://login.test/{tid}/v2.0"

  private func pattern() throws -> IssuerPattern { try #require(IssuerPattern(Self.text)) }

  @Test("it is an issuer with a claim in the place of one segment of its path")
  func read() throws {
    #expect(try pattern().description == Self.text)
    #expect(IssuerPattern("https://login.test/{tid}") != nil)
  }

  @Test(
    "anything else is none",
    arguments: [
      "", "https://login.test/v2.0", "https://{tid}.login.test/v2.0", "https://login.test{tid}/v2.0",
      "https://login.test/a{tid}/v2.0", "https://login.test/{tid}a", "https://login.test/{}/v2.0",
      "https://login.test/{a b}/v2.0", "https://login.test/{tid/v2.0", "https://login.test/{a}/{b}",
      "http://login.test/{tid}", "https://login.test/{tid}?a=b", "https://login.test/{tid}#a", "{tid}",
      "https://{tid}",
    ])
  func none(text: String) { #expect(IssuerPattern(text) == nil) }

  @Test("an issuer has the claim of the same token in it, byte for byte")
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
    "a claim cannot be more than its segment", arguments: ["", ".", "..", "a/b", "a?b", "a#b", "é", "a b"])
  func climbing(value: String) throws {
    #expect(try !pattern().matches("https://login.test/\(value)/v2.0", claims: ["tid": .string(value)]))
  }

  @Test("a key speaks for its own issuer, or for those of the same pattern")
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
