/// The request that the user carries to the authorization endpoint (RFC 6749 sections 4.1.1 and 4.2.1), and the
/// values that the answer is compared with.
package struct AuthorizationRequest: Sendable {
  /// The parameters, in the order in which they are sent.
  package let parameters: [Parameter]
  /// The address of the page where the user signs in, with all parameters of the request.
  package let url: String
  /// The navigations that answer the request.
  package let policy: NavigationPolicy
  private let endpoint: Endpoint
  /// The values that were chosen for this request alone.
  package let binding: RequestBinding
  /// The properties that an answer must have.
  let expectation: Expectation

  struct Expectation: Sendable {
    let state: OAuthState?
    let responseMode: ResponseMode
    let issuer: Issuer?
    let issuerIsSent: Bool
    let callbackParameters: [String]
    let isBoundByPKCE: Bool
    /// True if the callback carries a code and a token.
    let isHybrid: Bool

    /// True if a code may come without its callback, since PKCE binds it and no other parameter is needed.
    var acceptsBareCode: Bool { isBoundByPKCE && !issuerIsSent && callbackParameters.isEmpty }
  }

  /// Chooses the unguessable values. Throws for combinations that cannot work or are not safe.
  package init(_ login: LoginRequest, cryptography: any Cryptography) throws(Failure) {
    try login.validate(for: .authorizationRequest)
    let provider = login.provider
    endpoint = try provider.endpoint(.authorization)
    binding = try RequestBinding(of: login, cryptography: cryptography)
    let standard = try Self.standardParameters(login, binding, cryptography).map { parameter in
      Parameter(provider.parameterNames[parameter.name] ?? parameter.name, parameter.value)
    }
    parameters = try Self.merged(standard, provider.authorizationParameters, login.parameters, into: endpoint)
    url = endpoint.adding(parameters).description
    policy = NavigationPolicy(of: login)
    expectation = Expectation(
      state: binding.state, responseMode: login.effectiveResponseMode, issuer: provider.issuerOfCallbacks,
      issuerIsSent: provider.sendsIssuer, callbackParameters: provider.callbackParameters,
      isBoundByPKCE: login.responseType == .code && binding.verifier != nil,
      isHybrid: login.responseType.includesCode && login.responseType != .code)
  }

  private static func standardParameters(
    _ login: LoginRequest, _ binding: RequestBinding, _ cryptography: any Cryptography
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

  /// Returns the standard parameters, then those of the preset that the caller did not replace, then the caller's.
  /// Refuses to send a parameter twice (RFC 6749 section 3.1), except `resource` (RFC 8707 section 2).
  private static func merged(
    _ standard: [Parameter], _ constant: [Parameter], _ further: ParameterList, into endpoint: Endpoint
  ) throws(Failure) -> [Parameter] {
    let kept = constant.filter { constant in !further.contains { $0.name.isIdentical(to: constant.name) } }
    let all = standard + kept + further
    var list = endpoint.ownParameters
    for parameter in all {
      if !parameter.name.isIdentical(to: "resource"),
        list.contains(where: { $0.name.isIdentical(to: parameter.name) })
      {
        throw Failure(
          .invalidConfiguration,
          "the request would have the parameter \"\(parameter.name, upTo: 60)\" twice")
      }
      list.append(parameter)
    }
    return all
  }

  /// The visit that carries the request.
  package var visit: Visit { visit(to: url, mayOpenTwice: true) }

  /// Returns the visit that carries the name of a pushed request (RFC 9126 section 4).
  func visit(of pushed: PushedAuthorizationResponse) -> Visit {
    let client = parameters.filter { $0.name == "client_id" }
    let page = endpoint.adding(client + [Parameter("request_uri", pushed.requestURI)])
    return visit(to: page.description, mayOpenTwice: false)
  }

  private func visit(to url: String, mayOpenTwice: Bool) -> Visit {
    var visit = Visit(url: url, policy: policy, state: expectation.state, mayOpenTwice: mayOpenTwice)
    visit.isPosted = expectation.responseMode == .formPost
    visit.acceptsBareCode = expectation.acceptsBareCode
    return visit
  }
}

/// The secret values that bind an answer to its request. They are chosen anew for every request.
package struct RequestBinding: Sendable {
  /// The state, which the callback repeats.
  package let state: OAuthState?
  /// The nonce, which the id_token repeats.
  package let nonce: Nonce?
  /// The code verifier, which proves at the token endpoint that the code is ours.
  package let verifier: CodeVerifier?

  init(of login: LoginRequest, cryptography: any Cryptography) throws(Failure) {
    state = login.omitsState ? nil : try .chosen(login.fixed.state, orFrom: cryptography)
    let needsNonce = login.isForOpenID || login.fixed.nonce != nil
    nonce = needsNonce ? try .chosen(login.fixed.nonce, orFrom: cryptography) : nil
    let needsVerifier = login.responseType.includesCode && login.provider.pkce != .none
    verifier = needsVerifier ? try .chosen(login.fixed.codeVerifier, orFrom: cryptography) : nil
  }
}

extension Secret {
  /// Returns the fixed secret of a repeatable run, or else a random one. It has 256 bits; RFC 6749 section 10.10
  /// demands 128 and recommends 160.
  static func chosen(_ fixed: Secret?, orFrom cryptography: any Cryptography) throws(Failure) -> Secret {
    if let fixed { return fixed }
    return Secret(Base64.encodeURLSafe(try cryptography.randomBytes(32)))
  }
}

/// An authorization request that goes to the provider directly, so that the browser carries only its name (RFC 9126
/// section 2.1).
struct PushedAuthorizationRequest: Sendable {
  /// The request, with which the client authenticates.
  let httpRequest: HTTPRequest

  /// Creates the request. `parameters` are those that the browser would otherwise carry.
  init(_ parameters: [Parameter], for login: LoginRequest, at endpoint: Endpoint) {
    httpRequest = HTTPRequest(post: parameters, to: endpoint, provingClientOf: login)
  }
}

/// The answer to a ``PushedAuthorizationRequest`` (RFC 9126 section 2.2).
struct PushedAuthorizationResponse: Sendable {
  /// The name under which the provider keeps the request. It can be used once.
  let requestURI: String

  /// Reads the answer. Throws for an error, and for an answer without a name.
  init(_ response: HTTPResponse) throws(Failure) {
    let members = try EndpointAnswer.members(
      of: response, from: .pushedAuthorizationRequest, accepting: [200, 201])
    guard let name = members["request_uri"]?.string, !name.isEmpty,
      !name.unicodeScalars.contains(where: \.isControl)
    else {
      throw .missing("request_uri", from: .pushedAuthorizationRequest)
    }
    requestURI = name
  }
}
