/// Renews a token without the user (RFC 6749 section 6).
public struct RefreshSession: Sendable {
  private let dependencies: Dependencies

  /// Creates a session. One session can refresh any number of tokens.
  public init(_ dependencies: Dependencies) { self.dependencies = dependencies }

  /// Returns a new token for a refresh token. Save its refresh token before you use it: the old one may be dead.
  ///
  /// - Parameters:
  ///   - old: The refresh token.
  ///   - wanted: The request of the login that brought it.
  ///   - key: The `proofKey` of the old token, if it has one.
  public func token(
    for old: RefreshToken, of wanted: LoginRequest, boundTo key: JSONObject? = nil
  ) async throws(Failure) -> Token {
    try await token(for: old, of: wanted, claims: nil, boundTo: key)
  }

  /// Returns a new token for a refresh token.
  ///
  /// If the answer brings a new refresh token, the old one is dead, and the answer may be the only place that has the
  /// new one. So the new refresh token is saved before the rest of the answer is checked: a provider that makes a mistake
  /// there must not cost the account. The access token is saved only once the whole answer can be trusted, or the next
  /// caller would get it. A request that was sent is waited for and saved even if the task is cancelled.
  ///
  /// - Parameters:
  ///   - old: The refresh token.
  ///   - wanted: The request of the login that brought it.
  ///   - claims: The claims of the login, if they are known. A new id_token has to be about the same login (OpenID
  ///     Connect Core section 12.2).
  ///   - key: The private key that the token is bound to, if it is.
  ///   - type: The type of the old token, which the new one keeps if the answer does not name one.
  ///   - callback: The parameters of the callback that the preset wants repeated with each refresh.
  ///   - rescue: Saves the new refresh token of an answer that is not yet trusted.
  ///   - keep: Saves the new token.
  package func token(
    for old: RefreshToken, of wanted: LoginRequest, claims: JSONObject?,
    boundTo key: JSONObject? = nil, type: String? = nil, repeating callback: [Parameter] = [],
    rescue: @escaping @Sendable (RefreshToken) async throws(Failure) -> Void = { _ in },
    keep: @escaping @Sendable (Token) async throws(Failure) -> Void = { _ in }
  ) async throws(Failure) -> Token {
    let needed: [EndpointName] = [.token] + (wanted.isForOpenID || claims != nil ? [.keySet] : [])
    let login = try await wanted.completed(needing: needed, through: dependencies.transport)
      .withKeptKey(key, dependencies.cryptography).withProofKey(dependencies.cryptography)
    let echo =
      try login.provider.echoesTokenState ? OAuthState.chosen(nil, orFrom: dependencies.cryptography) : nil
    let renewal = try TokenRequest(.refresh(old), for: login, repeating: callback, state: echo)
    let check = IDTokenCheck(of: login, dependencies)
    let token = try await dependencies.unabandoned { () async throws(Failure) -> Token in
      let response = try await dependencies.clientTransport(for: login).send(renewal.httpRequest)
      var answer: TokenResponse
      do throws(Failure) { answer = try TokenResponse(response, to: login) } catch {
        throw error.with(delay: response.delay(at: dependencies.clock.now()))
      }
      let new = answer.refreshToken.flatMap { $0 == old ? nil : $0 }
      answer.keep(old)
      answer.keep(type: type)
      let token: Token
      do throws(Failure) {
        token = try dependencies.token(answer, to: login, callback: callback)
        if let echo { try answer.checkEcho(of: echo, ifThere: true) }
      } catch {
        if let new { try await rescue(new) }
        throw error
      }
      if token.idToken != nil, check != nil {
        if let new { try await rescue(new) }
        return token
      }
      let known = login.provider.hasOpaqueIDToken ? token : token.withoutIDToken
      try await keep(known)
      return known
    }
    guard let check, let text = token.idToken else { return token }
    let identity = try await check.verifiedRefreshed(
      text, original: claims, accessToken: token.accessToken, maxAge: login.maxAge,
      at: dependencies.clock.now())
    let identified = token.with(
      identity, repeatsNonce: claims?["nonce"] != nil && identity.claims["nonce"] != nil)
    try await keep(identified)
    return identified
  }
}

extension Failure {
  /// The failure with the seconds for which the server wants no further request.
  fileprivate func with(delay: Int64?) -> Failure {
    guard let delay, delay > 0 else { return self }
    return with(details: ["retry_after": .number(JSONNumber(delay))])
  }
}
