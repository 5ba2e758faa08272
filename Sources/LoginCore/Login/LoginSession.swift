/// One login from the request to the token, in the order of the RFC's steps.
public struct LoginSession: Sendable {
  private let agent: any UserAgent
  private let transport: any HTTPTransport
  private let cryptography: any Cryptography
  private let clock: any WallClock

  /// A login that uses these ways to the world.
  public init(
    agent: any UserAgent, transport: any HTTPTransport, cryptography: any Cryptography, clock: any WallClock
  ) {
    self.agent = agent
    self.transport = transport
    self.cryptography = cryptography
    self.clock = clock
  }

  /// Takes the user to the provider and returns the token that came of it.
  public func token(for wanted: LoginRequest) async throws(Failure) -> Token {
    try Self.check(wanted)
    let login = try await wanted.completed(through: transport)
    try login.checkTokenEndpoint()
    let check = try IDTokenCheck(of: login, transport: transport, cryptography: cryptography)
    let request = try AuthorizationRequest(login, cryptography: cryptography)
    let server = ownEndpoints(of: login)
    let visit = try await visit(with: request, login, server)
    let (arrival, receivedAt) = try await arrival(of: visit)
    let response = try AuthorizationResponse(arrival, to: request)
    guard login.responseType.includesCode else {
      return try Token(response, to: login, receivedAt: receivedAt)
    }
    let token = try await token(for: try response.code(), of: response, to: request, login, server)
    return try await identified(token, check, by: request, login)
  }

  /// Refuses a login that this version cannot complete, before anything is opened.
  public static func check(_ login: LoginRequest) throws(Failure) {
    guard login.responseType == .token || login.responseType == .code else {
      throw .caller(
        .invalidConfiguration("this version does not complete response_type \(login.responseType)"))
    }
    if login.responseType == .code, login.provider.endpoints[.token] == nil, login.provider.issuer == nil {
      throw .caller(
        .invalidConfiguration("there is no token endpoint", hint: "add --token-endpoint URL or --issuer URL"))
    }
  }

  /// The visit that carries the request, or its name where the provider takes it by a way of its own.
  private func visit(
    with request: AuthorizationRequest, _ login: LoginRequest, _ server: any HTTPTransport
  ) async throws(Failure) -> Visit {
    guard login.provider.pushesRequests else { return request.visit }
    guard let endpoint = login.provider.endpoints[.pushedAuthorizationRequest] else {
      throw .caller(
        .invalidConfiguration(
          "the provider takes pushed requests only, and does not say where",
          hint: "add --pushed-authorization-request-endpoint URL"))
    }
    let pushed = PushedAuthorizationRequest(request.parameters, for: login, at: endpoint)
    let response = try PushedAuthorizationResponse(try await server.send(pushed.httpRequest))
    return request.visit(of: response)
  }

  /// The way to the provider's own endpoints, with proofs of possession where tokens are bound to a key.
  private func ownEndpoints(of login: LoginRequest) -> any HTTPTransport {
    guard let key = login.proofKey else { return transport }
    return DPoPTransport(transport, key: key, cryptography: cryptography, clock: clock)
  }

  /// Whatever a visit brings, what it has opened is closed afterwards.
  private func arrival(of visit: Visit) async throws(Failure) -> (Arrival, UTCDate) {
    do throws(Failure) {
      let arrival = try await agent.visit(visit)
      let receivedAt = clock.now()
      await agent.dismiss()
      return (arrival, receivedAt)
    } catch {
      await agent.dismiss()
      throw error
    }
  }

  /// Exchanges the code, once (RFC 6749 section 4.1.3).
  private func token(
    for code: AuthorizationCode, of response: AuthorizationResponse, to request: AuthorizationRequest,
    _ login: LoginRequest, _ server: any HTTPTransport
  ) async throws(Failure) -> Token {
    let verifier = request.binding.verifier
    let repeated = response.repeated(login.provider.callbackParameters)
    let echo = try login.provider.echoesTokenState ? State.chosen(nil, orFrom: cryptography) : nil
    let exchange = try TokenRequest(
      .code(code, redirectURI: login.redirectURI, verifier: verifier), for: login, repeating: repeated,
      state: echo)
    let answer = try TokenResponse(try await server.send(exchange.httpRequest))
    if let echo { try answer.checkEcho(of: echo) }
    var checks = response.checks
    if verifier != nil { checks.pkce = login.provider.pkce }
    return try Token(
      answer, to: login, callback: repeated, checks: checks, receivedAt: clock.now())
  }

  /// The token with what its id_token testifies (OpenID Connect Core section 3.1.3.7). One that was asked for
  /// has to be there; one that cannot be verified is not passed on, unless the preset says so.
  private func identified(
    _ token: Token, _ check: IDTokenCheck?, by request: AuthorizationRequest, _ login: LoginRequest
  ) async throws(Failure) -> Token {
    guard let text = token.idToken else {
      if login.asksForIDToken { throw .untrusted(.missingToken(["id_token"])) }
      return token
    }
    guard let check else { return login.provider.hasOpaqueIDToken ? token : token.withoutIDToken }
    let binding = IDTokenBinding(
      .back, nonce: request.binding.nonce, accessToken: token.accessToken, maxAge: login.maxAge,
      contexts: login.authenticationContexts)
    let identity = try await check.verified(text, binding, at: clock.now())
    return token.with(identity, repeatsNonce: request.binding.nonce != nil)
  }
}
