import Testing

@testable import LoginCore

@Suite("AuthorizationHeader")
struct AuthorizationHeaderTests {
  /// The failure for a token that no header field can carry.
  static let unsendable = Failure(
    .unsupportedTokenType, "the token has characters that are not allowed in a header")

  @Test("The token stands behind its scheme, and is not printed")
  func value() throws {
    let header = try AuthorizationHeader(AccessToken("s3cretSECRET"), scheme: "DPoP")
    #expect(header.field == Parameter("Authorization", "DPoP s3cretSECRET"))
    for text in ["\(header)", String(reflecting: header), "\([header])"] {
      #expect(!text.contains("s3cretSECRET"), "\(text)")
    }
  }

  // RFC 6749 section 7.1.
  @Test(
    "A token of an unknown type is refused", arguments: [nil, "bearer", "DPoP", "mac", "N_A", "Bearer x", ""])
  func types(type: String?) throws {
    let token = Token(
      accessToken: AccessToken("T"), type: type, expiresAt: nil, members: [:], checks: Checks())
    if type == nil || type == "bearer" || type == "DPoP" {
      #expect(try AuthorizationHeader(token).value == (type == "DPoP" ? "DPoP T" : "Bearer T"))
    } else {
      expectFailure(.unsupportedTokenType(type ?? "")) { _ = try AuthorizationHeader(token) }
    }
  }

  // RFC 6750 section 2.1.
  @Test(
    "A token that no header field can carry is refused",
    arguments: ["", "a b", "a\n", "a\r\nX: y", "a\u{0}b", "\u{7F}", "é"])
  func unsendable(token: String) {
    expectFailure(Self.unsendable) { _ = try AuthorizationHeader(AccessToken(token), scheme: "Bearer") }
  }
}
