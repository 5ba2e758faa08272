/// A request or configuration that is wrong; nothing was opened.
public enum CallerFault: Sendable, Equatable {
  /// Nobody says where the provider does this.
  case noEndpoint(EndpointName)
  /// Nobody says which client asks, or no provider is known either that would make one.
  case noClient, noClientNorRegistration
  /// A login without a state is safe only for a code that PKCE protects.
  case unprotectedWithoutState
  /// A token in a query is seen by servers and kept in their logs (RFC 6749 section 4.2.2).
  case tokenInQuery
  /// Only a token that a code is exchanged for can be bound to a key.
  case boundTokenWithoutCode
  /// An answer is posted to a listener on this machine, and the redirect URI is elsewhere.
  case postedElsewhere
  /// A value that was chosen for this run is not of the form that the standards demand.
  case malformed(FixedValue)
  /// A parameter would be sent twice (RFC 6749 section 3.1).
  case repeatedParameter(String)
  /// An id_token was asked for, and nobody could verify it without issuer and keys.
  case unverifiableIDToken
  /// An id_token in a callback has to be verified, and the preset says that it cannot be.
  case opaqueIDTokenInCallback
  /// A code for another device brings nothing but a token.
  case responseTypeForDevice
  /// The token is for another API than the one at this address.
  case otherResource(String)
  /// A client that proves nothing gets no token of its own.
  case clientWithoutSecret
  /// The provider takes no proofs that are signed with this algorithm.
  case proofAlgorithm(String)
  /// The token is bound to a key that is not there, or that is none.
  case noProofKey, malformedProofKey
  /// There is no access token to ask with.
  case noAccessToken
  /// The provider wants to hear something that is not known.
  case noMember(String)
  /// No method of a request.
  case method(String)
  /// A header field that cannot be added to a request.
  case header(String, HeaderFault)
  /// A token that would be sent where it does not belong.
  case originNotAllowed(String)
  /// A variable of the preset that was not given, and what it is.
  case noVariable(String, meaning: String)
  /// A variable that the preset does not have.
  case unknownVariable(String, nearest: String?)
  /// The values that were given do not fit the preset.
  case unfitVariables(PresetFault.Reason)
  /// The provider's identifier is no address that can be asked.
  case issuer(Issuer, AddressFault)
  /// The API does not say who issues its tokens (RFC 9728).
  case noAuthorizationServer(resource: String)
  /// The server makes no clients by itself; where it says how people do that, if it does.
  case noClientWithoutRegistration(issuer: Issuer, documentation: String?)

  /// What is otherwise made at random.
  public enum FixedValue: Sendable, Equatable {
    /// The one of that name in the request.
    case state, nonce, codeVerifier
    /// What the provider wants of new clients.
    case initialAccessToken
  }
}

/// Why a header field cannot be added to a request.
public enum HeaderFault: Sendable, Equatable {
  /// The request sets it itself.
  case reserved
  /// Its name is none, or its value has control characters.
  case name, controlCharacters
}
