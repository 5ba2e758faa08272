/// An authorization response that has all that was asked for, and whose id_token was verified where it has one:
/// only from here do code and token go on, so that neither is used before it is known to belong to this login
/// (OpenID Connect Core sections 3.2.2.8 and 3.3.2.8).
struct AuthenticatedResponse: Sendable {
  /// What the provider sent.
  let parameters: ParameterList
  /// What was really verified so far.
  let checks: Checks
  /// What is to be exchanged for a token, where a code was asked for.
  let code: AuthorizationCode?
  /// Who signed in, where the callback testified to it.
  let identity: IDToken?

  /// `check` is what can verify an id_token, if anything can.
  init(
    _ response: AuthorizationResponse, to request: AuthorizationRequest, of login: LoginRequest,
    _ check: IDTokenCheck?, at now: UTCDate
  ) async throws(Failure) {
    let type = login.responseType
    parameters = response.parameters
    code = type.includesCode ? try response.code() : nil
    let missing = try parameters.missing(of: login.requiredCallbackMembers)
    guard missing.isEmpty else { throw .untrusted(.missingToken(missing)) }

    identity = try await response.identity(with: code, to: request, of: login, check, at: now)
    guard identity != nil || !type.includesIDToken else { throw .untrusted(.missingToken(["id_token"])) }
    var checks = response.checks
    checks.idToken = identity != nil
    checks.nonce = identity != nil
    self.checks = checks
  }
}

extension AuthorizationResponse {
  /// Who signed in, as far as the callback testifies to it. An id_token that came unasked with a token is verified
  /// if it can be, and else not passed on.
  fileprivate func identity(
    with code: AuthorizationCode?, to request: AuthorizationRequest, of login: LoginRequest,
    _ check: IDTokenCheck?, at now: UTCDate
  ) async throws(Failure) -> IDToken? {
    let type = login.responseType
    guard type.includesIDToken || type == .token, let nonce = request.binding.nonce, let check,
      let text = try parameters.usable("id_token")
    else { return nil }
    let accessToken = type.includesToken ? try parameters.usable("access_token") : nil
    let binding = IDTokenBinding(
      .front, nonce: nonce, accessToken: accessToken.map { AccessToken($0) }, code: code,
      maxAge: login.maxAge, contexts: login.authenticationContexts)
    return try await check.verified(text, binding, at: now)
  }
}

extension LoginRequest {
  /// What the callback has to carry beside a code. Where a code is exchanged, the provider's own demands are for
  /// the token that comes of it, and where no access token is asked for they mean nothing.
  fileprivate var requiredCallbackMembers: [String] {
    let idToken = responseType.includesIDToken ? ["id_token"] : []
    guard responseType.includesToken else { return idToken }
    return (responseType.includesCode ? ["access_token"] : provider.requiredTokenMembers) + idToken
  }
}

extension ParameterList {
  /// Those of the names that are not there, or that are there and say nothing.
  fileprivate func missing(of names: [String]) throws(Failure) -> [String] {
    var missing: [String] = []
    for name in names {
      let value = try usable(name)
      if value == nil || name == "expires_in" && value.flatMap(Token.seconds) == nil { missing.append(name) }
    }
    return missing
  }
}
