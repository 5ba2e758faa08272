/// A question about a token (RFC 7662 section 2.1).
public struct IntrospectionRequest: Sendable {
  /// The request, with the client's proof of itself.
  public let httpRequest: HTTPRequest

  /// Refuses a provider without an introspection endpoint.
  public init(_ token: AccessToken, for login: LoginRequest) throws(Failure) {
    httpRequest = HTTPRequest(
      post: [Parameter("token", token.revealed()), Parameter("token_type_hint", "access_token")],
      to: try login.provider.endpoint(.introspection), provingClientOf: login)
  }
}

/// What a provider says of a token (RFC 7662 section 2.2).
public struct Introspection: Sendable {
  /// Whether the token is good.
  public let isActive: Bool
  /// Everything that was said.
  public let members: JSONObject

  /// Refuses errors and what is no such answer.
  public init(_ response: HTTPResponse) throws(Failure) {
    members = try EndpointAnswer.members(of: response, from: .introspection)
    guard let active = members["active"] else {
      throw .network(.badResponse(.missing("active", from: .introspection)))
    }
    guard let isActive = active.bool else {
      throw .network(.badResponse(.unusable("active", from: .introspection)))
    }
    self.isActive = isActive
  }
}
