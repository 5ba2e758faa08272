/// The header field that carries a token to a server. Tokens are sent in no other place, and never in a URL (RFC 6750
/// section 2.1, RFC 9700 section 4.3.2).
package struct AuthorizationHeader: Sendable {
  /// Scheme and token.
  package let value: String

  /// Refuses a token that a header field cannot carry. Every visible character is allowed, because providers use more of
  /// them than RFC 6750 section 2.1 does.
  package init(_ token: AccessToken, scheme: String) throws(Failure) {
    let text = token.revealed()
    guard !text.isEmpty, text.utf8.allSatisfy(\.isVisible) else {
      throw Failure(.unsupportedTokenType, "the token has characters that are not allowed in a header")
    }
    value = "\(scheme) \(text)"
  }

  package var field: Parameter { Parameter("Authorization", value) }
}

extension AuthorizationHeader: Redacted {}
