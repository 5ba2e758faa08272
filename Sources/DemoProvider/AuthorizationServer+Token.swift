import LoginCore
import SoupNetwork

/// The token endpoint (RFC 6749 section 3.2), and what its tokens are good for.
extension AuthorizationServer {
  mutating func exchange(
    _ request: HTTPServerRequest, _ parameters: ParameterList
  ) throws(OAuthError) -> HTTPServerResponse {
    try checkClient(request, parameters)
    switch parameters["grant_type"] {
    case "authorization_code": return try exchangeCode(parameters)
    case "urn:ietf:params:oauth:grant-type:device_code": return try pollDevice(parameters)
    case nil: throw OAuthError(.invalidRequest, "There is no grant_type.")
    default: throw OAuthError(.unsupportedGrantType, "This grant_type is not supported.")
    }
  }

  /// A public client names itself and proves nothing (RFC 6749 section 2.3).
  func checkClient(_ request: HTTPServerRequest, _ parameters: ParameterList) throws(OAuthError) {
    try OAuthError.refuseRepeated(in: parameters)
    guard request[header: "Authorization"] == nil, parameters["client_secret"] == nil else {
      throw OAuthError(.invalidClient, "This client is public and has no secret.")
    }
    guard parameters["client_id"]?.isIdentical(to: DemoClient.identifier) == true else {
      throw OAuthError(.invalidClient, "No application with this client_id is registered here.")
    }
  }

  private mutating func exchangeCode(_ parameters: ParameterList) throws(OAuthError) -> HTTPServerResponse {
    guard let code = parameters["code"] else { throw OAuthError(.invalidRequest, "There is no code.") }
    guard let issued = codes.take(code, at: clock.now()) else {
      throw OAuthError(.invalidGrant, "This code is unknown, was used, or its time has passed.")
    }
    guard parameters["redirect_uri"]?.isIdentical(to: issued.redirectURI) == true else {
      throw OAuthError(.invalidGrant, "The redirect_uri is not that of the authorization request.")
    }
    guard let verifier = parameters["code_verifier"], CodeVerifier(verifier).isWellFormed,
      Base64.encodeURLSafe(try mint.digest(verifier)).isIdentical(to: issued.challenge)
    else {
      throw OAuthError(.invalidGrant, "The code_verifier does not belong to the code_challenge.")
    }
    return try tokenAnswer(for: issued.grant)
  }

  /// The answer with what was granted. Nothing of it can be renewed: the provider is gone before that would be due.
  mutating func tokenAnswer(for grant: Grant) throws(OAuthError) -> HTTPServerResponse {
    let now = clock.now()
    let accessToken = try newAccessToken(for: grant, now: now)
    var answer: JSONObject = [
      "access_token": .string(accessToken), "token_type": "Bearer",
      "expires_in": .number(JSONNumber(Grant.life)), "scope": .string(grant.scope.text),
    ]
    if grant.scope.contains(.openid) {
      answer["id_token"] = .string(try mint.idToken(for: grant, accessToken: accessToken, now: now))
    }
    return .json(answer)
  }

  mutating func newAccessToken(for grant: Grant, now: UTCDate) throws(OAuthError) -> String {
    let secret = try mint.secret()
    accessTokens.insert(grant, for: secret, until: now.later(Grant.life), now: now)
    return secret
  }

  /// Who signed in (OpenID Connect Core section 5.3); the token comes in the header (RFC 6750 section 2.1).
  func userinfo(_ request: HTTPServerRequest) throws(OAuthError) -> HTTPServerResponse {
    guard let field = request[header: "Authorization"] else {
      return HTTPServerResponse(
        status: 401, headers: [Parameter("WWW-Authenticate", "Bearer realm=\"demo\"")])
    }
    let (scheme, token) = field.splitOnce(at: " ")
    guard scheme.lowercased().isIdentical(to: "bearer"), let token,
      let grant = accessTokens.value(for: token, at: clock.now())
    else { throw OAuthError(.invalidToken, "This access token is unknown or expired.") }
    return .json(grant.session.user.claims(for: grant.scope))
  }
}
