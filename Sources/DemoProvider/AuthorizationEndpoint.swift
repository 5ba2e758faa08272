import LoginCore
import SoupNetwork

extension DemoServer {
  /// Answers a request at the authorization endpoint (RFC 6749 section 3.1). It redirects only to addresses that the
  /// client has registered (section 4.1.2.1).
  mutating func authorize(
    _ request: HTTPServerRequest, _ parameters: ParameterList
  ) throws(OAuthError) -> HTTPServerResponse {
    let address = try answerAddress(parameters)
    do throws(OAuthError) {
      let query = try AuthorizationQuery(parameters, address: address)
      if let answer = try answer(to: query) { return answer }
      return try begin(.authorization(query), in: request, nameHint: query.loginHint)
    } catch {
      return .redirect(to: address.callback(error))
    }
  }

  /// Returns the answer if the settings decide it, instead of the user.
  private mutating func answer(to query: AuthorizationQuery) throws(OAuthError) -> HTTPServerResponse? {
    if meets(.denied) { throw .denied }
    if meets(.loginRequired) { throw OAuthError(.loginRequired, "The user is not signed in.") }
    switch settings.access {
    case .ask: return nil
    case .allow: return .redirect(to: try callback(to: query, in: usualSession()))
    case .deny: throw .denied
    }
  }

  /// A session of the user who signs in where no person does.
  func usualSession() throws(OAuthError) -> Session { try session(of: settings.user) }

  func session(of name: String) throws(OAuthError) -> Session {
    guard let user = try DemoUser(name: name, mint: mint) else {
      throw OAuthError(.serverError, "There is no such user.")
    }
    return Session(user: user, signedInAt: clock.now())
  }

  /// Reads where the answer goes. Any doubt about that is an error that is shown to the user instead.
  private mutating func answerAddress(_ parameters: ParameterList) throws(OAuthError) -> AnswerAddress {
    for name in ["client_id", "redirect_uri", "state", "response_type", "response_mode"] {
      if parameters.repeats(name) { throw OAuthError(.invalidRequest, "The request has \(name) twice.") }
    }
    guard parameters["client_id"]?.isIdentical(to: settings.client.identifier) == true else {
      throw OAuthError(.invalidRequest, "No application with this client_id is registered here.")
    }
    guard let redirectURI = parameters["redirect_uri"], mayRedirect(to: redirectURI) else {
      throw OAuthError(.invalidRequest, "This redirect_uri is not one that the application has registered.")
    }
    let type = parameters["response_type"].flatMap(ResponseType.init)
    var address = AnswerAddress(
      redirectURI: redirectURI,
      usesFragment: type.map { $0 != .code } ?? false || parameters["response_mode"] == "fragment",
      state: parameters["state"], issuer: issuer)
    if meets(.wrongState) { address.state = "state-of-another-request" }
    if meets(.noState) { address.state = nil }
    if meets(.wrongIssuer) { address.issuer = "https://another.example" }
    return address
  }

  /// Issues what was granted, and returns the callback with it.
  mutating func callback(to query: AuthorizationQuery, in session: Session) throws(OAuthError) -> String {
    let now = clock.now()
    let grant = Grant(session: session, scope: query.scope, nonce: query.nonce)
    var parameters: [Parameter] = []
    var (code, accessToken): (String?, String?)
    if let challenge = query.challenge {
      let secret = try mint.secret()
      codes.insert(
        IssuedCode(
          grant: grant, redirectURI: query.address.redirectURI, challenge: challenge,
          thumbprint: query.thumbprint),
        for: secret, until: now.later(Self.codeLife), now: now)
      parameters.append(Parameter("code", secret))
      code = secret
    }
    if query.type.includesToken {
      let secret = try newAccessToken(for: grant, now: now)
      parameters += [
        Parameter("access_token", secret), Parameter("token_type", "Bearer"),
        Parameter("expires_in", "\(life)"), Parameter("scope", grant.scope.text),
      ]
      accessToken = secret
    }
    if query.type.includesIDToken {
      let idToken = try self.idToken(for: grant, accessToken: accessToken, code: code, now: now)
      parameters.append(Parameter("id_token", idToken))
    }
    return query.address.callback(parameters)
  }
}

/// The address that the answer goes to. It is read before the rest of the request; without it there is no redirect.
struct AnswerAddress: Sendable {
  let redirectURI: String
  var usesFragment: Bool
  var state: String?
  var issuer: String

  /// Returns the callback with these parameters. It always names its issuer (RFC 9207 section 2).
  func callback(_ parameters: [Parameter]) -> String {
    var all = parameters
    if let state { all.append(Parameter("state", state)) }
    all.append(Parameter("iss", issuer))
    return redirectURI + (usesFragment ? "#" : "?") + FormEncoding.encode(all)
  }

  /// Returns the callback with an error (RFC 6749 sections 4.1.2.1 and 4.2.2.1).
  func callback(_ error: OAuthError) -> String {
    callback([
      Parameter("error", error.code.rawValue), Parameter("error_description", error.description),
    ])
  }
}

/// A valid authorization request (RFC 6749 sections 4.1.1 and 4.2.1, OpenID Connect Core sections
/// 3.2.2.1 and 3.3.2.1).
struct AuthorizationQuery: Sendable {
  let type: ResponseType
  /// The code challenge, if the response type includes a code.
  let challenge: String?
  let address: AnswerAddress
  let scope: [DemoScope]
  let nonce: String?
  let loginHint: String?
  /// The key that the code is bound to (RFC 9449 section 10).
  let thumbprint: String?

  init(_ parameters: ParameterList, address: AnswerAddress) throws(OAuthError) {
    try OAuthError.refuseRepeated(in: parameters)
    if parameters["request"] != nil { throw OAuthError(.requestNotSupported, "Not supported here.") }
    if parameters["request_uri"] != nil { throw OAuthError(.requestURINotSupported, "Not supported here.") }
    let mode = parameters["response_mode"]
    guard let type = parameters["response_type"].flatMap(ResponseType.init) else {
      throw OAuthError(
        .unsupportedResponseType, "The response types are code, token, id_token, and combinations of them.")
    }
    self.type = type
    challenge = type.includesCode ? try Self.challenge(parameters) : nil
    if let mode, !(mode == "fragment" || mode == "query" && !address.usesFragment) {
      throw OAuthError(.invalidRequest, "This response_mode is not possible here.")
    }
    self.address = address
    scope = try DemoScope.list(parameters["scope"])
    nonce = parameters["nonce"]
    if type.includesIDToken, nonce == nil || !scope.contains(.openid) {
      throw OAuthError(.invalidRequest, "An id_token needs a nonce and the scope openid.")
    }
    // Users sign in anew at each login, so a login without a page always fails.
    if parameters["prompt"]?.parts(at: " ").contains("none") == true {
      throw OAuthError(.loginRequired, "The user is not signed in.")
    }
    loginHint = parameters["login_hint"]
    thumbprint = parameters["dpop_jkt"]
  }

  /// PKCE is required (RFC 9700 section 2.1.1).
  private static func challenge(_ parameters: ParameterList) throws(OAuthError) -> String {
    guard let challenge = parameters["code_challenge"], parameters["code_challenge_method"] == "S256",
      challenge.utf8.count == 43, CodeVerifier(challenge).isWellFormed
    else { throw OAuthError(.invalidRequest, "A code_challenge with the method S256 is required.") }
    return challenge
  }
}
