/// A callback that answers the request. The checks run in this order: redirect, limits, duplicates, `iss`, `state`,
/// `error`, content.
package struct AuthorizationResponse: Sendable {
  /// The parameters that the provider sent.
  let parameters: ParameterList
  /// The checks that the response has passed.
  package let checks: Checks

  /// Checks the end of a visit.
  package init(_ arrival: Arrival, to request: AuthorizationRequest) throws(Failure) {
    switch arrival {
    case .errorPage(let uri, let body): throw .refusal(page: uri, body: body)
    case .callback(let callback): try self.init(callback, expecting: request.expectation)
    case .code(let code): try self.init(code, expecting: request.expectation)
    }
  }

  /// Accepts a code without its callback if PKCE binds it to this request.
  private init(
    _ code: AuthorizationCode, expecting expectation: AuthorizationRequest.Expectation
  ) throws(Failure) {
    guard expectation.acceptsBareCode else { throw .malformedCallback("it is only a code") }
    parameters = ParameterList([Parameter("code", code.revealed())])
    checks = Checks()
  }

  private init(
    _ callback: Callback, expecting expectation: AuthorizationRequest.Expectation
  ) throws(Failure) {
    let channels = try callback.channels()
    // With form_post, our listener passes the posted form on as a query.
    let usesQuery = expectation.responseMode != .fragment
    var own = usesQuery ? channels.query : channels.fragment
    var other = usesQuery ? channels.fragment : channels.query
    if let name = own.repeatedName { throw .duplicateParameter(name) }
    if other.repeats("iss") { throw .duplicateParameter("iss") }

    var checks = Checks()
    checks.redirect = callback.redirect
    // Some providers answer an implicit request with an error in the query, and some append a fragment such as `#_=_`
    // to it. Only an error is ever read from there.
    let isElsewhere = !own.isAnswer && other["error"] != nil
    if isElsewhere {
      if let name = other.repeatedName { throw .duplicateParameter(name) }
      (own, other) = (other, own)
    }
    checks.issuer = try Self.compareIssuer(in: own, inherited: other["iss"], with: expectation)
    checks.state = try Self.compareState(in: own, with: expectation.state)
    if let code = try own.usable("error") {
      let refusal = Failure.refusal(
        code: code, description: own["error_description"], uri: try? own.usable("error_uri"))
      // OAuth 2.0 Multiple Response Types section 5: an error comes where the answer would have come.
      guard isElsewhere, expectation.isHybrid else { throw refusal }
      throw refusal.with(
        hint: usesQuery
          ? "the provider has sent this error in the fragment of the callback, although the answer belongs in the query"
          : "the provider has sent this error in the query of the callback, although the answer belongs in the fragment"
      )
    }

    let missing = expectation.callbackParameters.filter { own[$0] == nil }
    guard missing.isEmpty else { throw .missingParameters(missing) }
    for name in expectation.callbackParameters { _ = try own.usable(name) }
    parameters = own
    self.checks = checks
  }

  /// Returns the code, which has to be there (RFC 6749 section 4.1.2).
  package func code() throws(Failure) -> AuthorizationCode {
    guard let code = try parameters.usable("code") else { throw .missingParameters(["code"]) }
    return AuthorizationCode(code)
  }

  /// RFC 9207 section 2.4: an `iss` has to be the issuer that was asked, and has to be there if that issuer always
  /// sends it. Returns true if it was compared. If the issuer is not known, it is not. An `iss` in the other channel can
  /// come from a server that redirected to the one that answers, so it may contradict but not vouch.
  ///
  /// Some servers leave it out of errors, although they promise it. An error with the right state is believed without it:
  /// an attacker gains no token by it, and a refusal would look like an attack.
  private static func compareIssuer(
    in list: ParameterList, inherited other: String?, with expectation: AuthorizationRequest.Expectation
  ) throws(Failure) -> Bool {
    guard let issuer = expectation.issuer else { return false }
    let own = list["iss"]
    guard [own, other].compactMap(\.self).allSatisfy(issuer.isIdentical) else {
      throw Failure(
        .issuerMismatch, "the callback comes from a different authorization server")
    }
    let isAnswerToUs = expectation.state.map { list["state"].map { OAuthState($0) } == $0 } ?? false
    if own == nil, expectation.issuerIsSent, list["error"] == nil || !isAnswerToUs {
      throw Failure(
        .issuerMismatch,
        "the callback does not name the authorization server, although this server always does")
    }
    return own != nil
  }

  /// Returns true if the callback repeats the state. An error may come without any state, since believing it gives
  /// nothing away.
  private static func compareState(in list: ParameterList, with expected: OAuthState?) throws(Failure) -> Bool
  {
    guard let expected else { return false }
    guard let received = list["state"] else {
      if list["error"] != nil { return false }
      throw .stateMissing
    }
    guard OAuthState(received) == expected else { throw .stateMismatch }
    return true
  }
}

extension Failure {
  static func duplicateParameter(_ name: String) -> Failure {
    Failure(
      .duplicateParameter, "the callback has the parameter \"\(name, upTo: 60)\" twice",
      details: ["parameter": .string(name.forDisplay(limit: 60))])
  }

  fileprivate static func missingParameters(_ names: [String]) -> Failure {
    .malformedCallback(
      "it lacks \(names.verbatim.list)", details: ["missing": .array(names.map(JSONValue.string))])
  }
}

extension ParameterList {
  /// True if the list has one of the parameters that make up an answer.
  fileprivate var isAnswer: Bool {
    ["state", "error", "code", "access_token", "id_token"].contains { self[$0] != nil }
  }

  func repeated(_ names: [String]) -> [Parameter] {
    names.compactMap { name in self[name].map { Parameter(name, $0) } }
  }

  /// Returns a parameter that will be used. Throws if it has control characters, or bytes that are not text.
  fileprivate func usable(_ name: String) throws(Failure) -> String? {
    guard let value = self[name] else { return nil }
    guard !value.unicodeScalars.contains(where: { $0 == "\u{FFFD}" || $0.isControl }) else {
      throw .malformedCallback("\(name) is not text")
    }
    return value
  }

  /// Returns the names of those parameters that are missing or empty of meaning.
  fileprivate func missing(of names: [String]) throws(Failure) -> [String] {
    var missing: [String] = []
    for name in names {
      let value = try usable(name)
      if value == nil || name == "expires_in" && value.flatMap(Token.seconds) == nil { missing.append(name) }
    }
    return missing
  }
}

/// An authorization response that is complete and whose id_token, if it has one, is verified. Code and token are only
/// taken from here, so that neither is used before it is known to belong to this login (OpenID Connect Core sections
/// 3.2.2.8 and 3.3.2.8).
struct AuthenticatedResponse: Sendable {
  /// The parameters that the provider sent.
  let parameters: ParameterList
  /// The checks that the response has passed.
  let checks: Checks
  /// The code to exchange, if the login asked for one.
  let code: AuthorizationCode?
  /// The verified id_token of the callback.
  let identity: IDToken?

  /// `check` is nil if id_tokens cannot be verified.
  init(
    _ response: AuthorizationResponse, to request: AuthorizationRequest, of login: LoginRequest,
    _ check: IDTokenCheck?, at now: UTCDate
  ) async throws(Failure) {
    let type = login.responseType
    parameters = response.parameters
    code = type.includesCode ? try response.code() : nil
    let missing = try parameters.missing(of: Self.requiredParameters(of: login))
    guard missing.isEmpty else { throw .missingToken(missing) }

    identity = try await Self.identity(in: parameters, with: code, to: request, of: login, check, at: now)
    guard identity != nil || !type.includesIDToken else { throw .missingToken(["id_token"]) }
    var checks = response.checks
    checks.idToken = identity != nil
    checks.nonce = identity != nil
    self.checks = checks
  }

  /// The parameters that the callback must have beside a code. The provider's own required members count only if the
  /// access token in the callback is the only one: if a code is exchanged, they have to be in that answer.
  private static func requiredParameters(of login: LoginRequest) -> [String] {
    let type = login.responseType
    let idToken = type.includesIDToken ? ["id_token"] : []
    guard type.includesToken else { return idToken }
    return (type.includesCode ? ["access_token"] : login.provider.requiredTokenMembers) + idToken
  }

  /// Returns the verified id_token of the callback. One that came unasked with a token is verified if possible, and
  /// otherwise dropped.
  private static func identity(
    in parameters: ParameterList, with code: AuthorizationCode?, to request: AuthorizationRequest,
    of login: LoginRequest, _ check: IDTokenCheck?, at now: UTCDate
  ) async throws(Failure) -> IDToken? {
    let type = login.responseType
    guard type.includesIDToken || type == .token, let nonce = request.binding.nonce, let check,
      let text = try parameters.usable("id_token")
    else { return nil }
    let accessToken = type.includesToken ? try parameters.usable("access_token") : nil
    let binding = IDTokenBinding(
      channel: .front, nonce: nonce, accessToken: accessToken.map { AccessToken($0) }, code: code,
      maxAge: login.maxAge, contexts: login.authenticationContexts)
    return try await check.verified(text, binding, at: now)
  }
}

extension Token {
  /// Creates the token in the answer to a request without a code (RFC 6749 section 4.2.2, OpenID Connect Core section
  /// 3.2.2.5).
  init(_ response: AuthenticatedResponse, to login: LoginRequest, receivedAt: UTCDate) throws(Failure) {
    let parameters = response.parameters
    var accessToken: String?
    var type: String?
    if login.responseType.includesToken {
      accessToken = try parameters.usable("access_token")
      type = try parameters.usable("token_type") ?? login.provider.tokenType
    }
    if let type, type.lowercased() != "bearer" { throw .unsupportedTokenType(type) }

    var members = JSONObject()
    for parameter in parameters.parameters where !Self.neverPassedOn.contains(parameter.name) {
      if !parameter.name.isEmpty, !parameter.value.isEmpty {
        members[parameter.name] = .string(parameter.value)
      }
    }
    self.init(
      accessToken: accessToken.map { AccessToken($0) }, type: type, expiresAt: nil, members: members,
      checks: response.checks)
    authorizationScheme = login.provider.authorizationScheme
    setExpiresIn(try parameters.usable("expires_in").flatMap(Self.seconds), from: receivedAt)
    if let identity = response.identity {
      self = with(identity, repeatsNonce: true)
    } else if !login.provider.hasOpaqueIDToken {
      self = withoutIDToken
    }
  }
}
