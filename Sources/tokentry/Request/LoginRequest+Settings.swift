import LoginCore

extension LoginRequest {
  /// Puts a request together from what the caller said and what the preset says; the caller wins.
  init(_ settings: Settings, catalog: ProviderCatalog) throws(Failure) {
    let clientID = settings[.clientID] ?? ""
    var provider = try Self.provider(settings, clientID: clientID, catalog: catalog)
    for option in Option.allCases {
      guard let name = option.endpoint, let text = settings[option] else { continue }
      provider.endpoints[name] = try parse(text, of: option) { text throws(AddressFault) in try Endpoint(text)
      }
    }
    if let text = settings[.issuer] {
      provider.issuer = try parse(text, of: .issuer) { text throws(AddressFault) in try Issuer(text) }
    }
    let asked = try settings[.redirectURI].map { text throws(Failure) in
      try parse(text, of: .redirectURI) { text throws(AddressFault) in try RedirectURI(text) }
    }
    let usual = try RedirectURI.ofThisMachine()
    self.init(
      provider: provider, clientID: clientID, clientSecret: settings.clientSecret,
      redirectURI: asked ?? provider.redirectURI ?? usual)
    // The aliases are other forms of the preset's redirect URI, not of one that the caller brings.
    if let asked, asked != provider.redirectURI { redirectAliases = [] }
    try apply(settings)
  }

  private static func provider(
    _ settings: Settings, clientID: String, catalog: ProviderCatalog
  ) throws(Failure) -> Provider {
    guard let name = settings[.provider] else {
      if settings[.authorizationEndpoint] == nil, settings[.issuer] == nil {
        throw .caller(
          .invalidConfiguration(
            "it is not said where to sign in",
            hint: "name a --provider, an --issuer or an --authorization-endpoint, or see `tokentry --help`"))
      }
      if let pair = settings.pairs(.variable).first {
        throw .caller(.invalidConfiguration("--var \(pair.name) is given without a --provider"))
      }
      return Provider()
    }
    let variables = Dictionary(
      settings.pairs(.variable).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    return try catalog.preset(name).provider(variables: variables, clientID: clientID)
  }

  private mutating func apply(_ settings: Settings) throws(Failure) {
    try applyResponse(settings)
    if let scope = settings[.scope] { self.scope = scope.isEmpty ? nil : scope }
    if let method = settings[.clientAuthentication].flatMap(ClientAuthentication.init) {
      clientAuthentication = method
    }
    parameters = try Self.furtherParameters(settings, of: provider)
    provider.headers = try Self.headers(settings, of: provider)
    omitsState = settings.has(.withoutState)
    if omitsState, settings.has(.state) {
      throw .caller(.invalidConfiguration("--state and --without-state contradict each other"))
    }
    fixed = FixedValues(
      state: settings[.state].map { State($0) }, nonce: settings[.nonce].map { Nonce($0) },
      codeVerifier: settings[.codeVerifier].map { CodeVerifier($0) })
  }

  private mutating func applyResponse(_ settings: Settings) throws(Failure) {
    let granted: ResponseType? = settings[.grant].map { $0 == "implicit" ? .token : .code }
    if let text = settings[.responseType] {
      guard let type = ResponseType(text) else {
        throw .caller(.invalidOption("--response-type takes code, token, id_token or several of them"))
      }
      if let granted, granted.includesCode != type.includesCode {
        throw .caller(.invalidConfiguration("--grant and --response-type contradict each other"))
      }
      responseType = type
    } else if let granted {
      responseType = granted
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
      guard isURI else {
        throw .caller(.invalidOption("--resource takes an absolute URI without a fragment"))
      }
      parameters.append(Parameter("resource", text))
    }
    let renamed = Set(provider.parameterNames.values)
    for pair in settings.pairs(.parameter) {
      if ReservedNames.parameters.contains(pair.name) || renamed.contains(pair.name) {
        throw .caller(
          .invalidOption(
            "--param \(pair.name.forDisplay(limit: 60)): the request sets this parameter itself",
            hint: Option.setting(parameter: pair.name).map { "use \($0.flag)" }))
      }
      parameters.append(pair)
    }
    return parameters
  }

  private static func headers(_ settings: Settings, of provider: Provider) throws(Failure) -> [Parameter] {
    let asked = settings.pairs(.header)
    for header in asked {
      if let reason = ReservedNames.fault(ofHeader: header) {
        throw .caller(.invalidOption("--header \(header.name.forDisplay(limit: 60)): \(reason)"))
      }
    }
    return provider.headers.filter { preset in
      !asked.contains { $0.name.lowercased() == preset.name.lowercased() }
    } + asked
  }
}

extension RedirectURI {
  /// Where answers go if nobody says so.
  fileprivate static func ofThisMachine() throws(Failure) -> RedirectURI {
    do throws(AddressFault) { return try .onThisMachine() } catch {
      throw .defect("our own redirect URI is \(error)")
    }
  }
}

/// Reads the address in an option.
private func parse<Address>(
  _ text: String, of option: Option, as read: (String) throws(AddressFault) -> Address
) throws(Failure) -> Address {
  do throws(AddressFault) {
    return try read(text)
  } catch {
    throw .caller(.invalidOption("\(option.flag): \"\(text.forDisplay(limit: 100))\" is \(error)"))
  }
}
