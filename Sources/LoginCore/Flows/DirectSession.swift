/// Gets a token in a single request, without a page: for the client itself, for a user whose password is known (RFC 6749
/// sections 4.3 and 4.4), or for another token (RFC 8693).
public struct DirectSession: Sendable {
  private let dependencies: Dependencies

  /// Creates a session. One session can get any number of tokens.
  public init(_ dependencies: Dependencies) { self.dependencies = dependencies }

  /// Returns a token for the client itself. The client has to authenticate.
  public func token(ofClientIn wanted: LoginRequest) async throws(Failure) -> Token {
    try wanted.validate(for: .clientCredentials)
    return try await token(for: .clientCredentials, wanted)
  }

  /// Returns a token for a user whose password the application knows. RFC 9700 section 2.4 forbids this grant; use it
  /// only if the provider has no other.
  public func token(
    ofUser user: String, password: String, in wanted: LoginRequest
  ) async throws(Failure) -> Token {
    try await token(for: .password(user: user, Password(password)), wanted)
  }

  /// Returns a token for another one. Refuses an answer whose token is of another type than requested.
  public func token(exchanging old: AccessToken, in wanted: LoginRequest) async throws(Failure) -> Token {
    let token = try await token(for: .exchange(old), wanted)
    let requested = wanted.parameter(TokenRequest.TokenType.requested) ?? TokenRequest.TokenType.usual
    guard let issued = token.allMembers["issued_token_type"]?.string else {
      throw .missing("issued_token_type", from: .token)
    }
    guard issued.isIdentical(to: requested) else { throw .otherTokenType(issued) }
    return token
  }

  /// These grants do not ask for an id_token. If one comes along, it is verified or dropped.
  private func token(for grant: TokenRequest.Grant, _ wanted: LoginRequest) async throws(Failure) -> Token {
    let needed: [EndpointName] = [.token] + (wanted.isForOpenID ? [.keySet] : [])
    let login = try await wanted.completed(needing: needed, through: dependencies.transport).withProofKey(
      dependencies.cryptography)
    let request = try TokenRequest(grant, for: login)
    let server = dependencies.clientTransport(for: login)
    let answer = try TokenResponse(try await server.send(request.httpRequest), to: login)
    let token = try dependencies.token(answer, to: login)
    guard token.idToken != nil else { return token }
    let check = IDTokenCheck(of: login, dependencies)
    return try await token.identified(for: login, by: check, clock: dependencies.clock)
  }
}

extension Failure {
  /// The exchange has brought a token of another type than requested (RFC 8693 section 2.2.1).
  static func otherTokenType(_ type: String) -> Failure {
    Failure(
      .unsupportedTokenType,
      "the provider issued a token of the type \"\(type, upTo: 100)\", which was not requested")
  }
}
