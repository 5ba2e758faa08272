/// The request that the user carries to the authorization endpoint (RFC 6749 sections 4.1.1 and 4.2.1), and
/// what has to be remembered of it until the answer comes.
public struct AuthorizationRequest: Sendable {
  /// The parameters, in the order in which they are sent.
  public let parameters: [Parameter]
  /// The page to open.
  public let url: String
  /// Which navigations answer it.
  public let policy: NavigationPolicy
  private let endpoint: Endpoint
  /// What was chosen for this request alone.
  public let binding: Binding
  /// What an answer has to repeat and where it comes.
  let expectation: Expectation

  /// What the answer is held against.
  struct Expectation: Sendable {
    let state: State?
    let responseMode: ResponseMode
    let issuer: Issuer?
    let issuerIsSent: Bool
    let callbackParameters: [String]
    let isBoundByPKCE: Bool

    /// Whether a code may come without its callback: nothing that the callback would have to carry is missed.
    var acceptsBareCode: Bool { isBoundByPKCE && !issuerIsSent && callbackParameters.isEmpty }
  }

  /// The visit that carries the request.
  public var visit: Visit { visit(to: url, mayOpenTwice: true) }

  private func visit(to url: String, mayOpenTwice: Bool) -> Visit {
    var visit = Visit(url: url, policy: policy, state: expectation.state, mayOpenTwice: mayOpenTwice)
    visit.isPosted = expectation.responseMode == .formPost
    visit.acceptsBareCode = expectation.acceptsBareCode
    return visit
  }

  /// The visit that carries the name of a request that went to the provider before (RFC 9126 section 4).
  public func visit(of pushed: PushedAuthorizationResponse) -> Visit {
    let client = parameters.filter { $0.name == "client_id" }
    let page = endpoint.adding(client + [Parameter("request_uri", pushed.requestURI)])
    return visit(to: page.description, mayOpenTwice: false)
  }

  /// Chooses whatever has to be unguessable and refuses combinations that cannot work.
  public init(_ login: LoginRequest, cryptography: any Cryptography) throws(Failure) {
    try login.check()
    let provider = login.provider
    endpoint = try provider.endpoint(.authorization)
    binding = try Binding(of: login, cryptography: cryptography)
    let standard = try Self.standardParameters(login, binding, cryptography).map { parameter in
      Parameter(provider.parameterNames[parameter.name] ?? parameter.name, parameter.value)
    }
    parameters = try Self.merged(standard, provider.authorizationParameters, login.parameters, into: endpoint)
    url = endpoint.adding(parameters).description
    policy = NavigationPolicy(of: login)
    expectation = Expectation(
      state: binding.state, responseMode: login.effectiveResponseMode, issuer: provider.issuerOfCallbacks,
      issuerIsSent: provider.sendsIssuer, callbackParameters: provider.callbackParameters,
      isBoundByPKCE: login.responseType == .code && binding.verifier != nil)
  }

  private static func standardParameters(
    _ login: LoginRequest, _ binding: Binding, _ cryptography: any Cryptography
  ) throws(Failure) -> [Parameter] {
    var list = [
      Parameter("response_type", login.responseType.description),
      Parameter("client_id", login.clientID),
      Parameter("redirect_uri", login.redirectURI.description),
    ]
    if let mode = login.responseMode, mode != login.responseType.defaultMode {
      list.append(Parameter("response_mode", mode.rawValue))
    }
    if let scope = login.scope { list.append(Parameter("scope", scope)) }
    if let state = binding.state { list.append(Parameter("state", state.revealed())) }
    if let nonce = binding.nonce { list.append(Parameter("nonce", nonce.revealed())) }
    let method = login.provider.pkce
    if let verifier = binding.verifier,
      let challenge = try method.challenge(for: verifier, with: cryptography)
    {
      list.append(Parameter("code_challenge", challenge))
      list.append(Parameter("code_challenge_method", method.rawValue))
    }
    if let key = login.proofKey, login.responseType.includesCode,
      let thumbprint = try Thumbprint.text(of: key.publicKey, cryptography)
    {
      list.append(Parameter("dpop_jkt", thumbprint))
    }
    return list
  }

  /// The request's own parameters first, then the caller's and those of the preset that the caller did not
  /// change: none twice (RFC 6749 section 3.1), except `resource` (RFC 8707 section 2).
  private static func merged(
    _ standard: [Parameter], _ constant: [Parameter], _ further: [Parameter], into endpoint: Endpoint
  ) throws(Failure) -> [Parameter] {
    let kept = constant.filter { constant in !further.contains { $0.name.isIdentical(to: constant.name) } }
    let all = standard + kept + further
    var list = endpoint.ownParameters
    for parameter in all {
      if !parameter.name.isIdentical(to: "resource"),
        list.contains(where: { $0.name.isIdentical(to: parameter.name) })
      {
        throw .caller(.repeatedParameter(parameter.name))
      }
      list.append(parameter)
    }
    return all
  }
}

extension LoginRequest {
  /// Refuses what could only fail after a window has been opened, or succeed without protection.
  fileprivate func check() throws(Failure) {
    if clientID.isEmpty { throw .caller(.noClient) }
    if omitsState, responseType != .code || provider.pkce == .none {
      throw .caller(.unprotectedWithoutState)
    }
    if responseType.includesToken || !responseType.includesCode, effectiveResponseMode == .query {
      // RFC 6749 section 4.2.2; a query is sent to servers and kept in their logs.
      throw .caller(.tokenInQuery)
    }
    if provider.bindsTokens, responseType.includesToken || !responseType.includesCode {
      throw .caller(.boundTokenWithoutCode)
    }
    if responseMode == .formPost, !redirectURI.isOnThisMachine { throw .caller(.postedElsewhere) }
    if let state = fixed.state, !state.isPrintableASCII { throw .caller(.malformed(.state)) }
    if let nonce = fixed.nonce, !nonce.isPrintableASCII { throw .caller(.malformed(.nonce)) }
    if let verifier = fixed.codeVerifier, !verifier.isWellFormed { throw .caller(.malformed(.codeVerifier)) }
  }
}
