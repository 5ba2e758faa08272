/// A token in one exchange, for which nobody is taken anywhere: for the client itself, or for a user whose name and
/// password are known (RFC 6749 sections 4.3 and 4.4).
public struct DirectSession: Sendable {
  private let dependencies: Dependencies

  /// An exchange by these means.
  public init(_ dependencies: Dependencies) { self.dependencies = dependencies }

  /// A token for the client itself, which has to be able to prove who it is.
  public func token(ofClientIn wanted: LoginRequest) async throws(Failure) -> Token {
    try wanted.checkClientProvesItself()
    return try await token(for: .clientCredentials, wanted)
  }

  /// A token for a user who has told the application the password (RFC 9700 section 2.4 says that nobody should).
  public func token(
    ofUser user: String, _ password: Password, in wanted: LoginRequest
  ) async throws(Failure) -> Token {
    try await token(for: .password(user: user, password), wanted)
  }

  /// An id_token is not part of either grant: one that comes along is verified or not passed on.
  private func token(for grant: TokenRequest.Grant, _ wanted: LoginRequest) async throws(Failure) -> Token {
    let needed: [EndpointName] = [.token] + (wanted.isForOpenID ? [.keySet] : [])
    let login = try await wanted.completed(needing: needed, through: dependencies.transport).withProofKey(
      dependencies.cryptography)
    let request = try TokenRequest(grant, for: login)
    let server = login.ownEndpoints(dependencies)
    let answer = try TokenResponse(try await server.send(request.httpRequest), to: login)
    let token = try Token(
      answer, to: login, callback: [], checks: Checks(), receivedAt: dependencies.clock.now())
    guard token.idToken != nil else { return token }
    let check = IDTokenCheck(of: login, dependencies)
    return try await token.identified(for: login, by: check, clock: dependencies.clock)
  }
}

extension LoginRequest {
  /// Refuses a client without a secret, for which there is no token of its own (RFC 6749 section 4.4).
  package func checkClientProvesItself() throws(Failure) {
    guard clientAuthentication != .none else { throw .caller(.clientWithoutSecret) }
  }
}
