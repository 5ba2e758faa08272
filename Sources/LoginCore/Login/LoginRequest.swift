/// Everything that decides a login before random values are chosen: the provider, the client, and what the application
/// asks for.
public struct LoginRequest: Sendable {
  /// The provider that issues the token.
  public var provider: Provider
  /// The identifier that the provider gave to the application (RFC 6749 section 2.2).
  public var clientID: String
  /// The secret that client and provider share.
  public var clientSecret: ClientSecret?
  /// The key with which the client signs its assertions, if it has one in place of a secret.
  public var clientKey: ClientKey?
  /// How the client authenticates at the provider: as it was set, with its key, or else as the provider's preset or metadata
  /// say, which may change when the metadata are read.
  public var clientAuthentication: ClientAuthentication {
    get {
      if let givenAuthentication { return givenAuthentication }
      return clientKey != nil
        ? .privateKeyJWT : provider.usualAuthentication(hasSecret: clientSecret != nil)
    }
    set { givenAuthentication = newValue }
  }
  /// The authentication that was set for this client.
  var givenAuthentication: ClientAuthentication?
  /// The redirect URI as registered.
  public var redirectURI: RedirectURI
  /// Other forms in which the provider sends the redirect.
  package var redirectAliases: [RedirectURI]
  /// The grant that brings the token. ``responseType`` decides between code and implicit.
  public var grant: GrantType
  /// The response type of the authorization request.
  public var responseType: ResponseType
  /// The part of the callback that carries the answer, if not the usual one.
  public var responseMode: ResponseMode?
  /// The scope to ask for (RFC 6749 section 3.3).
  public var scope: String?
  /// Further parameters: `prompt`, `login_hint`, `resource` and the provider's own.
  public var parameters: ParameterList
  /// The key that the token is bound to, so that a stolen token is useless (RFC 9449).
  var proofKey: (any SigningKey)?
  /// True if the body of a token request names the client even if a header field already does. Some servers look only
  /// in the body.
  var namesClient = false
  /// True if the transport proves the client with a certificate (RFC 8705 section 2). It then needs no secret.
  package var provesByCertificate = false
  /// Fixed values in place of random ones, for repeatable runs.
  package var fixed: FixedValues
  /// True if the request has no state. Only a code that PKCE protects may do without (RFC 9700 section 2.1).
  package var omitsState: Bool

  /// Values that replace random ones.
  package struct FixedValues: Sendable {
    /// The state to send.
    package var state: OAuthState?
    /// The nonce to send.
    package var nonce: Nonce?
    /// The code verifier behind the challenge to send.
    package var codeVerifier: CodeVerifier?

    /// Creates the values; each one that is nil is chosen at random.
    package init(state: OAuthState? = nil, nonce: Nonce? = nil, codeVerifier: CodeVerifier? = nil) {
      (self.state, self.nonce, self.codeVerifier) = (state, nonce, codeVerifier)
    }
  }

  /// Creates a request with the provider's defaults.
  public init(
    provider: Provider, clientID: String, clientSecret: ClientSecret? = nil, redirectURI: RedirectURI
  ) {
    self.provider = provider
    self.clientID = clientID
    self.clientSecret = clientSecret
    self.redirectURI = redirectURI
    redirectAliases = provider.redirectAliases
    grant = provider.grant
    responseType = provider.responseType
    responseMode = provider.responseMode
    scope = provider.scope
    parameters = []
    fixed = FixedValues()
    omitsState = false
  }

  /// The part of the callback that will carry the answer.
  package var effectiveResponseMode: ResponseMode { responseMode ?? responseType.defaultMode }

  /// Returns a parameter of the request: the caller's, or else the preset's.
  package func parameter(_ name: String) -> String? {
    let all = parameters + provider.authorizationParameters
    return all.first { $0.name.isIdentical(to: name) }?.value
  }
}

extension NavigationPolicy {
  /// Creates the policy that ends the visit of a login.
  init(of login: LoginRequest) {
    self.init(
      redirectURI: login.redirectURI, aliases: login.redirectAliases, errorPages: login.provider.errorPages)
  }
}

extension LoginRequest {
  /// The logins that ``validate(for:afterDiscovery:)`` tells apart.
  package enum Flow: Sendable {
    /// The user signs in on a page, and this program gets the token.
    case page
    /// The address of that page by itself: another program may exchange the code.
    case authorizationRequest
    /// The user types a code in on another device (RFC 8628).
    case device
    /// The client gets a token of its own (RFC 6749 section 4.4).
    case clientCredentials
  }

  /// Refuses a login that could only fail once the user has signed in, or that would succeed without protection.
  ///
  /// A session validates its request before it sends or opens anything. At that point the issuer may still name missing
  /// endpoints and keys, so a session that asks the issuer validates again `afterDiscovery`.
  package func validate(for flow: Flow, afterDiscovery: Bool = false) throws(Failure) {
    let mayStillDiscover = provider.issuer != nil && !afterDiscovery
    func requireEndpoint(_ name: EndpointName) throws(Failure) {
      if !mayStillDiscover { _ = try provider.endpoint(name) }
    }

    switch flow {
    case .page:
      if responseType.includesCode { try requireEndpoint(.token) }
      try requireUsableIDToken(mayStillDiscover)
    case .device:
      // A provider without the device grant is refused for that first, even if its preset lacks more.
      try requireEndpoint(afterDiscovery ? .token : .deviceAuthorization)
      guard responseType == .code else {
        throw Failure(.invalidConfiguration, "the device grant has no response type")
      }
      try requireUsableIDToken(mayStillDiscover)
    case .clientCredentials:
      guard clientAuthentication != .none || provesByCertificate else { throw .clientWithoutSecret }
    case .authorizationRequest:
      try requireSafeAuthorizationRequest()
    }
  }

  /// A preset may say that an id_token is passed on unverified, but not one that comes through the user agent: anybody
  /// could have made that one.
  private func requireUsableIDToken(_ mayStillDiscover: Bool) throws(Failure) {
    if provider.hasOpaqueIDToken {
      if !responseType.includesIDToken { return }
      throw Failure(
        .invalidConfiguration,
        "an id_token in the callback must be verified, but the preset says that this is not possible")
    }
    let canVerify = mayStillDiscover || provider.issuer != nil && provider.endpoints[.keySet] != nil
    if asksForIDToken, !canVerify {
      throw provider.issuer == nil ? .unverifiableIDToken : .noKeys
    }
  }

  private func requireSafeAuthorizationRequest() throws(Failure) {
    if clientID.isEmpty { throw .noClient }
    if omitsState, responseType != .code || provider.pkce == .none {
      throw Failure(.invalidConfiguration, "only the code flow with PKCE may leave out the state")
    }
    let tokenComesInCallback = responseType.includesToken || !responseType.includesCode
    if tokenComesInCallback, effectiveResponseMode == .query {
      // RFC 6749 section 4.2.2: servers see a query and keep it in their logs.
      throw Failure(.invalidConfiguration, "a token in the query could be seen by others")
    }
    if tokenComesInCallback, provider.bindsTokens {
      throw Failure(
        .invalidConfiguration, "only a token that comes in exchange for a code can be bound to a key")
    }
    if responseMode == .formPost, !redirectURI.isOnThisMachine {
      throw Failure(
        .invalidConfiguration,
        "response_mode form_post needs a redirect URI on this machine")
    }
    if let state = fixed.state, !state.isPrintableASCII {
      throw Failure(.invalidOption, "the state must be printable ASCII")
    }
    if let nonce = fixed.nonce, !nonce.isPrintableASCII {
      throw Failure(.invalidOption, "the nonce must be printable ASCII")
    }
    if let verifier = fixed.codeVerifier, !verifier.isWellFormed {
      throw Failure(.invalidOption, "the code verifier must be 43 to 128 letters, digits and -._~")
    }
  }
}

extension Failure {
  package static let noClient = Failure(
    .invalidConfiguration, "no client identifier was given", hint: .nameClient)
  package static let unverifiableIDToken = Failure(
    .invalidConfiguration, "an id_token cannot be verified without issuer and keys", hint: .addIssuer)
  fileprivate static let noKeys = Failure(
    .invalidConfiguration,
    "an id_token cannot be verified, because the provider does not say where its keys are",
    hint: .addEndpoint(.keySet))
  package static let clientWithoutSecret = Failure(
    .invalidConfiguration, "a client without a secret cannot get a token of its own", hint: .giveSecret)
}

/// Discovery (RFC 8414, OpenID Connect Discovery).
extension LoginRequest {
  /// Returns the request with the issuer's metadata wherever neither the caller nor the preset says anything.
  func completed(through transport: any HTTPTransport) async throws(Failure) -> LoginRequest {
    try await completed(needing: neededEndpoints, through: transport)
  }

  /// Returns the request with the issuer's metadata. The issuer is asked only if one of the `needed` endpoints is
  /// missing.
  package func completed(
    needing needed: [EndpointName], through transport: any HTTPTransport
  ) async throws(Failure) -> LoginRequest {
    var login = self
    login.provider = try await provider.completed(needing: needed, through: transport)
    return login
  }

  /// True if the issuer has to be asked before the page is known.
  var needsDiscovery: Bool { provider.needsDiscovery(of: neededEndpoints) }

  private var neededEndpoints: [EndpointName] {
    var needed: [EndpointName] = [.authorization]
    if responseType.includesCode { needed.append(.token) }
    if isForOpenID { needed.append(.keySet) }
    return needed
  }
}

/// OpenID Connect.
extension LoginRequest {
  /// True if the request is one of OpenID Connect, so that an id_token may come (Core sections 3.1.2.1 and 3.2.2.1).
  package var isForOpenID: Bool {
    responseType.includesIDToken || (scope ?? "").parts(at: " ").contains("openid")
  }

  /// True if an id_token has to come. `response_type=token` brings none, even with the scope `openid`.
  package var asksForIDToken: Bool {
    responseType.includesIDToken || responseType.includesCode && isForOpenID
  }

  /// How many seconds ago the user may have signed in, if the request limits it. A value that is not a number counts
  /// as 0, so that it does not pass for checked.
  var maxAge: Int? { parameter("max_age").map { Int($0) ?? 0 } }

  /// The authentication contexts of which the sign-in has to meet one: those of `acr_values`, and those that the
  /// `claims` parameter requests for the id_token (Core sections 3.1.2.1 and 5.5.1.1).
  var authenticationContexts: [String] {
    (parameter("acr_values") ?? "").parts(at: " ").filter { !$0.isEmpty } + claimedContexts
  }

  private var claimedContexts: [String] {
    guard let text = parameter("claims"), let claims = try? JSONReader.read(Array(text.utf8)),
      let asked = claims.object?["id_token"]?.object?["acr"]?.object
    else { return [] }
    return ([asked["value"]] + (asked["values"]?.array ?? [])).compactMap { $0?.string }
  }
}

/// The key that tokens are bound to, from the request to the last refresh (RFC 9449 section 5).
extension LoginRequest {
  /// Returns the request with a new key if the provider binds tokens and the request has no key yet.
  package func withProofKey(_ cryptography: any Cryptography) throws(Failure) -> LoginRequest {
    guard provider.bindsTokens, proofKey == nil else { return self }
    let key = try cryptography.neededSignatures().newProofKey()
    let algorithm = key.algorithm.rawValue
    if let accepted = provider.proofAlgorithms, !accepted.contains(algorithm) {
      throw Failure(.invalidConfiguration, "the provider does not accept proofs signed with \(algorithm)")
    }
    var login = self
    login.proofKey = key
    return login
  }

  /// Returns the request with the key of an earlier token, if that token is bound. The refresh token of a public
  /// client is bound to the key, too.
  func withKeptKey(_ jwk: JSONObject?, _ cryptography: any Cryptography) throws(Failure) -> LoginRequest {
    guard let jwk else { return self }
    var login = self
    login.proofKey = try cryptography.keptProofKey(jwk)
    return login
  }
}

/// Step-up: another login that asks for more.
extension LoginRequest {
  /// Returns the request that asks for what a server demands beside what it asks for already.
  func asking(_ stepUp: StepUp) -> LoginRequest {
    var login = self
    if case .scope(let scope) = stepUp { login.scope = Self.union(login.scope, scope) }
    let added = stepUp.parameters
    login.parameters.removeAll { parameter in added.contains { $0.name.isIdentical(to: parameter.name) } }
    login.parameters += added
    return login
  }

  /// True if the request already asks for what a server demands.
  func asks(for stepUp: StepUp) -> Bool {
    if case .scope(let scope) = stepUp {
      return Self.union(self.scope, scope).isIdentical(to: Self.union(self.scope, ""))
    }
    return stepUp.parameters.allSatisfy { parameters.contains($0) }
  }

  /// Returns the words of both scopes without repetition, those of the first scope first (RFC 6749 section 3.3).
  package static func union(_ first: String?, _ second: String) -> String {
    var words: [String] = []
    for word in "\(first ?? "") \(second)".parts(at: " ") where !word.isEmpty {
      if !words.contains(where: word.isIdentical) { words.append(word) }
    }
    return words.joined(separator: " ")
  }
}
