import LoginCore
import SoupNetwork

/// An API that takes the provider's tokens (RFC 6750, RFC 9449), describes itself (RFC 9728), and has a part that demands
/// another login (RFC 6750 section 3.1, RFC 9470).
extension DemoServer {
  /// A login older than this may not use `/api/admin`, in seconds.
  static let adminLoginAge: Int64 = 300

  /// Answers with the request, for a token that is good enough.
  mutating func callAPI(_ request: HTTPServerRequest, at route: Route) throws(OAuthError)
    -> HTTPServerResponse
  {
    do throws(OAuthError) {
      if meets(.api401) { throw OAuthError(.invalidToken, "This access token is unknown or expired.") }
      let grant = try self.grant(of: request, at: route)
      if meets(.apiInsufficientScope) { throw Self.needsAdmin(grant) }
      if route == .admin { try checkAdmin(grant) }
      return .json(echo(request, grant))
    } catch {
      throw error.demanding("resource_metadata", issuer + Route.resourceMetadata.rawValue)
    }
  }

  private func checkAdmin(_ grant: Grant) throws(OAuthError) {
    guard grant.scope.contains(.admin) else { throw Self.needsAdmin(grant) }
    if clock.now().seconds(since: grant.session.signedInAt) > Self.adminLoginAge {
      throw OAuthError(.insufficientAuthentication, "The user signed in too long ago.")
        .demanding("max_age", "\(Self.adminLoginAge)")
    }
  }

  private static func needsAdmin(_ grant: Grant) -> OAuthError {
    let scope = DemoScope.allCases.filter { $0 == .admin || grant.scope.contains($0) }
    return OAuthError(.insufficientScope, "This needs the scope admin.").demanding("scope", scope.text)
  }

  private func echo(_ request: HTTPServerRequest, _ grant: Grant) -> JSONObject {
    [
      "method": .string(request.method), "path": .string(request.path),
      "query": request.query.map(JSONValue.string),
      "body": .string(String(decoding: request.body, as: UTF8.self)),
      "user": .string(grant.session.user.name), "scope": .string(grant.scope.text),
    ]
  }

  /// The API's metadata (RFC 9728 section 2).
  var resourceMetadata: JSONObject {
    [
      "resource": .string(issuer + "/api"), "authorization_servers": [.string(issuer)],
      "scopes_supported": .array(DemoScope.allCases.map { .string($0.rawValue) }),
      "bearer_methods_supported": ["header"], "dpop_signing_alg_values_supported": ["ES256"],
      "dpop_bound_access_tokens_required": .bool(settings.proof == .required),
    ]
  }

  /// Returns the grant of the token in a request's header (RFC 6750 section 2.1).
  mutating func grant(of request: HTTPServerRequest, at route: Route) throws(OAuthError) -> Grant {
    guard let field = request[header: "Authorization"] else {
      throw OAuthError(.noToken, "There is no access token.")
    }
    let (scheme, token) = field.splitOnce(at: " ")
    guard let token, let grant = accessTokens.value(for: token, at: clock.now()),
      scheme.lowercased().isIdentical(to: grant.thumbprint == nil ? "bearer" : "dpop")
    else { throw OAuthError(.invalidToken, "This access token is unknown or expired.") }
    if let bound = grant.thumbprint,
      try provenKey(of: request, at: route, accessToken: token)?.isIdentical(to: bound) != true
    {
      throw OAuthError(.invalidToken, "This access token is bound to another key.")
    }
    return grant
  }
}
