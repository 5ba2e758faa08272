/// The provider's statement about who signed in (OpenID Connect Core section 2).
///
/// Only ``IDTokenVerifier`` makes one, after it has verified the signature and the claims.
package struct IDToken: Sendable, Equatable {
  /// The token as it came, for an `id_token_hint`.
  package let text: String
  /// The user's identifier: unique at the issuer, and never given to another user.
  package let subject: String
  /// All claims.
  package let claims: JSONObject

  init(text: String, subject: String, claims: JSONObject) {
    (self.text, self.subject, self.claims) = (text, subject, claims)
  }

  /// True if both are about one user of one provider. The two tokens of a hybrid login have to be (OpenID Connect
  /// Core section 3.3.3.6).
  func hasSameSubject(as other: IDToken) -> Bool {
    claims["iss"] == other.claims["iss"] && claims["sub"] == other.claims["sub"]
  }
}

extension IDToken: Redacted {}

/// The request and the answer that an id_token has to belong to.
package struct IDTokenBinding: Sendable {
  /// The way by which an id_token came.
  package enum Channel: Sendable {
    /// Through the user agent, which could have changed it: nonce and hashes are required.
    case front
    /// In the answer of the token endpoint.
    case back
  }

  /// The way by which the token came.
  package var channel: Channel
  /// The nonce of the request. If it is nil, the token must not have one either.
  package var nonce: Nonce?
  /// The access token in the same answer.
  package var accessToken: AccessToken?
  /// The code in the same answer.
  package var code: AuthorizationCode?
  /// The greatest age of the user's sign-in, in seconds, if the request gave one.
  package var maxAge: Int?
  /// The authentication contexts that the request asked for.
  package var contexts: [String] = []
}

/// The issuers of a provider that has one for each group of its users, such as the directories of Microsoft Entra: a URL
/// in which one segment of the path is the value of a claim.
struct IssuerPattern: Sendable, CustomStringConvertible {
  /// The pattern as a preset has it, such as `https://login.example/{tid}/v2.0`.
  let description: String
  private let prefix: String
  private let claim: String
  private let suffix: String

  /// Returns nil unless the text is an issuer with a claim in the place of one segment.
  init?(_ text: String) {
    let (prefix, rest) = text.splitOnce(at: "{")
    let (claim, suffix) = (rest ?? "").splitOnce(at: "}")
    guard let suffix, !claim.isEmpty,
      claim.utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }),
      prefix.utf8.last == UInt8(ascii: "/"), suffix.isEmpty || suffix.utf8.first == UInt8(ascii: "/"),
      (try? Issuer(String(prefix.dropLast()))) != nil, (try? Issuer(prefix + "x" + suffix)) != nil
    else { return nil }
    description = text
    (self.prefix, self.claim, self.suffix) = (prefix, claim, suffix)
  }

  /// True if `issuer` is the pattern with the value of the claim, byte for byte. A value that is more than one segment
  /// of a path could make one address look like another, so it never matches.
  func matches(_ issuer: String, claims: JSONObject) -> Bool {
    guard let value = claims[claim]?.string, !value.isEmpty, value != ".", value != "..",
      value.utf8.allSatisfy(\.isUnreserved)
    else { return false }
    return (prefix + value + suffix).isIdentical(to: issuer)
  }

  /// True if a key may sign for an issuer. A key that names an issuer signs for that one only. A key that names this
  /// pattern signs for all its issuers; the name of the claim does not matter.
  func allows(keyOf owner: String?, for issuer: String) -> Bool {
    guard let owner else { return true }
    guard let pattern = IssuerPattern(owner) else { return owner.isIdentical(to: issuer) }
    return pattern.prefix.isIdentical(to: prefix) && pattern.suffix.isIdentical(to: suffix)
  }
}
