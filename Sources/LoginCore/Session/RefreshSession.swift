/// Renews a token without the user (RFC 6749 section 6).
public struct RefreshSession: Sendable {
  private let dependencies: Dependencies

  /// A renewal by these means.
  public init(_ dependencies: Dependencies) { self.dependencies = dependencies }

  /// A new token for an old refresh token. Where the provider sends no new refresh token the old one stays;
  /// where it does, the old one is dead. So `keep` is given the new token before anything else of the answer is
  /// judged: a provider that then says something wrong has not taken the account along.
  ///
  /// `claims` are those of the login that is renewed, where they are known: an id_token that comes along has to
  /// be about the same login (OpenID Connect Core section 12.2). `callback` repeats what the preset wants repeated
  /// of the callback of that login. `key` is what the token is bound to, if it is, and `type` its type, which stays where
  /// the answer has none. `rescue` is given the new refresh token of an answer that is of no use otherwise.
  ///
  /// A task that is cancelled asks for nothing any more. What has been asked for by then is waited for and kept all
  /// the same: an answer that nobody takes may be the only one that knows the new refresh token.
  public func token(
    for old: RefreshToken, of wanted: LoginRequest, claims: JSONObject? = nil,
    boundTo key: JSONObject? = nil, type: String? = nil, repeating callback: [Parameter] = [],
    keep: @escaping @Sendable (Token) async throws(Failure) -> Void = { _ in },
    rescue: @escaping @Sendable (RefreshToken) async throws(Failure) -> Void = { _ in }
  ) async throws(Failure) -> Token {
    let mayBeIdentified = wanted.isForOpenID || claims != nil
    let login = try await wanted.completed(
      needing: mayBeIdentified ? [.token, .keySet] : [.token], through: dependencies.transport
    ).withProofKey(of: key, dependencies.cryptography)
    let echo =
      try login.provider.echoesTokenState ? State.chosen(nil, orFrom: dependencies.cryptography) : nil
    let renewal = try TokenRequest(.refresh(old), for: login, repeating: callback, state: echo)
    let (answer, token) = try await dependencies.unabandoned {
      () async throws(Failure) -> (TokenResponse, Token) in
      var answer = try TokenResponse(
        try await login.ownEndpoints(dependencies).send(renewal.httpRequest), to: login)
      let new = answer.refreshToken
      answer.keep(old)
      answer.keep(type: type)
      let token: Token
      do throws(Failure) {
        token = try Token(
          answer, to: login, callback: callback, checks: Checks(), receivedAt: dependencies.clock.now())
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

  /// Often there is no new id_token. One that cannot be verified is not passed on, unless the preset says so.
  private func identified(
    _ token: Token, _ claims: JSONObject?, _ login: LoginRequest
  ) async throws(Failure) -> Token {
    guard let text = token.idToken else { return token }
    guard let check = IDTokenCheck(of: login, dependencies) else {
      return login.provider.hasOpaqueIDToken ? token : token.withoutIDToken
    }
    let identity = try await check.verifiedRefreshed(
      text, original: claims, accessToken: token.accessToken, at: dependencies.clock.now())
    return token.with(identity, repeatsNonce: claims?["nonce"] != nil && identity.claims["nonce"] != nil)
  }
}

extension LoginRequest {
  /// What a refresh repeats of the callback that a token came with.
  public func repeated(from token: Token) -> [Parameter] {
    provider.callbackParameters.compactMap { name in
      token.members[name]?.string.map { Parameter(name, $0) }
    }
  }
}
