import LoginCore
import SoupNetwork

extension AuthorizationServer {
  /// The authorization endpoint (RFC 6749 section 3.1). Nobody is ever sent to an address that is not the
  /// client's (section 4.1.2.1).
  mutating func authorize(
    _ request: HTTPServerRequest, _ parameters: ParameterList
  ) throws(OAuthError) -> HTTPServerResponse {
    let address = try answerAddress(parameters)
    do throws(OAuthError) {
      let query = try AuthorizationQuery(parameters, address: address)
      return try begin(.authorization(query), in: request, nameHint: query.loginHint)
    } catch {
      return .redirect(to: address.callback(error))
    }
  }

  /// Reads where the answer goes, which has to be beyond doubt.
  private func answerAddress(_ parameters: ParameterList) throws(OAuthError) -> AnswerAddress {
    for name in ["client_id", "redirect_uri", "state", "response_type", "response_mode"] {
      if parameters.repeats(name) { throw OAuthError(.invalidRequest, "The request says \(name) twice.") }
    }
    guard parameters["client_id"]?.isIdentical(to: DemoClient.identifier) == true else {
      throw OAuthError(.invalidRequest, "No application with this client_id is registered here.")
    }
    guard let redirectURI = parameters["redirect_uri"], DemoClient.mayRedirect(to: redirectURI) else {
      throw OAuthError(.invalidRequest, "This redirect_uri is not one that the application has registered.")
    }
    let type = parameters["response_type"].flatMap(ResponseType.init)
    return AnswerAddress(
      redirectURI: redirectURI,
      usesFragment: type.map { $0 != .code } ?? false || parameters["response_mode"] == "fragment",
      state: parameters["state"], issuer: issuer)
  }

  /// The callback that carries what was granted.
  mutating func callback(to query: AuthorizationQuery, in session: Session) throws(OAuthError) -> String {
    let now = clock.now()
    let grant = Grant(session: session, scope: query.scope, nonce: query.nonce)
    var parameters: [Parameter] = []
    var (code, accessToken): (String?, String?)
    if let challenge = query.challenge {
      let secret = try mint.secret()
      codes.insert(
        IssuedCode(grant: grant, redirectURI: query.address.redirectURI, challenge: challenge),
        for: secret, until: now.later(Self.codeLife), now: now)
      parameters.append(Parameter("code", secret))
      code = secret
    }
    if query.type.includesToken {
      let secret = try newAccessToken(for: grant, now: now)
      parameters += [
        Parameter("access_token", secret), Parameter("token_type", "Bearer"),
        Parameter("expires_in", "\(Grant.life)"), Parameter("scope", grant.scope.text),
      ]
      accessToken = secret
    }
    if query.type.includesIDToken {
      let idToken = try mint.idToken(for: grant, accessToken: accessToken, code: code, now: now)
      parameters.append(Parameter("id_token", idToken))
    }
    return query.address.callback(parameters)
  }
}
