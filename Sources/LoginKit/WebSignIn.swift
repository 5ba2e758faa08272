import GLibSupport
import LoginCore
import SignIn

/// Sign-ins at a web server, whose users come with browsers of their own. See <doc:SigningInToAServer>.
extension OAuthClient {
  /// Begins a sign-in. Redirect the browser to the page in the result, and keep the result in the browser's session.
  ///
  /// The provider sends the browser back to the redirect URI of ``login``, such as `https://app.example/callback`.
  ///
  /// - Parameters:
  ///   - scope: The scope to ask for. By default it is that of ``login``.
  ///   - lifetime: The time within which the user has to come back.
  public func begin(
    scope: String? = nil, lifetime: Duration = .seconds(600)
  ) async throws(Failure) -> PendingLogin {
    var wanted = login
    wanted.scope = scope ?? wanted.scope
    return try await call(false, mayUnlock: false) { [wanted] call throws(Failure) in
      try await PendingLogin(wanted, lifetime: lifetime.components.seconds, call.host.dependencies)
    }
  }

  /// Finishes a sign-in, and returns its token, which is not kept. The client may be another one than that which began it, also
  /// in another process, if both are for the same client ID and provider.
  ///
  /// - Parameters:
  ///   - pending: The sign-in that this browser has begun. Delete it from the session first: it must be used once.
  ///   - callback: The address at which the browser came back: all of it, or its path and query, such as
  ///     `/callback?code=…&state=…`.
  public func finish(_ pending: PendingLogin, callback: String) async throws(Failure) -> Token {
    try await call(false, mayUnlock: false) { call throws(Failure) in
      try await pending.token(from: callback, of: login, call.host.dependencies)
    }
  }

  /// Keeps a token as an account, for ``freshToken(account:forcingRefresh:signingIn:)`` and
  /// ``request(_:method:headers:body:account:signingIn:receive:)``. A server best names the account by the user's `sub`.
  public func keep(_ token: Token, account: String) async throws(Failure) {
    try await call(false, mayUnlock: false) { call throws(Failure) in
      let clock = call.host.clock
      var kept = Account(
        try accountName(account), provider: login.provider.issuer?.description, login: login, token: token,
        receivedAt: clock.now())
      kept.origins = try origins
      let login = AccountLogin(store: try call.host.store, clock: clock, waits: waitsForOthers)
      _ = try await login.account(kept.name) { [kept] () throws(Failure) in kept }
    }
  }
}

/// Tokens that a server gets from other programs. A token that is refused has the code `Failure.Code.invalidAccessToken`.
extension OAuthClient {
  /// Returns the claims of an access token that is a JWT (RFC 9068), after they were verified with the provider's keys. A
  /// token that is bound to a key is refused, since only the request could prove the key.
  ///
  /// - Parameters:
  ///   - accessToken: The token in the request.
  ///   - audience: The name by which the provider knows your API.
  public func validate(accessToken: String, audience: String) async throws(Failure) -> TokenClaims {
    try await call(false, mayUnlock: false) { call throws(Failure) in
      let check = AccessTokenCheck(for: audience, call.host.dependencies)
      return try await check.claims(of: accessToken, from: login.provider)
    }
  }

  /// Returns what the provider says about an access token of any kind (RFC 7662). The client needs a secret or a key at most
  /// providers. With `audience`, the provider has to name it.
  public func introspect(
    accessToken: String, audience: String? = nil
  ) async throws(Failure) -> TokenClaims {
    try await call(false, mayUnlock: false) { call throws(Failure) in
      try await IntrospectionSession(call.host.dependencies).claims(
        of: AccessToken(accessToken), for: login, audience: audience)
    }
  }

  /// Returns the claims of an id_token of this client that a request shows again to say who it is for, such as an
  /// `id_token_hint`. It may have expired, so it proves who the user is, and not that the user is there.
  public func validate(idTokenHint: String) async throws(Failure) -> TokenClaims {
    try await call(false, mayUnlock: false) { call throws(Failure) in
      try await login.claims(ofHint: idTokenHint, call.host.dependencies)
    }
  }
}
