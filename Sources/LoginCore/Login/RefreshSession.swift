/// Renews a token without the user (RFC 6749 section 6).
public struct RefreshSession: Sendable {
  private let transport: any HTTPTransport
  private let clock: any WallClock

  /// A renewal that uses these ways to the world.
  public init(transport: any HTTPTransport, clock: any WallClock) {
    self.transport = transport
    self.clock = clock
  }

  /// A new token for an old refresh token. Where the provider sends no new refresh token the old one stays;
  /// where it does, the old one is dead.
  public func token(for old: RefreshToken, of wanted: LoginRequest) async throws(Failure) -> Token {
    let login = try await wanted.completed(through: transport)
    let renewal = try TokenRequest(.refresh(old), for: login)
    var answer = try TokenResponse(try await transport.send(renewal.httpRequest))
    answer.keep(old)
    return try Token(answer, to: login, callback: [], checks: Checks(), receivedAt: clock.now())
  }
}
