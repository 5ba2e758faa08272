/// Renews a token without the user (RFC 6749 section 6).
public struct RefreshSession: Sendable {
  private let dependencies: Dependencies

  /// Creates a session. One session can refresh any number of tokens.
  public init(_ dependencies: Dependencies) { self.dependencies = dependencies }

  /// Returns a new token for a refresh token.
  ///
  /// If the answer brings a new refresh token, the old one is dead, and the answer may be the only place that has the
  /// new one. So the new token is saved before the rest of the answer is checked: a provider that makes a mistake
  /// there must not cost the account. For the same reason a request that was sent is waited for and saved even if the
  /// task is cancelled.
  ///
  /// - Parameters:
  ///   - claims: The claims of the login, if they are known. A new id_token has to be about the same login (OpenID
  ///     Connect Core section 12.2).
  ///   - key: The private key that the token is bound to, if it is.
  ///   - type: The type of the old token, which the new one keeps if the answer does not name one.
  ///   - callback: The parameters of the callback that the preset wants repeated with each refresh.
  ///   - keep: Saves the new token.
  ///   - rescue: Saves the new refresh token of an answer that is otherwise unusable.
  public func token(
    for old: RefreshToken, of wanted: LoginRequest, claims: JSONObject? = nil,
    boundTo key: JSONObject? = nil, type: String? = nil, repeating callback: [Parameter] = [],
    keep: @escaping @Sendable (Token) async throws(Failure) -> Void = { _ in },
    rescue: @escaping @Sendable (RefreshToken) async throws(Failure) -> Void = { _ in }
  ) async throws(Failure) -> Token {
    let needed: [EndpointName] = [.token] + (wanted.isForOpenID || claims != nil ? [.keySet] : [])
    let login = try await wanted.completed(needing: needed, through: dependencies.transport)
      .withKeptKey(key, dependencies.cryptography).withProofKey(dependencies.cryptography)
    let echo =
      try login.provider.echoesTokenState ? OAuthState.chosen(nil, orFrom: dependencies.cryptography) : nil
    let renewal = try TokenRequest(.refresh(old), for: login, repeating: callback, state: echo)
    let (answer, token) = try await dependencies.unabandoned {
      () async throws(Failure) -> (TokenResponse, Token) in
      let server = dependencies.clientTransport(for: login)
      var answer = try TokenResponse(try await server.send(renewal.httpRequest), to: login)
      let new = answer.refreshToken
      answer.keep(old)
      answer.keep(type: type)
      let token: Token
      do throws(Failure) {
        token = try dependencies.token(answer, to: login, callback: callback)
      } catch {
        if let new, new != old { try await rescue(new) }
        throw error
      }
      try await keep(login.provider.hasOpaqueIDToken ? token : token.withoutIDToken)
      return (answer, token)
    }
    if let echo { try answer.checkEcho(of: echo, ifThere: true) }
    return try await identified(token, claims, login)
  }

  /// Verifies the id_token. Often there is none. One that cannot be verified is dropped unless the preset says
  /// otherwise.
  private func identified(
    _ token: Token, _ claims: JSONObject?, _ login: LoginRequest
  ) async throws(Failure) -> Token {
    guard let text = token.idToken else { return token }
    guard let check = IDTokenCheck(of: login, dependencies) else {
      return login.provider.hasOpaqueIDToken ? token : token.withoutIDToken
    }
    let identity = try await check.verifiedRefreshed(
      text, original: claims, accessToken: token.accessToken, maxAge: login.maxAge,
      at: dependencies.clock.now())
    return token.with(identity, repeatsNonce: claims?["nonce"] != nil && identity.claims["nonce"] != nil)
  }
}
