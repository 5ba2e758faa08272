/// A request that ends the user's session at the provider (OpenID Connect RP-Initiated Logout section 2).
public struct EndSessionRequest: Sendable {
  /// The page to open.
  public let url: String
  /// What the answer repeats.
  let state: State
  private let redirectURI: RedirectURI

  /// Refuses a provider without an end of sessions. `idToken` tells whose session; without it the provider asks.
  public init(
    for login: LoginRequest, idToken: String?, returningTo redirectURI: RedirectURI,
    cryptography: any Cryptography
  ) throws(Failure) {
    let endpoint = try login.provider.endpoint(.endSession)
    state = try .chosen(nil, orFrom: cryptography)
    self.redirectURI = redirectURI
    let parameters = [
      idToken.map { Parameter("id_token_hint", $0) }, Parameter("client_id", login.clientID),
      Parameter("post_logout_redirect_uri", redirectURI.description), Parameter("state", state.revealed()),
    ]
    url = endpoint.adding(parameters.compactMap(\.self)).description
  }

  /// The visit that carries the request.
  public var visit: Visit {
    Visit(url: url, policy: NavigationPolicy(redirectURI: redirectURI), state: state)
  }

  /// Accepts an answer that repeats the state (section 3); any other is not this session's end.
  public func check(_ callback: Callback) throws(Failure) {
    let query = try callback.channels().query
    if let name = query.repeatedName { throw .untrusted(.duplicateParameter(name)) }
    guard let received = query["state"] else { throw .untrusted(.stateMissing) }
    guard State(received) == state else { throw .untrusted(.stateMismatch) }
  }
}
