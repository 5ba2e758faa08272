/// Ends the session of a kept account at its provider, and revokes its tokens. Delete the account from the store
/// afterwards: as long as it is there, a failed logout can be repeated.
package struct LogoutSession: Sendable {
  private let dependencies: Dependencies

  /// Creates a session. One session can log out any number of accounts.
  package init(_ dependencies: Dependencies) { self.dependencies = dependencies }

  /// The things that a logout has ended. Not every provider can end all of them.
  package struct Ended: Sendable, Equatable {
    /// The revoked tokens, by their names in RFC 7009 section 2.1.
    package var revoked: [String] = []
    /// True if the session at the provider is over.
    package var isSessionOver = false
  }

  /// Returns the request for the page that ends the user's session and then leads to `redirectURI`, or nil if the provider
  /// has no such page.
  package func page(
    for account: Account, returningTo redirectURI: RedirectURI
  ) async throws(Failure) -> EndSessionRequest? {
    guard account.login.provider.logoutRequest == nil else { return nil }
    let login = try await account.login.completed(needing: [.endSession], through: dependencies.transport)
    guard login.provider.endpoints[.endSession] != nil else { return nil }
    return try EndSessionRequest(
      for: login, idToken: account.token.idToken, returningTo: redirectURI,
      cryptography: dependencies.cryptography)
  }

  /// Ends session and tokens without the user. The session comes first, because ending it takes a good token. The refresh
  /// token comes before the access token, which may be revoked with it (RFC 7009 section 2.1).
  package func end(_ account: Account) async throws(Failure) -> Ended {
    let login = try await account.login.completed(needing: [.revocation], through: dependencies.transport)
    var ended = Ended()
    if account.token.accessToken != nil, !account.token.isExpired(at: dependencies.clock.now()),
      let request = try LogoutRequest(account.token, for: login)
    {
      let resources = try dependencies.resourceTransport(for: account.token)
      try LogoutRequest.check(try await resources.send(request.httpRequest))
      ended.isSessionOver = true
    }
    guard login.provider.endpoints[.revocation] != nil else { return ended }
    // The standards do not ask for a DPoP proof here, but some servers do.
    let server = dependencies.clientTransport(
      for: try login.withKeptKey(account.token.proofKey, dependencies.cryptography))
    let tokens: [RevocationRequest.Revoked?] = [
      account.refreshToken.map { .refresh($0) }, account.token.accessToken.map { .access($0) },
    ]
    // A preset may say that the provider revokes tokens of one kind only.
    let kinds = login.provider.revocationParameters
    for case let token? in tokens where kinds?.contains(where: token.kind.isIdentical) ?? true {
      let request = try RevocationRequest(token, for: login)
      if try RevocationRequest.isDone(try await server.send(request.httpRequest)) {
        ended.revoked.append(token.kind)
      }
    }
    return ended
  }
}

/// A page that ends the user's session at the provider (OpenID Connect RP-Initiated Logout section 2).
package struct EndSessionRequest: Sendable {
  /// The page to open.
  let url: String
  /// The state that the answer must repeat.
  let state: OAuthState
  private let redirectURI: RedirectURI

  /// Refuses a provider without such a page. `idToken` tells the provider whose session to end; without it, the provider
  /// asks the user.
  init(
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

  /// The visit of the page.
  package var visit: Visit {
    Visit(url: url, policy: NavigationPolicy(redirectURI: redirectURI), state: state)
  }

  /// Refuses a callback that does not repeat the state (section 3).
  package func check(_ callback: Callback) throws(Failure) {
    let query = try callback.channels().query
    if let name = query.repeatedName { throw .duplicateParameter(name) }
    guard let received = query["state"] else { throw .stateMissing }
    guard OAuthState(received) == state else { throw .stateMismatch }
  }
}

/// A provider's own request that ends a session. It follows no standard, so a preset describes it.
struct LogoutRequest: Sendable {
  /// The HTTP request, with the token in the header field.
  let httpRequest: HTTPRequest

  /// Returns nil for a provider without such a request.
  init?(_ token: Token, for login: LoginRequest) throws(Failure) {
    guard let form = login.provider.logoutRequest, let endpoint = login.provider.endpoints[.endSession] else {
      return nil
    }
    httpRequest = try form.request(
      to: endpoint, with: token, clientID: login.clientID, headers: login.provider.headers)
  }

  /// Accepts a success, and a token that was invalid already, because no session is left then.
  static func check(_ response: HTTPResponse) throws(Failure) {
    if [200, 204].contains(response.status), response.body.isEmpty { return }
    if response.status == 503 { throw .sessionNotEnded }
    do throws(Failure) {
      _ = try EndpointAnswer.members(of: response, from: .endSession)
    } catch {
      if error.code != .provider("invalid_token") { throw error }
    }
  }
}

/// A revocation request (RFC 7009 section 2.1).
struct RevocationRequest: Sendable {
  /// A token that can be revoked.
  enum Revoked: Sendable {
    /// A refresh token. The provider may revoke its access tokens with it.
    case refresh(RefreshToken)
    /// One access token.
    case access(AccessToken)

    /// The `token_type_hint` (RFC 7009 section 2.1).
    var kind: String {
      switch self {
      case .refresh: "refresh_token"
      case .access: "access_token"
      }
    }
  }

  /// The HTTP request, with which the client authenticates.
  let httpRequest: HTTPRequest

  /// Refuses a provider without a revocation endpoint.
  init(_ token: Revoked, for login: LoginRequest) throws(Failure) {
    let endpoint = try login.provider.endpoint(.revocation)
    let text =
      switch token {
      case .refresh(let token): token.revealed()
      case .access(let token): token.revealed()
      }
    let named =
      login.provider.revocationParameters == nil
      ? [Parameter("token", text), Parameter("token_type_hint", token.kind)] : [Parameter(token.kind, text)]
    httpRequest = HTTPRequest(post: named, to: endpoint, provingClientOf: login)
  }

  /// Returns true if the token is invalid now, even if the provider did not know it (RFC 7009 section 2.2, and Google's
  /// `invalid_token`). Returns false if the provider does not revoke tokens of its kind (section 2.2.1). Throws for other
  /// answers, after which the token is still good.
  static func isDone(_ response: HTTPResponse) throws(Failure) -> Bool {
    if response.status == 200 || response.status == 204 { return true }
    if response.status == 503 { throw .tokenNotRevoked }
    do throws(Failure) {
      _ = try EndpointAnswer.members(of: response, from: .revocation)
      return true
    } catch {
      switch error.code {
      case .provider("invalid_token"): return true
      case .provider("unsupported_token_type"): return false
      default: throw error
      }
    }
  }
}
