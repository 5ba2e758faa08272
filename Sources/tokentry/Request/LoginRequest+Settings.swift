import LoginCore
import Wording

extension LoginRequest {
  /// Puts a request together from what the caller said and what the preset says; the caller wins. `needed` is the
  /// endpoint without which there is nothing to be done.
  init(
    _ settings: Settings, needing needed: EndpointName? = nil, catalog: ProviderCatalog
  ) throws(Failure) {
    let clientID = settings[.clientID] ?? ""
    try self.init(
      settings,
      to: try Provider(
        settings, clientID: clientID, for: needed ?? settings.firstEndpoint, catalog: catalog))
  }

  /// The same where the provider is known.
  init(_ settings: Settings, to provider: Provider) throws(Failure) {
    let asked = try settings.value(of: .redirectURI, as: RedirectURI.init)
    let usual = try RedirectURI.ofThisMachine(for: provider.issuer)
    self.init(
      provider: provider, clientID: settings[.clientID] ?? "", clientSecret: settings.clientSecret,
      redirectURI: asked ?? provider.redirectURI ?? usual)
    // The aliases are other forms of the preset's redirect URI, not of one that the caller brings.
    if let asked, asked != provider.redirectURI { redirectAliases = [] }
    try apply(settings)
  }

  private mutating func apply(_ settings: Settings) throws(Failure) {
    try applyResponse(settings)
    if let scope = settings[.scope] { self.scope = scope.isEmpty ? nil : scope }
    if let method = settings[.clientAuthentication].flatMap(ClientAuthentication.init) {
      clientAuthentication = method
    }
    parameters = try Self.furtherParameters(settings, of: provider)
    omitsState = settings.has(.withoutState)
    if omitsState, settings.has(.state) {
      throw .configuration(.contradiction(Option.state.flag, Option.withoutState.flag))
    }
    fixed = FixedValues(
      state: settings[.state].map { State($0) }, nonce: settings[.nonce].map { Nonce($0) },
      codeVerifier: settings[.codeVerifier].map { CodeVerifier($0) })
  }

  /// What is asked for, and where the answer comes.
  mutating func applyResponse(_ settings: Settings) throws(Failure) {
    let granted = settings[.grant].flatMap(GrantType.init)
    if let type = try settings.value(of: .responseType, wanting: .responseType, { ResponseType($0) }) {
      if let granted, !granted.usesAuthorizationEndpoint || (granted == .code) != type.includesCode {
        throw .configuration(.contradiction(Option.grant.flag, Option.responseType.flag))
      }
      responseType = type
      grant = granted ?? .code
    } else if let granted {
      grant = granted
      responseType = granted == .implicit ? .token : .code
    }
    if !grant.usesAuthorizationEndpoint {
      responseType = .code  // what a preset says of the authorization endpoint means nothing elsewhere
      responseMode = nil
    }
    if let mode = settings[.responseMode].flatMap(ResponseMode.init) { responseMode = mode }
  }

  /// `--param` and the options that stand for one parameter each.
  private static func furtherParameters(_ settings: Settings, of provider: Provider) throws(Failure)
    -> [Parameter]
  {
    var parameters: [Parameter] = []
    for (option, name) in [(Option.loginHint, "login_hint"), (.prompt, "prompt"), (.maxAge, "max_age")] {
      if let value = settings[option] { parameters.append(Parameter(name, value)) }
    }
    for text in settings.all(.resource) {
      let isURI = text.contains(":") && !text.contains("#") && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
      guard isURI else { throw .commandLine(.wants(Option.resource.flag, .resource)) }
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
  /// Further parameters of a request, none of which it sets itself.
  func parameters(_ option: Option, and reserved: [String] = []) throws(Failure) -> [Parameter] {
    try pairs(option).map { pair throws(Failure) in
      guard ReservedNames.parameters.contains(pair.name) || reserved.contains(pair.name) else { return pair }
      throw .commandLine(
        .reservedParameter(
          "\(option.flag) \(pair.name)", option: Option.setting(parameter: pair.name)?.flag))
    }
  }
}

extension Settings {
  /// The endpoint that a login begins with.
  var firstEndpoint: EndpointName {
    switch self[.grant].flatMap(GrantType.init) {
    case .clientCredentials, .password: .token
    case .device: .deviceAuthorization
    case .code, .implicit: .authorization
    case nil:
      self[.agent] == Way.device.rawValue && !has(.headlessTest) ? .deviceAuthorization : .authorization
    }
  }
}

extension RedirectURI {
  /// Where answers go if nobody says so.
  static func ofThisMachine(for issuer: Issuer? = nil) throws(Failure) -> RedirectURI {
    try failing(RedirectURI.onThisMachine(for: issuer)) { (fault: AddressFault) in .defect(.here("\(fault)"))
    }
  }
}
