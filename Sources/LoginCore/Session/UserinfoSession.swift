/// Asks a provider who signed in (OpenID Connect Core section 5.3).
public struct UserinfoSession: Sendable {
  private let dependencies: Dependencies

  /// A question by these means.
  public init(_ dependencies: Dependencies) { self.dependencies = dependencies }

  /// What the provider says of the user of a token. Where the token came with a verified id_token, it has to be
  /// about the same user.
  public func userinfo(
    with token: Token, at provider: Provider, clientID: String
  ) async throws(Failure) -> UserinfoResponse {
    let resources = try token.resources(dependencies)
    let provider = try await provider.completed(needing: [.userinfo], through: dependencies.transport)
    let request = try UserinfoRequest(token, at: provider, clientID: clientID)
    return try UserinfoResponse(
      try await resources.send(request.httpRequest), subject: token.claims?["sub"]?.string)
  }
}
