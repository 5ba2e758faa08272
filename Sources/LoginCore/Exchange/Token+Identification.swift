/// The last step of every login at which somebody signs in.
extension Token {
  /// The token with what its id_token testifies (OpenID Connect Core sections 3.1.3.7 and 3.3.3.6). One that was
  /// asked for has to be there, or in the callback; one that cannot be verified is not passed on, unless the
  /// preset says so.
  func identified(
    for login: LoginRequest, by check: IDTokenCheck?, nonce: Nonce? = nil, as earlier: IDToken? = nil,
    clock: any WallClock
  ) async throws(Failure) -> Token {
    guard let text = idToken else {
      if let earlier { return with(earlier, repeatsNonce: nonce != nil) }
      if login.asksForIDToken { throw .untrusted(.missingToken(["id_token"])) }
      return self
    }
    guard let check else { return login.provider.hasOpaqueIDToken ? self : withoutIDToken }
    let binding = IDTokenBinding(
      .back, nonce: nonce, accessToken: accessToken, maxAge: login.maxAge,
      contexts: login.authenticationContexts)
    let identity = try await check.verified(text, binding, at: clock.now())
    if let earlier, !identity.hasSameSubject(as: earlier) { throw .invalidIDToken(.otherUser) }
    return with(identity, repeatsNonce: nonce != nil)
  }
}

extension LoginRequest {
  /// Refuses a login whose id_token nobody could verify. One that comes through the user agent could be
  /// anybody's, so for that the preset's word is not enough.
  func checkWithoutVerification() throws(Failure) {
    let isPassedOn = provider.hasOpaqueIDToken
    if isPassedOn, responseType.includesIDToken {
      throw .caller(.opaqueIDTokenInCallback)
    }
    if !isPassedOn, asksForIDToken { throw .caller(.unverifiableIDToken) }
  }
}
