/// Asks a provider whether a token is good, and for what (RFC 7662).
public struct IntrospectionSession: Sendable {
  private let transport: any HTTPTransport

  /// A question that uses this way to the world.
  public init(transport: any HTTPTransport) { self.transport = transport }

  /// What the provider says of a token. The client proves itself as it does where tokens come from (section 2.1).
  public func introspection(
    of token: Token, for wanted: LoginRequest
  ) async throws(Failure) -> Introspection {
    guard let accessToken = token.accessToken else { throw .caller(.noAccessToken) }
    let login = try await wanted.completed(needing: [.introspection], through: transport)
    let request = try IntrospectionRequest(accessToken, for: login)
    return try Introspection(try await transport.send(request.httpRequest))
  }
}
