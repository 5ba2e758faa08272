import LoginCore
import SoupNetwork

/// What can be done with a token, and how a session ends.
extension AuthorizationServer {
  /// Who signed in (OpenID Connect Core section 5.3); the token comes in the header (RFC 6750 section 2.1).
  func userinfo(_ request: HTTPServerRequest) throws(OAuthError) -> HTTPServerResponse {
    guard let field = request[header: "Authorization"] else {
      return HTTPServerResponse(
        status: 401, headers: [Parameter("WWW-Authenticate", "Bearer realm=\"demo\"")])
    }
    let (scheme, token) = field.splitOnce(at: " ")
    guard scheme.lowercased().isIdentical(to: "bearer"), let token,
      let grant = tokens.grant(accessToken: token, now: clock.now())
    else { throw OAuthError(.invalidToken, "This access token is unknown, revoked or expired.") }
    guard grant.scope.contains(.openid) || grant.scope.contains(.profile) else {
      throw OAuthError(.insufficientScope, "The scope openid or profile is needed.")
    }
    return .json(grant.user.claims(for: grant.scope))
  }

  /// Ends a token; to have ended one that is not there is success as well (RFC 7009 section 2.2).
  mutating func revoke(
    _ request: HTTPServerRequest, _ parameters: ParameterList
  ) throws(OAuthError) -> HTTPServerResponse {
    try checkClient(request, parameters)
    guard let token = parameters["token"] else { throw OAuthError(.invalidRequest, "There is no token.") }
    tokens.revoke(token, now: clock.now())
    return HTTPServerResponse(status: 200)
  }

  /// Asks whether to sign out (OpenID Connect RP-Initiated Logout section 2). It asks always: an
  /// id_token_hint would have to be verified to make it unnecessary.
  mutating func endSession(
    _ request: HTTPServerRequest, _ parameters: ParameterList
  ) throws(OAuthError) -> HTTPServerResponse {
    if let name = parameters.repeatedName {
      throw OAuthError(.invalidRequest, "\(name.forDisplay(limit: 40)) is there twice.")
    }
    if let client = parameters["client_id"], !client.isIdentical(to: DemoClient.identifier) {
      throw OAuthError(.invalidRequest, "No application with this client_id is registered here.")
    }
    var destination: String?
    if let redirect = parameters["post_logout_redirect_uri"] {
      guard DemoClient.mayRedirect(to: redirect) else {
        throw OAuthError(.invalidRequest, "This post_logout_redirect_uri is not registered.")
      }
      let state = parameters["state"].map { "?" + FormEncoding.encode([Parameter("state", $0)]) }
      destination = redirect + (state ?? "")
    }
    guard let session = session(of: request) else { return signedOut(true, destination: destination) }
    return try begin(.signOut(destination: destination), in: request, session: session)
  }

  func signedOut(_ isSignedOut: Bool, destination: String?) -> HTTPServerResponse {
    if let destination, isSignedOut { return .redirect(to: destination) }
    return isSignedOut
      ? pages.message("You are signed out", "You can close this page.")
      : pages.message("You are still signed in", "Nothing was changed. You can close this page.")
  }
}
