/// Asks a provider who signed in (OpenID Connect Core section 5.3).
public struct UserinfoSession: Sendable {
  private let means: Means

  /// A question by these means.
  public init(_ means: Means) { self.means = means }

  /// What the provider says of the user of a token. Where the token came with a verified id_token, it has to be
  /// about the same user.
  public func userinfo(
    with token: Token, at provider: Provider, clientID: String
  ) async throws(Failure) -> UserinfoResponse {
    let resources = try token.resources(means)
    let provider = try await provider.completed(needing: [.userinfo], through: means.transport)
    let request = try UserinfoRequest(token, at: provider, clientID: clientID)
    return try UserinfoResponse(
      try await resources.send(request.httpRequest), subject: token.claims?["sub"]?.string)
  }
}
