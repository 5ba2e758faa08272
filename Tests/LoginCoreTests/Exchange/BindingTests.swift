import Testing

@testable import LoginCore

/// The secrets that bind an answer to its request.
@Suite("Binding")
struct BindingTests {
  // RFC 6749 section 10.10.
  @Test("a secret that is not given is made of 32 random bytes")
  func random() throws {
    let cryptography = FakeCryptography()
    let first = try State.chosen(nil, orFrom: cryptography),
      second = try State.chosen(nil, orFrom: cryptography)
    #expect(cryptography.counts == [32, 32])
    #expect(first.revealed().utf8.count == 43)
    #expect(first != second)
    #expect(first.isPrintableASCII)
    #expect(try CodeVerifier.chosen(nil, orFrom: cryptography).isWellFormed)
  }

  @Test("a secret that is given is taken, and nothing random is asked for")
  func fixed() throws {
    let cryptography = FakeCryptography()
    #expect(try State.chosen(State("S"), orFrom: cryptography) == State("S"))
    #expect(cryptography.counts.isEmpty)
  }

  @Test("without random bytes there is no secret")
  func noRandomness() {
    let cryptography = FakeCryptography(failure: Samples.defect)
    #expect(throws: Samples.defect) { try State.chosen(nil, orFrom: cryptography) }
  }

  @Test(
    "a scope asks for OpenID with that word alone",
    arguments: [("openid", true), ("mail openid", true), ("openid2 mail", false), ("open id", false)])
  func openID(scope: String, isForOpenID: Bool) throws {
    var login = try Samples.login(Samples.code())
    login.scope = scope
    #expect(login.isForOpenID == isForOpenID)
  }
}
