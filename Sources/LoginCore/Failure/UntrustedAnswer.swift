/// An answer that must not be trusted.
public enum UntrustedAnswer: Sendable, Equatable {
  /// The callback belongs to another request, or to none (RFC 6749 section 10.12).
  case stateMismatch, stateMissing
  /// The callback comes from another authorization server, or does not say from which although it had to (RFC 9207
  /// section 2.4).
  case issuerMismatch, issuerMissing
  /// What an authorization server says of itself is about another one (RFC 8414 section 3.3).
  case metadataIssuerMismatch
  /// What an API, or the server that issues its tokens, says of itself leads somewhere else, or to a weaker login.
  indirect case metadata(MetadataFault)  // inline, it makes the compiler misread what optional failures are
  /// A parameter is there twice (RFC 6749 section 3.1).
  case duplicateParameter(String)
  /// A callback that no provider would send.
  case malformedCallback(CallbackFault)
  /// What makes a token a token is not there: all of it at once.
  case missingToken([String])
  /// A token of a type that would be misused (RFC 6749 section 7.1).
  case unsupportedTokenType(String)
  /// The token is not bound to the key of the login, so that whoever steals it could use it (RFC 9449 section 5).
  case unboundToken
  /// The token has characters that no header field may carry.
  case unsendableToken
  /// An id_token that does not prove who signed in (OpenID Connect Core section 3.1.3.7).
  case invalidIDToken(IDTokenFault)
  /// An id_token that belongs to another request (OpenID Connect Core section 3.1.3.7, step 11).
  case nonceMismatch
  /// Claims about another user than the one who signed in (OpenID Connect Core section 5.3.2).
  case subjectMismatch
}

/// Why a callback is one that no provider would send.
public enum CallbackFault: Sendable, Equatable {
  /// A code alone, where that proves nothing.
  case bareCode
  /// Parameters that have to be there are not.
  case missing([String])
  /// A value that is to be used has control characters, or bytes that are no text.
  case notText(String)
  /// It is not UTF-8.
  case notUTF8
  /// It is more than ``Callback/maximumLength`` or ``Callback/maximumParameters``.
  case tooLong, tooManyParameters
  /// It is not the answer that is waited for.
  case stray
}

/// Why the description of an API, or of the server that issues its tokens, is not believed.
public enum MetadataFault: Sendable, Equatable {
  /// It is about another API than the one that was asked (RFC 9728 section 3.3).
  case otherResource(asked: String, named: String)
  /// It is about another server than the one that was asked (RFC 8414 section 3.3).
  case otherIssuer(asked: String, named: String)
  /// The server does not say that it binds codes to requests by S256 (RFC 7636 section 4.2).
  case noS256(issuer: String)
}
