import Testing

@testable import LoginCore

@Suite("Secret")
struct SecretTests {
  private struct Holder {
    let name = "holder"
    let token: AccessToken?
    let list: [OAuthState]
  }

  @Test("A secret prints as [redacted]")
  func printing() {
    let secret = AccessToken("hunter2")
    #expect(secret.description == "[redacted]")
    #expect(secret.debugDescription == "[redacted]")
    #expect("\(secret)" == "[redacted]")
    #expect(String(reflecting: secret) == "[redacted]")
    #expect(String(describing: Optional(secret)).contains("[redacted]"))
  }

  @Test("A secret inside another value does not print either")
  func nested() {
    let holder = Holder(token: AccessToken("hunter2"), list: [OAuthState("hunter2")])
    var dumped = ""
    dump(holder, to: &dumped)
    dump(AccessToken("hunter2"), to: &dumped)
    for text in [
      "\(holder)", String(reflecting: holder), dumped, "\([holder])",
      "\(Mirror(reflecting: holder).children)",
    ] {
      #expect(!text.contains("hunter2"))
    }
    #expect(dumped.contains("[redacted]"))
    #expect(Mirror(reflecting: AccessToken("hunter2")).children.isEmpty)
  }

  @Test("The fixed values of a repeatable login do not print")
  func insideOfRequest() throws {
    let login = try Samples.login(Samples.code())
    var dumped = ""
    dump(login.fixed, to: &dumped)
    for text in [dumped, "\(login.fixed)", String(reflecting: login.fixed)] {
      #expect(!text.contains(Samples.state))
      #expect(!text.contains(FakeCryptography.codeVerifier))
    }
  }

  @Test("revealed() returns the secret itself")
  func revealed() {
    #expect(AccessToken("é \u{0}").revealed().isIdentical(to: "é \u{0}"))
  }

  @Test("Secrets are equal if their bytes are")
  func equality() {
    #expect(OAuthState("abc") == OAuthState("abc"))
    #expect(OAuthState("") == OAuthState(""))
    for other in ["abd", "bbc", "ab", "abcd", "", "ABC", "abc\u{0}", "cba"] {
      #expect(OAuthState("abc") != OAuthState(other))
    }
    #expect(OAuthState("\u{E9}") != OAuthState("e\u{301}"))
  }

  // RFC 7636 section 4.1.
  @Test(
    "A code verifier has 43 to 128 unreserved characters",
    arguments: [
      (FakeCryptography.codeVerifier, true), (String(repeating: "a", count: 43), true),
      (String(repeating: "~", count: 128), true), (String(repeating: "a", count: 42), false),
      (String(repeating: "a", count: 129), false), ("", false),
      (String(repeating: "a", count: 42) + "+", false),
      (String(repeating: "a", count: 42) + "=", false), (String(repeating: "a", count: 42) + " ", false),
      (String(repeating: "é", count: 43), false), (String(repeating: "a", count: 43) + "\n", false),
    ] as [(String, Bool)])
  func codeVerifier(text: String, isWellFormed: Bool) {
    #expect(CodeVerifier(text).isWellFormed == isWellFormed)
  }

  // RFC 6749 appendix A.5: state is one or more of %x20-7E.
  @Test(
    "A state or nonce must be printable ASCII",
    arguments: [
      ("a", true), (" ~!\"&=+%", true), ("", false), ("a\n", false), ("\u{7F}", false), ("é", false),
      ("a\u{0}", false),
      ("\u{1B}[m", false),
    ] as [(String, Bool)])
  func stateAndNonce(text: String, isWellFormed: Bool) {
    #expect(OAuthState(text).isPrintableASCII == isWellFormed)
    #expect(Nonce(text).isPrintableASCII == isWellFormed)
  }
}
