import Testing

@testable import LoginCore

@Suite("AuthorizationHeader")
struct AuthorizationHeaderTests {
  @Test("The token is behind its scheme, and is not shown by accident")
  func value() throws {
    let header = try AuthorizationHeader(AccessToken("s3cretSECRET"), scheme: "DPoP")
    #expect(header.field == Parameter("Authorization", "DPoP s3cretSECRET"))
    for text in ["\(header)", String(reflecting: header), "\([header])"] {
      #expect(!text.contains("s3cretSECRET"), "\(text)")
    }
  }

  // RFC 6750 section 2.1.
  @Test("What no header may carry is no token", arguments: ["", "a b", "a\r\nX: y", "a\u{0}", "é"])
  func unsendable(token: String) {
    #expect(throws: Failure.untrusted(.unsendableToken)) {
      try AuthorizationHeader(AccessToken(token), scheme: "Bearer")
    }
  }
}
