import GnuTLSCrypto
import LoginCore
import SignIn
import WindowProtocol

extension LoginRequest {
  /// Combines the caller's settings with the preset; the caller wins. Throws if the provider's `needed` endpoint cannot be
  /// found out.
  init(
    _ settings: Settings, needing needed: EndpointName? = nil, catalog: ProviderCatalog
  ) throws(Failure) {
    let clientID = settings[.clientID] ?? ""
    try self.init(
      settings,
      to: try Provider(
        settings, clientID: clientID, for: needed ?? settings.firstEndpoint, catalog: catalog))
  }

  /// Combines the caller's settings with those of a known provider.
  init(_ settings: Settings, to provider: Provider) throws(Failure) {
    let asked = try settings.value(of: .redirectURI, as: RedirectURI.init)
    let usual = try RedirectURI.ofThisMachine(for: provider.issuer)
    self.init(
      provider: provider, clientID: settings[.clientID] ?? "", clientSecret: settings.clientSecret,
      redirectURI: asked ?? provider.redirectURI ?? usual)
    // The preset's aliases are other forms of its own redirect URI.
    if let asked, asked != provider.redirectURI { redirectAliases = [] }
    try applyResponse(settings)
    if let scope = settings[.scope] { self.scope = scope.isEmpty ? nil : scope }
    try applyAuthentication(settings)
    provesByCertificate = settings.has(.clientCertificate)
    parameters = try Self.extraParameters(settings, of: provider)
    omitsState = settings.has(.withoutState)
    if omitsState, settings.has(.state) {
      throw .contradiction(Option.state.flag, Option.withoutState.flag)
    }
    fixed = FixedValues(
      state: settings[.state].map { OAuthState($0) }, nonce: settings[.nonce].map { Nonce($0) },
      codeVerifier: settings[.codeVerifier].map { CodeVerifier($0) })
  }

  /// Sets how the client authenticates, and with which key.
  private mutating func applyAuthentication(_ settings: Settings) throws(Failure) {
    let method = settings.clientAuthentication
    if let method { clientAuthentication = method }
    clientKey = settings.clientKey
    guard let key = clientKey else {
      if method == .privateKeyJWT {
        throw .unusableClientKey.with(hint: "give the key with --client-key-file")
      }
      return
    }
    if clientSecret != nil { throw .contradiction(Option.clientKeyFile.flag, Option.clientSecretFile.flag) }
    if let method, method != .privateKeyJWT {
      throw .contradiction(
        Option.clientKeyFile.flag, "\(Option.clientAuthentication.flag) \(method.rawValue)")
    }
    if try GnuTLSCryptography().clientKey(key.revealed()) == nil { throw .unusableClientKey }
  }

  /// Sets the grant, the response type and the response mode.
  mutating func applyResponse(_ settings: Settings) throws(Failure) {
    let granted = settings[.grant].flatMap(GrantType.init)
    let type = try settings.value(
      of: .responseType, wanting: "code, token, id_token or several of them"
    ) { ResponseType($0) }
    if let type {
      if let granted, !granted.usesAuthorizationEndpoint || (granted == .code) != type.includesCode {
        throw .contradiction(Option.grant.flag, Option.responseType.flag)
      }
      responseType = type
      grant = granted ?? .code
    } else if let granted {
      grant = granted
      responseType = granted == .implicit ? .token : .code
    }
    if !grant.usesAuthorizationEndpoint {
      // The preset's values are for the authorization endpoint.
      responseType = .code
      responseMode = nil
    }
    if let mode = settings[.responseMode].flatMap(ResponseMode.init) { responseMode = mode }
  }

  /// The parameters of `--param`, and of the wishes that set one parameter each.
  private static func extraParameters(_ settings: Settings, of provider: Provider) throws(Failure)
    -> [Parameter]
  {
    var parameters: [Parameter] = []
    for (option, name) in [(Option.loginHint, "login_hint"), (.prompt, "prompt"), (.maxAge, "max_age")] {
      if let value = settings[option] { parameters.append(Parameter(name, value)) }
    }
    for text in settings.all(.resource) {
      let isURI = text.contains(":") && !text.contains("#") && text.utf8.allSatisfy(\.isVisible)
      guard isURI else { throw .takes(Option.resource.flag, "an absolute URI without a fragment") }
      parameters.append(Parameter("resource", text))
    }
    parameters += try settings.parameters(.parameter, and: Array(provider.parameterNames.values))
    if let details = settings.authorizationDetails {
      parameters.append(Parameter("authorization_details", details))
    }
    return parameters
  }
}

extension Settings {
  /// Returns the extra parameters of an option. Refuses those that the request sets itself.
  func parameters(_ option: Option, and reserved: [String] = []) throws(Failure) -> [Parameter] {
    try pairs(option).map { pair throws(Failure) in
      guard ReservedNames.parameters.contains(pair.name) || reserved.contains(pair.name) else { return pair }
      let name = "\(option.flag) \(pair.name)"
      throw Failure(
        .invalidOption, "\(name, upTo: 80): the request sets this parameter itself",
        hint: Option.setting(parameter: pair.name).map { "use \($0.flag)" })
    }
  }

  /// The endpoint with which a login begins.
  var firstEndpoint: EndpointName {
    switch self[.grant].flatMap(GrantType.init) {
    case .clientCredentials, .password, .tokenExchange: .token
    case .device: .deviceAuthorization
    case .code, .implicit: .authorization
    case nil:
      self[.way] == AgentKind.device.rawValue && !has(.headlessTest) ? .deviceAuthorization : .authorization
    }
  }
}
