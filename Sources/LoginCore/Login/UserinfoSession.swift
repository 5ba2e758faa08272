/// Asks a provider who signed in (OpenID Connect Core section 5.3).
public struct UserinfoSession: Sendable {
  private let transport: any HTTPTransport
  private let cryptography: any Cryptography
  private let clock: any WallClock

  /// A question that uses these ways to the world.
  public init(transport: any HTTPTransport, cryptography: any Cryptography, clock: any WallClock) {
    self.transport = transport
    self.cryptography = cryptography
    self.clock = clock
  }

  /// What the provider says of the user of a token. Where the token came with a verified id_token, it has to be
  /// about the same user.
  public func userinfo(
    with token: Token, at provider: Provider, clientID: String
  ) async throws(Failure) -> UserinfoResponse {
    let resources = try token.resources(transport, cryptography, clock)
    let provider = try await provider.completed(needing: [.userinfo], through: transport)
    let request = try UserinfoRequest(token, at: provider, clientID: clientID)
    return try UserinfoResponse(
      try await resources.send(request.httpRequest), subject: token.claims?["sub"]?.string)
  }
}
