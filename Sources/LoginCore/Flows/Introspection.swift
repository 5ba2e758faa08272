/// Looks a token up at its provider: is it active, and what is it for (RFC 7662)?
package struct IntrospectionSession: Sendable {
  fileprivate let dependencies: Dependencies

  /// Creates a session. One session can ask any number of times.
  package init(_ dependencies: Dependencies) { self.dependencies = dependencies }

  /// Returns the provider's answer about a token. The client authenticates as at the token endpoint (section 2.1).
  package func introspection(
    of accessToken: AccessToken, for wanted: LoginRequest
  ) async throws(Failure) -> Introspection {
    let login = try await wanted.completed(needing: [.introspection], through: dependencies.transport)
    let request = try IntrospectionRequest(accessToken, for: login)
    let server = dependencies.clientTransport(for: login)
    return try Introspection(try await server.send(request.httpRequest))
  }
}

/// An introspection request (RFC 7662 section 2.1).
struct IntrospectionRequest: Sendable {
  /// The HTTP request, with which the client authenticates.
  let httpRequest: HTTPRequest

  /// Refuses a provider without an introspection endpoint.
  init(_ token: AccessToken, for login: LoginRequest) throws(Failure) {
    httpRequest = HTTPRequest(
      post: [Parameter("token", token.revealed()), Parameter("token_type_hint", "access_token")],
      to: try login.provider.endpoint(.introspection), provingClientOf: login)
  }
}

/// An introspection response (RFC 7662 section 2.2).
package struct Introspection: Sendable {
  /// True if the token is good: issued by this server, neither expired nor revoked (section 2.2).
  package let isActive: Bool
  /// All members of the answer.
  package let members: JSONObject

  /// Refuses errors, and answers without `active`.
  init(_ response: HTTPResponse) throws(Failure) {
    members = try EndpointAnswer.members(of: response, from: .introspection)
    guard let active = members["active"] else { throw .missing("active", from: .introspection) }
    guard let isActive = active.bool else { throw .unusable("active", from: .introspection) }
    self.isActive = isActive
  }
}

extension IntrospectionSession {
  /// Returns the claims of a token that an API has received. `audience` is the name of the API, which the answer then has to
  /// contain.
  package func claims(
    of accessToken: AccessToken, for login: LoginRequest, audience: String?
  ) async throws(Failure) -> TokenClaims {
    let answer = try await introspection(of: accessToken, for: login)
    guard answer.isActive else { throw .invalidAccessToken("it is not active") }
    let claims = Claims(answer.members, Failure.invalidAccessToken)
    try claims.checkUse(of: login.provider.issuer, for: audience)
    // The provider knows best whether the token is good, but an answer may have been kept on the way.
    if let end = try claims.time("exp"), end <= dependencies.clock.now().secondsSince1970 {
      throw .invalidAccessToken("it has expired")
    }
    return TokenClaims(members: answer.members)
  }
}
