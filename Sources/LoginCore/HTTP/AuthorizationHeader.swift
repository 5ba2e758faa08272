/// The header field that carries a token to a server: tokens are sent nowhere else, and never in a URL
/// (RFC 6750 section 2.1, RFC 9700 section 4.3.2).
package struct AuthorizationHeader: Sendable {
  /// Scheme and token.
  package let value: String

  /// RFC 6750 section 2.1 with every visible character allowed, since providers use more than base64's.
  package init(_ token: AccessToken, scheme: String) throws(Failure) {
    let text = token.revealed()
    guard !text.isEmpty, text.utf8.allSatisfy(\.isVisible) else {
      throw .untrusted(.unsendableToken)
    }
    value = "\(scheme) \(text)"
  }

  var field: Parameter { Parameter("Authorization", value) }
}

extension AuthorizationHeader: Redacted {}
