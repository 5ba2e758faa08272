/// Logs a user in on a page of the provider, from the request to the token. Most programs need no other session.
///
/// The steps follow the order of RFC 6749 section 4.1.
public struct LoginSession: Sendable {
  private let agent: any UserAgent
  private let dependencies: Dependencies

  /// Creates a session. `agent` shows the page, in a window, a browser or otherwise.
  public init(agent: any UserAgent, _ dependencies: Dependencies) {
    self.agent = agent
    self.dependencies = dependencies
  }

  /// Takes the user to the provider and returns the token.
  public func token(for wanted: LoginRequest) async throws(Failure) -> Token {
    try wanted.validate(for: .page)
    do throws(Failure) {
      let token = try await signIn(wanted)
      await agent.conclude(.token)
      return token
    } catch {
      await agent.conclude(.failure(error))
      throw error
    }
  }

  private func signIn(_ wanted: LoginRequest) async throws(Failure) -> Token {
    let (begun, arrival, receivedAt) = try await dismissingAgent { () async throws(Failure) in
      try await visit(for: wanted)
    }
    return try await begun.token(of: arrival, receivedAt: receivedAt)
  }

  /// Takes the user to the provider. If the issuer has to be asked for the page first, the agent gets ready meanwhile.
  private func visit(for wanted: LoginRequest) async throws(Failure) -> (BegunLogin, Arrival, UTCDate) {
    if wanted.needsDiscovery { await agent.prepare(for: NavigationPolicy(of: wanted)) }
    let begun = try await BegunLogin(wanted, dependencies)
    let arrival = try await agent.visit(try await begun.visit())
    return (begun, arrival, dependencies.clock.now())
  }

  /// Dismisses the agent after `body`, whether it returns or throws.
  private func dismissingAgent<Value>(
    after body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    do throws(Failure) {
      let value = try await body()
      await agent.dismiss()
      return value
    } catch {
      await agent.dismiss()
      throw error
    }
  }
}

/// A login whose page is known: it makes the visit to that page, and the token from the answer.
struct BegunLogin: Sendable {
  /// The request with the provider's metadata and with the key that the token will be bound to.
  let login: LoginRequest
  let request: AuthorizationRequest
  private let check: IDTokenCheck?
  private let server: any HTTPTransport
  private let dependencies: Dependencies

  init(_ wanted: LoginRequest, _ dependencies: Dependencies) async throws(Failure) {
    login = try await wanted.completed(through: dependencies.transport).withProofKey(
      dependencies.cryptography)
    try login.validate(for: .page, afterDiscovery: true)
    request = try AuthorizationRequest(login, cryptography: dependencies.cryptography)
    server = dependencies.clientTransport(for: login)
    check = IDTokenCheck(of: login, dependencies)
    self.dependencies = dependencies
  }

  /// Returns the visit that carries the request or, if the provider wants it pushed, its name.
  func visit() async throws(Failure) -> Visit {
    guard login.provider.pushesRequests else { return request.visit }
    let endpoint = try login.provider.endpoint(.pushedAuthorizationRequest)
    let pushed = PushedAuthorizationRequest(request.parameters, for: login, at: endpoint)
    let response = try PushedAuthorizationResponse(try await server.send(pushed.httpRequest))
    return request.visit(of: response)
  }

  /// Checks the answer, and returns its token.
  func token(of arrival: Arrival, receivedAt: UTCDate) async throws(Failure) -> Token {
    let response = try AuthorizationResponse(arrival, to: request)
    let answer = try await AuthenticatedResponse(response, to: request, of: login, check, at: receivedAt)
    guard let code = answer.code else {
      dependencies.note(lifetime: answer.parameters["expires_in"].map(JSONValue.string))
      return try Token(answer, to: login, receivedAt: receivedAt)
    }
    let token = try await token(for: code, of: answer)
    return try await token.identified(
      for: login, by: check, nonce: request.binding.nonce, as: answer.identity, clock: dependencies.clock)
  }

  /// Exchanges the code, once (RFC 6749 section 4.1.3).
  private func token(
    for code: AuthorizationCode, of response: AuthenticatedResponse
  ) async throws(Failure) -> Token {
    let verifier = request.binding.verifier
    let repeated = response.parameters.repeated(login.provider.callbackParameters)
    let echo =
      try login.provider.echoesTokenState ? OAuthState.chosen(nil, orFrom: dependencies.cryptography) : nil
    let exchange = try TokenRequest(
      .code(code, redirectURI: login.redirectURI, verifier: verifier), for: login, repeating: repeated,
      state: echo)
    let answer = try TokenResponse(try await server.send(exchange.httpRequest), to: login)
    if let echo { try answer.checkEcho(of: echo) }
    try answer.checkDetails(of: login)
    var checks = response.checks
    if verifier != nil { checks.pkce = login.provider.pkce }
    return try dependencies.token(answer, to: login, callback: repeated, checks: checks)
  }
}
