/// One login from the request to the token, in the order of the RFC's steps.
public struct LoginSession: Sendable {
  private let agent: any UserAgent
  private let cryptography: any Cryptography
  private let clock: any WallClock

  /// A login that uses these ways to the world.
  public init(agent: any UserAgent, cryptography: any Cryptography, clock: any WallClock) {
    self.agent = agent
    self.cryptography = cryptography
    self.clock = clock
  }

  /// Takes the user to the provider and returns the token that came back (RFC 6749 section 4.2).
  public func token(for login: LoginRequest) async throws(Failure) -> Token {
    try Self.check(login)
    let request = try AuthorizationRequest(login, cryptography: cryptography)
    let (arrival, receivedAt) = try await arrival(of: request.visit)
    let response = try AuthorizationResponse(arrival, to: request)
    return try Token(response, to: login, receivedAt: receivedAt)
  }

  /// Refuses a login that this version cannot complete, before anything is opened.
  public static func check(_ login: LoginRequest) throws(Failure) {
    guard login.responseType == .token else {
      throw .caller(
        .invalidConfiguration(
          "this version completes the implicit grant only, not response_type \(login.responseType)"))
    }
  }

  /// Whatever a visit brings, what it has opened is closed afterwards.
  private func arrival(of visit: Visit) async throws(Failure) -> (Arrival, UTCDate) {
    do throws(Failure) {
      let arrival = try await agent.visit(visit)
      let receivedAt = clock.now()
      await agent.dismiss()
      return (arrival, receivedAt)
    } catch {
      await agent.dismiss()
      throw error
    }
  }
}
