/// A request for a token at the token endpoint (RFC 6749 section 3.2).
package struct TokenRequest: Sendable {
  /// The credential that is exchanged for a token.
  package enum Grant: Sendable {
    /// A code, with the redirect URI and the verifier of the authorization request (RFC 6749 section 4.1.3). It can
    /// be used once.
    case code(AuthorizationCode, redirectURI: RedirectURI, verifier: CodeVerifier?)
    /// A refresh token (RFC 6749 section 6).
    case refresh(RefreshToken)
    /// The code of a device whose user signs in elsewhere (RFC 8628 section 3.4).
    case device(DeviceCode)
    /// The client's own credentials (RFC 6749 section 4.4.2).
    case clientCredentials
    /// The user's name and password (RFC 6749 section 4.3.2).
    case password(user: String, Password)
    /// Another token, which need not be from this provider (RFC 8693 section 2.1). The login's parameters may name its
    /// type, the type of the new token, and the servers that it is for.
    case exchange(AccessToken)
  }

  /// The parameters with the types of the old and the new token, and the type that both have by default.
  enum TokenType {
    static let subject = "subject_token_type", requested = "requested_token_type"
    static let usual = "urn:ietf:params:oauth:token-type:access_token"
    /// The `token_type` of a token that is no access token, in lower case.
    static let none = "n_a"
  }

  /// The request, with which the client authenticates in exactly one way (RFC 6749 section 2.3).
  package let httpRequest: HTTPRequest

  /// Creates the request. Throws if the provider's token endpoint is not known. `callback` holds the parameters of the
  /// callback that the preset wants repeated, and `state` a state of this request alone, for a provider that echoes it.
  package init(
    _ grant: Grant, for login: LoginRequest, repeating callback: [Parameter] = [], state: OAuthState? = nil
  ) throws(Failure) {
    let provider = login.provider
    let endpoint = try provider.endpoint(.token)
    let device = provider.deviceGrant ?? Provider.DeviceGrant()
    let credentials = grant.credentials(device)
    var open = [Parameter("grant_type", grant.type(device))] + grant.openParameters
    if case .exchange = grant, !login.parameters.contains(where: { $0.name == TokenType.subject }) {
      open.append(Parameter(TokenType.subject, TokenType.usual))
    }
    if grant.isFirstRequest, let scope = login.scope { open.append(Parameter("scope", scope)) }
    let own = login.parameters.filter { grant.carries($0.name) }
    let usual = provider.tokenParameters.filter { usual in
      !own.contains { $0.name.isIdentical(to: usual.name) }
    }
    open += own + usual + callback
    if let state { open.append(Parameter("state", state.revealed())) }
    let proof = ClientProof(of: login)
    let headers = proof.headers + provider.headers
    // The client comes after the grant type.
    var all = open
    all.insert(contentsOf: credentials, at: 1)
    all += proof.form
    switch provider.tokenRequestForm {
    case .form:
      httpRequest = HTTPRequest(post: all, to: endpoint, headers: headers)
    case .codeInBody:
      httpRequest = HTTPRequest(
        post: credentials + proof.secret, to: endpoint.adding(open + proof.identifier), headers: headers)
    case .codeInJSONBody:
      httpRequest = HTTPRequest(
        postJSON: Self.object(credentials + proof.secret), to: endpoint.adding(open + proof.identifier),
        headers: headers)
    case .json:
      httpRequest = HTTPRequest(postJSON: Self.object(all), to: endpoint, headers: headers)
    }
  }

  private static func object(_ parameters: [Parameter]) -> JSONObject {
    parameters.reduce(into: JSONObject()) { $0[$1.name] = .string($1.value) }
  }
}

extension TokenRequest.Grant {
  fileprivate func type(_ device: Provider.DeviceGrant) -> String {
    switch self {
    case .code: "authorization_code"
    case .refresh: "refresh_token"
    case .device: device.type
    case .clientCredentials: "client_credentials"
    case .password: "password"
    case .exchange: "urn:ietf:params:oauth:grant-type:token-exchange"
    }
  }

  /// The secrets of the grant. They are in the body in every form of the request.
  fileprivate func credentials(_ device: Provider.DeviceGrant) -> [Parameter] {
    switch self {
    case .code(let code, _, _): [Parameter("code", code.revealed())]
    case .refresh(let token): [Parameter("refresh_token", token.revealed())]
    case .device(let code): [Parameter(device.parameter, code.revealed())]
    case .clientCredentials: []
    case .password(let user, let password):
      [Parameter("username", user), Parameter("password", password.revealed())]
    case .exchange(let token): [Parameter("subject_token", token.revealed())]
    }
  }

  /// The other parameters of the grant, which some presets put into the query.
  fileprivate var openParameters: [Parameter] {
    guard case .code(_, let redirectURI, let verifier) = self else { return [] }
    return [Parameter("redirect_uri", redirectURI.description)]
      + (verifier.map { [Parameter("code_verifier", $0.revealed())] } ?? [])
  }

  /// True if no earlier request has asked for a scope.
  fileprivate var isFirstRequest: Bool {
    switch self {
    case .clientCredentials, .password, .exchange: true
    case .code, .refresh, .device: false
    }
  }

  /// True if the request repeats this parameter of the login: always `resource` (RFC 8707 section 2.2) and, in a first
  /// request, all but those about signing in on a page.
  fileprivate func carries(_ name: String) -> Bool {
    isFirstRequest ? !["login_hint", "prompt", "max_age"].contains(name) : name == "resource"
  }
}
