import Testing

@testable import LoginCore

/// The identifier of an authorization server.
@Suite("Issuer")
struct IssuerTests {
  // RFC 8414 section 2.
  @Test("an issuer has no query, not even an empty one", arguments: ["https://h.test/?a", "https://h.test?"])
  func query(text: String) {
    #expect(throws: AddressFault.query) { _ = try Issuer(text) }
  }

  @Test("an issuer is kept as the server writes it", arguments: ["https://H.test:443", "https://h.test/t1/"])
  func unchanged(text: String) throws {
    #expect(try Issuer(text).description == text)
  }

  // RFC 9207 section 2.4: simple string comparison, RFC 3986 section 6.2.1.
  @Test(
    "no second spelling of an issuer is the issuer",
    arguments: [
      "https://h.test/t1/", "https://H.test/t1", "HTTPS://h.test/t1", "https://h.test:443/t1",
      "https://h.test/T1",
      "https://h.test/%741", "https://h.test/t1?", "https://h.test/t1#", " https://h.test/t1",
      "https://h.test/t1\u{0}",
      "https://h.test", "",
    ])
  func otherSpellings(received: String) throws {
    #expect(try !Issuer("https://h.test/t1").isIdentical(to: received))
  }

  @Test("the same bytes are the issuer")
  func identical() throws {
    let issuer = try Issuer("https://h.test/t1")
    #expect(issuer.isIdentical(to: "https://h.test/t1"))
    #expect(try issuer == Issuer("https://h.test/t1"))
    #expect(try issuer != Issuer("https://h.test/t1/"))
  }
}
