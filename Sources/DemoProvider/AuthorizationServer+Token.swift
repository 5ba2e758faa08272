import LoginCore
import SoupNetwork

/// The token endpoint (RFC 6749 section 3.2).
extension AuthorizationServer {
  mutating func exchange(
    _ request: HTTPServerRequest, _ parameters: ParameterList
  ) throws(OAuthError) -> HTTPServerResponse {
    try checkClient(request, parameters)
    switch parameters["grant_type"] {
    case "authorization_code": return try exchangeCode(parameters)
    case "refresh_token": return try refresh(parameters)
    case "urn:ietf:params:oauth:grant-type:device_code": return try pollDevice(parameters)
    case nil: throw OAuthError(.invalidRequest, "There is no grant_type.")
    default: throw OAuthError(.unsupportedGrantType, "This grant_type is not supported.")
    }
  }

  /// A public client names itself and proves nothing (RFC 6749 section 2.3).
  func checkClient(_ request: HTTPServerRequest, _ parameters: ParameterList) throws(OAuthError) {
    if let name = parameters.repeatedName {
      throw OAuthError(.invalidRequest, "\(name.forDisplay(limit: 40)) is there twice.")
    }
    guard request[header: "Authorization"] == nil, parameters["client_secret"] == nil else {
      throw OAuthError(.invalidClient, "This client is public and has no secret.")
    }
    guard parameters["client_id"]?.isIdentical(to: DemoClient.identifier) == true else {
      throw OAuthError(.invalidClient, "No application with this client_id is registered here.")
    }
  }

  private mutating func exchangeCode(_ parameters: ParameterList) throws(OAuthError) -> HTTPServerResponse {
    guard let code = parameters["code"] else { throw OAuthError(.invalidRequest, "There is no code.") }
    let issued = try tokens.use(code: code, now: clock.now())
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

  private mutating func refresh(_ parameters: ParameterList) throws(OAuthError) -> HTTPServerResponse {
    guard let token = parameters["refresh_token"] else {
      throw OAuthError(.invalidRequest, "There is no refresh_token.")
    }
    let wanted = try parameters["scope"].map { text throws(OAuthError) in try DemoScope.list(text) }
    var grant = try tokens.use(refreshToken: token, now: clock.now())
    grant.nonce = nil  // OpenID Connect Core section 12.2
    return try tokenAnswer(for: grant, narrowedTo: wanted)
  }

  /// New tokens. The refresh token keeps the whole grant where less was asked for (RFC 6749 section 6).
  mutating func tokenAnswer(
    for grant: Grant, narrowedTo scope: [DemoScope]? = nil
  ) throws(OAuthError) -> HTTPServerResponse {
    var narrowed = grant
    if let scope {
      guard Set(scope).isSubset(of: grant.scope) else {
        throw OAuthError(.invalidScope, "More was asked for than was granted.")
      }
      narrowed.scope = scope
    }
    let now = clock.now()
    let accessToken = try mint.secret()
    let refreshToken = try mint.secret()
    var answer: JSONObject = [
      "access_token": .string(accessToken), "token_type": "Bearer",
      "expires_in": .number(JSONNumber(TokenStore.accessTokenLife)),
      "refresh_token": .string(refreshToken), "scope": .string(narrowed.scope.text),
    ]
    if narrowed.scope.contains(.openid) {
      answer["id_token"] = .string(try mint.idToken(for: narrowed, accessToken: accessToken, now: now))
    }
    tokens.add(accessToken: accessToken, for: narrowed, now: now)
    tokens.add(refreshToken: refreshToken, for: grant, now: now)
    return .json(answer)
  }
}
