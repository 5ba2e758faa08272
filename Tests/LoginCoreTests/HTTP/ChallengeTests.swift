import Testing

@testable import LoginCore

/// Challenges of servers that take tokens (RFC 9110 section 11.6.1, RFC 6750 section 3).
@Suite("Challenge")
struct ChallengeTests {
  @Test(
    "the parameters of a challenge of Bearer or DPoP are read",
    arguments: [
      ("Bearer", [:]), ("bearer error=invalid_token", ["error": "invalid_token"]),
      (#"BEARER Error="a", scope="b c""#, ["error": "a", "scope": "b c"]),
      (#"Bearer error="a\"b\\", x=y"#, ["error": #"a"b\"#, "x": "y"]),
      (#"Bearer error="a",error="b""#, ["error": "a"]), (#"Bearer ,, error="a"#, ["error": "a"]),
      (#"Bearer realm="r", Basic realm="s""#, ["realm": "r"]), ("Bearer =x, a=b", [:]),
      (#"Bearer a="\"#, ["a": "\\"]), (#"DPoP error="invalid_token""#, ["error": "invalid_token"]),
    ])
  func parameters(field: String, parameters: [String: String]) {
    #expect(Challenge(field)?.parameters == parameters)
  }

  @Test("another challenge is none", arguments: ["", "Basic realm=x", "Bearerer error=x", "DPoPe error=x"])
  func otherScheme(field: String) {
    #expect(Challenge(field) == nil)
  }
}
