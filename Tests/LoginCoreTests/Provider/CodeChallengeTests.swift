import Testing

@testable import LoginCore

/// How a code verifier is shown before it is used.
@Suite("CodeChallenge")
struct CodeChallengeTests {
  private let verifier = CodeVerifier(FakeCryptography.codeVerifier)

  // RFC 7636 appendix B.
  @Test("S256 is the digest of the verifier's characters, in base64url")
  func s256() throws {
    let challenge = try CodeChallengeMethod.s256.challenge(for: verifier, with: FakeCryptography.appendixB)
    #expect(challenge == FakeCryptography.codeChallenge)
  }

  // RFC 7636 section 4.2.
  @Test("plain is the verifier itself, none is nothing")
  func others() throws {
    let cryptography = FakeCryptography()
    #expect(
      try CodeChallengeMethod.plain.challenge(for: verifier, with: cryptography)
        == FakeCryptography.codeVerifier)
    #expect(try CodeChallengeMethod.none.challenge(for: verifier, with: cryptography) == nil)
  }

  // RFC 7636 section 7.2.
  @Test("S256 that fails never becomes plain")
  func noFallback() {
    #expect(throws: Samples.defect) {
      try CodeChallengeMethod.s256.challenge(for: verifier, with: FakeCryptography())
    }
  }

  @Test(
    "methods have the names of the standard",
    arguments: zip(CodeChallengeMethod.allCases, ["S256", "plain", "none"]))
  func names(method: CodeChallengeMethod, name: String) {
    #expect(method.rawValue == name)
  }
}
