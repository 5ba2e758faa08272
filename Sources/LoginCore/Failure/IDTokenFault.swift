/// Why an id_token is not believed (OpenID Connect Core section 3.1.3.7). A nonce that is not ours is a
/// failure of its own, ``UntrustedAnswer/nonceMismatch``.
public enum IDTokenFault: Sendable, Equatable {
  /// It is no JWS, or not one of a key of the provider.
  case jose(JOSEFault)
  /// It is signed with an algorithm that was not agreed upon.
  case algorithmNotAllowed(String)
  /// The client secret is shorter than the algorithm demands (RFC 7518 section 3.2).
  case secretTooShort
  /// It is a token of another kind (RFC 8725 section 3.11).
  case otherType(String)
  /// Its payload is not one JSON object.
  case malformedPayload(JSONFault)
  /// What every id_token has is not there: all of it at once.
  case missing([String])
  /// A claim is not of the type that it must have.
  case malformedClaim(String)
  /// It comes from another provider, is not meant for this client alone, or was issued to another one.
  case issuer, audience, authorizedParty
  /// Its time has passed, or has not come.
  case expired, notYetValid, issuedInFuture
  /// The user signed in longer ago, or in another way, than was asked for.
  case authenticationTooOld, authenticationContext
  /// It belongs to another access token, or to another code.
  case accessTokenHash, codeHash
  /// It is about another user than the one that came through the user agent (section 3.3.3.6).
  case otherUser
  /// It is about another login than the one that is being refreshed; the claim that differs.
  case otherLogin(String)
}
