/// Who signed in, as the provider testifies (OpenID Connect Core section 2).
///
/// Only ``IDTokenVerifier`` makes one, so whoever holds it knows that the signature and then the claims were
/// verified.
public struct IDToken: Sendable, Equatable {
  /// The token as it came, for an `id_token_hint`.
  public let text: String
  /// Who it is, unique at the issuer and never given to somebody else.
  public let subject: String
  /// All claims.
  public let claims: JSONObject

  init(text: String, subject: String, claims: JSONObject) {
    self.text = text
    self.subject = subject
    self.claims = claims
  }

  /// Whether both testify for one user of one provider, as the two tokens of a hybrid login have to (OpenID
  /// Connect Core section 3.3.3.6).
  package func hasSameSubject(as other: IDToken) -> Bool {
    claims["iss"] == other.claims["iss"] && claims["sub"] == other.claims["sub"]
  }
}

extension IDToken: Redacted {}
