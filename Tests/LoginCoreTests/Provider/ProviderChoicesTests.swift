import Testing

@testable import LoginCore

@Suite("CodeChallengeMethod")
struct CodeChallengeMethodTests {
  private let verifier = CodeVerifier(FakeCryptography.codeVerifier)

  // RFC 7636 appendix B.
  @Test("S256 is the digest of the verifier in base64url")
  func s256() throws {
    let challenge = try CodeChallengeMethod.s256.challenge(for: verifier, with: FakeCryptography.appendixB)
    #expect(challenge == FakeCryptography.codeChallenge)
  }

  // RFC 7636 section 4.2.
  @Test("plain sends the verifier itself, and none sends no challenge")
  func others() throws {
    let cryptography = FakeCryptography()
    #expect(
      try CodeChallengeMethod.plain.challenge(for: verifier, with: cryptography)
        == FakeCryptography.codeVerifier)
    #expect(try CodeChallengeMethod.none.challenge(for: verifier, with: cryptography) == nil)
  }

  // RFC 7636 section 7.2.
  @Test("A failure of S256 does not fall back to plain")
  func noFallback() {
    #expect(throws: Samples.defect) {
      try CodeChallengeMethod.s256.challenge(for: verifier, with: FakeCryptography())
    }
  }

  @Test(
    "Methods have the names of the standard",
    arguments: zip(CodeChallengeMethod.allCases, ["S256", "plain", "none"]))
  func names(method: CodeChallengeMethod, name: String) {
    #expect(method.rawValue == name)
  }
}

@Suite("ResponseType")
struct ResponseTypeTests {
  // OAuth 2.0 Multiple Response Type Encoding Practices, sections 2.1, 3 and 5.
  @Test(
    "A code alone comes in the query, any other answer in the fragment",
    arguments: [
      ("code", ResponseMode.query, true), ("token", .fragment, false), ("id_token", .fragment, false),
      ("id_token token", .fragment, false),
      ("code token", .fragment, true), ("code id_token", .fragment, true),
      ("code id_token token", .fragment, true),
    ])
  func known(text: String, mode: ResponseMode, includesCode: Bool) throws {
    let type = try #require(ResponseType(text))
    #expect(type.description == text)
    #expect(type.defaultMode == mode)
    #expect(type.includesCode == includesCode)
    #expect(type.includesToken == text.split(separator: " ").contains("token"))
    #expect(type.includesIDToken == text.contains("id_token"))
  }

  @Test(
    "Unknown or repeated words are not a response type",
    arguments: [
      "", " ", "Code", "CODE", "codes", "token,code", "code code", "code\ttoken", "password", "code password",
      "idtoken",
    ])
  func unknown(text: String) {
    #expect(ResponseType(text) == nil)
  }

  @Test("A word is found as a whole")
  func words() throws {
    let type = try #require(ResponseType("code id_token"))
    #expect(type.includes("id_token"))
    #expect(!type.includes("token"))
    #expect(!type.includes("id"))
  }

  @Test("The constants have the words of the standard")
  func constants() {
    #expect(ResponseType.code == ResponseType("code"))
    #expect(ResponseType.token == ResponseType("token"))
    #expect(ResponseMode.formPost.rawValue == "form_post")
  }
}
