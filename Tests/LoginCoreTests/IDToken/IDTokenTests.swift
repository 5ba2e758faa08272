import Testing

@testable import LoginCore

/// A token that was verified.
@Suite("IDToken")
struct IDTokenTests {
  private typealias Sample = SampleIDToken

  @Test("it does not print what it says about somebody")
  func redacted() throws {
    let token = try Sample.verify(Sample.claims)
    var dumped = ""
    dump(token, to: &dumped)
    for text in ["\(token)", String(reflecting: token), dumped] {
      #expect(!text.contains("24400320") && !text.contains(token.text), "\(text)")
    }
  }

  @Test("two tokens are about one user if issuer and subject are the same bytes")
  func subjects() throws {
    let token = try Sample.verify(Sample.claims)
    #expect(token.hasSameSubject(as: try Sample.verify(Sample.claims("auth_time", 1))))
    #expect(!token.hasSameSubject(as: try Sample.verify(Sample.claims("sub", "24400321"))))
    let other = IDToken(
      text: "", subject: token.subject, claims: Sample.claims("iss", "https://other.test"))
    #expect(!token.hasSameSubject(as: other))
  }
}
