/// Ends at its provider what a kept account is good for. It forgets nothing: that comes after it, so that a failure
/// loses nothing.
public struct LogoutSession: Sendable {
  private let dependencies: Dependencies

  /// A session by these means.
  public init(_ dependencies: Dependencies) { self.dependencies = dependencies }

  /// What the provider has ended.
  public struct Ended: Sendable, Equatable {
    /// The tokens that are worthless now, by their names in RFC 7009 section 2.1.
    public var revoked: [String] = []
    /// Whether the provider's own session of this account is over.
    public var isSessionOver = false

    /// No token yet.
    package init(isSessionOver: Bool = false) { self.isSessionOver = isSessionOver }
  }

  /// The page that ends the user's session, where the provider has one, on the way back to `redirectURI`.
  public func page(
    for account: Account, returningTo redirectURI: RedirectURI
  ) async throws(Failure) -> EndSessionRequest? {
    guard account.login.provider.logoutRequest == nil else { return nil }
    let login = try await account.login.completed(needing: [.endSession], through: dependencies.transport)
    guard login.provider.endpoints[.endSession] != nil else { return nil }
    return try EndSessionRequest(
      for: login, idToken: account.token.idToken, returningTo: redirectURI,
      cryptography: dependencies.cryptography)
  }

  /// Ends session and tokens without the user. The session comes first, since that takes a token that is good; the
  /// refresh token comes before the access token, which may go with it (RFC 7009 section 2.1).
  public func end(_ account: Account) async throws(Failure) -> Ended {
    let login = try await account.login.completed(needing: [.revocation], through: dependencies.transport)
    var ended = Ended()
    if account.token.accessToken != nil, !account.token.isExpired(at: dependencies.clock.now()),
      let request = try LogoutRequest(account.token, for: login)
    {
      let resources = try account.token.resources(dependencies)
      try LogoutRequest.check(try await resources.send(request.httpRequest))
      ended.isSessionOver = true
    }
    guard login.provider.endpoints[.revocation] != nil else { return ended }
    // No standard asks for a proof here; servers that bind everything do.
    let server = try login.withKeptKey(of: account.token, dependencies.cryptography).ownEndpoints(
      dependencies)
    let tokens: [RevocationRequest.Revoked?] = [
      account.refreshToken.map { .refresh($0) }, account.token.accessToken.map { .access($0) },
    ]
    for case let token? in tokens where login.provider.revokes(token) {
      if try await isRevoked(token, login, server) { ended.revoked.append(token.kind) }
    }
    return ended
  }

  private func isRevoked(
    _ token: RevocationRequest.Revoked, _ login: LoginRequest, _ server: any HTTPTransport
  ) async throws(Failure) -> Bool {
    let request = try RevocationRequest(token, for: login)
    return try RevocationRequest.isDone(try await server.send(request.httpRequest))
  }
}

extension Provider {
  /// Whether it takes tokens of this kind to be revoked, as far as the preset says.
  fileprivate func revokes(_ token: RevocationRequest.Revoked) -> Bool {
    revocationMembers?.contains { $0.isIdentical(to: token.kind) } ?? true
  }
}
