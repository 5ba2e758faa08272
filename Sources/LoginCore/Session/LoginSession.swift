/// One login from the request to the token, in the order of the RFC's steps.
public struct LoginSession: Sendable {
  private let agent: any UserAgent
  private let dependencies: Dependencies

  /// A login by these means.
  public init(agent: any UserAgent, _ dependencies: Dependencies) {
    self.agent = agent
    self.dependencies = dependencies
  }

  /// Takes the user to the provider and returns the token that came of it.
  public func token(for wanted: LoginRequest) async throws(Failure) -> Token {
    try Self.check(wanted)
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
    let visited = try await dismissingAgent { () async throws(Failure) in try await visit(for: wanted) }
    let (login, check, request, server) = (visited.login, visited.check, visited.request, visited.server)
    let response = try AuthorizationResponse(visited.arrival, to: request)
    let answer = try await AuthenticatedResponse(
      response, to: request, of: login, check, at: visited.receivedAt)
    guard let code = answer.code else { return try Token(answer, to: login, receivedAt: visited.receivedAt) }
    let token = try await token(for: code, of: answer, to: request, login, server)
    return try await token.identified(
      for: login, by: check, nonce: request.binding.nonce, as: answer.identity, clock: dependencies.clock)
  }

  /// Refuses a login that cannot be completed, before anything is opened.
  public static func check(_ login: LoginRequest) throws(Failure) {
    if login.responseType.includesCode, login.provider.endpoints[.token] == nil, login.provider.issuer == nil
    {
      throw .caller(.noEndpoint(.token))
    }
    if login.provider.issuer == nil || login.provider.hasOpaqueIDToken {
      try login.checkWithoutVerification()
    }
  }

  /// What is known when the user has come back.
  private struct Visited: Sendable {
    let login: LoginRequest
    let check: IDTokenCheck?
    let request: AuthorizationRequest
    let server: any HTTPTransport
    let arrival: Arrival
    let receivedAt: UTCDate
  }

  /// Takes the user to the provider, as soon as it is known where that is.
  private func visit(for wanted: LoginRequest) async throws(Failure) -> Visited {
    if wanted.needsDiscovery { await agent.prepare(for: NavigationPolicy(of: wanted)) }
    let login = try await wanted.completed(through: dependencies.transport).withProofKey(
      dependencies.cryptography)
    try login.checkTokenEndpoint()
    let check = IDTokenCheck(of: login, dependencies)
    if check == nil { try login.checkWithoutVerification() }
    let request = try AuthorizationRequest(login, cryptography: dependencies.cryptography)
    let server = login.ownEndpoints(dependencies)
    let arrival = try await agent.visit(try await visit(with: request, login, server))
    return Visited(
      login: login, check: check, request: request, server: server, arrival: arrival,
      receivedAt: dependencies.clock.now())
  }

  /// The visit that carries the request, or its name where the provider takes it by a way of its own.
  private func visit(
    with request: AuthorizationRequest, _ login: LoginRequest, _ server: any HTTPTransport
  ) async throws(Failure) -> Visit {
    guard login.provider.pushesRequests else { return request.visit }
    let endpoint = try login.provider.endpoint(.pushedAuthorizationRequest)
    let pushed = PushedAuthorizationRequest(request.parameters, for: login, at: endpoint)
    let response = try PushedAuthorizationResponse(try await server.send(pushed.httpRequest))
    return request.visit(of: response)
  }

  /// However a visit ends, what it has opened is closed afterwards.
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

  /// Exchanges the code, once (RFC 6749 section 4.1.3).
  private func token(
    for code: AuthorizationCode, of response: AuthenticatedResponse, to request: AuthorizationRequest,
    _ login: LoginRequest, _ server: any HTTPTransport
  ) async throws(Failure) -> Token {
    let verifier = request.binding.verifier
    let repeated = response.parameters.repeated(login.provider.callbackParameters)
    let echo =
      try login.provider.echoesTokenState ? State.chosen(nil, orFrom: dependencies.cryptography) : nil
    let exchange = try TokenRequest(
      .code(code, redirectURI: login.redirectURI, verifier: verifier), for: login, repeating: repeated,
      state: echo)
    let answer = try TokenResponse(try await server.send(exchange.httpRequest), to: login)
    if let echo { try answer.checkEcho(of: echo) }
    try login.checkDetails(answer)
    var checks = response.checks
    if verifier != nil { checks.pkce = login.provider.pkce }
    return try Token(
      answer, to: login, callback: repeated, checks: checks, receivedAt: dependencies.clock.now())
  }
}
