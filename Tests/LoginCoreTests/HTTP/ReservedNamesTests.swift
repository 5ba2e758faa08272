import Testing

@testable import LoginCore

/// Names that a request sets itself.
@Suite("ReservedNames")
struct ReservedNamesTests {
  @Test(
    "every parameter of the standards that a login sends is reserved",
    arguments: [
      "response_type", "client_id", "redirect_uri", "response_mode", "scope", "state", "nonce",
      "code_challenge",
      "code_challenge_method", "client_secret", "code_verifier", "grant_type", "code", "refresh_token",
    ])
  func parameters(name: String) {
    #expect(ReservedNames.parameters.contains(name))
  }

  @Test(
    "what a caller chooses is not", arguments: ["prompt", "login_hint", "resource", "display", "audience"])
  func otherParameters(name: String) {
    #expect(!ReservedNames.parameters.contains(name))
  }

  // RFC 9110 sections 5.1, 5.5 and 5.6.2.
  @Test(
    "a header field needs a name that is a token and not reserved, and a value without control characters",
    arguments: [
      ("Accept", "application/json", true), ("X-A_b.1~", "é \"a\"", true), ("A", "", true),
      ("Authorization", "x", false), ("AUTHORIZATION", "x", false), ("Cookie", "x", false),
      ("Host", "x", false),
      ("Content-Length", "1", false), ("", "x", false), ("a b", "x", false), ("a:", "x", false),
      ("é", "x", false),
      ("a\r\n", "x", false), ("a", "x\r\ny: z", false), ("a", "\u{0}", false), ("a", "\u{7F}", false),
    ] as [(String, String, Bool)])
  func headers(name: String, value: String, isAllowed: Bool) {
    #expect((ReservedNames.fault(ofHeader: Parameter(name, value)) == nil) == isAllowed)
  }
}
