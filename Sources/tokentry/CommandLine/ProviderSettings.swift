import Glibc
import LoginCore
import Platform
import SignIn

extension Provider {
  /// Combines the preset with the caller's settings; the caller wins. Throws if the `needed` endpoint cannot be found out.
  init(
    _ settings: Settings, clientID: String, for needed: EndpointName, catalog: ProviderCatalog
  ) throws(Failure) {
    self = try Self.preset(settings, clientID: clientID, for: needed, catalog: catalog)
    try apply(settings)
  }

  /// Applies the caller's settings.
  mutating func apply(_ settings: Settings) throws(Failure) {
    endpoints.merge(try settings.endpoints) { $1 }
    issuer = try settings.value(of: .issuer, as: Issuer.init) ?? issuer
    // A caller who names the endpoint for pushed requests wants them pushed.
    if settings.names(.pushedAuthorizationRequest) { pushesRequests = true }
    if settings.has(.dpop) { bindsTokens = true }
    headers = try Self.headers(settings, and: headers)
    let asked = try settings.parameters(.tokenParameter)
    tokenParameters =
      tokenParameters.filter { usual in
        !asked.contains { $0.name.isIdentical(to: usual.name) }
      } + asked
  }

  private static func preset(
    _ settings: Settings, clientID: String, for needed: EndpointName, catalog: ProviderCatalog
  ) throws(Failure) -> Provider {
    guard let name = settings[.provider] else {
      if settings[.issuer] == nil, !settings.names(needed) {
        // A caller who names another endpoint has named the provider.
        if EndpointName.allCases.contains(where: settings.names) { throw .noEndpoint(needed) }
        throw Failure(
          .invalidConfiguration, "no provider was given",
          hint:
            "give --provider (see `tokentry providers`), --issuer or \(needed.flag), or try `tokentry demo`")
      }
      if let pair = settings.pairs(.variable).first {
        throw Failure(.invalidConfiguration, "--var \(pair.name) is given without a --provider")
      }
      return Provider()
    }
    let preset = try catalog.preset(name)
    return try failing(preset.provider(variables: settings.variables, clientID: clientID)) {
      (failure: Failure) in
      // Some presets have the client's identifier in an address.
      let lacksClient =
        clientID.isEmpty && (try? preset.provider(variables: settings.variables, clientID: "1")) != nil
      return lacksClient ? .noClient : failure
    }
  }

  private static func headers(
    _ settings: Settings, and preset: [Parameter]
  ) throws(Failure) -> [Parameter] {
    let asked = settings.pairs(.header)
    for header in asked {
      if let reason = ReservedNames.fault(ofHeader: header) { throw .header(header.name, reason) }
    }
    return preset.filter { preset in
      !asked.contains { $0.name.lowercased() == preset.name.lowercased() }
    } + asked
  }
}

extension Settings {
  /// The values for the variables of the preset.
  var variables: [String: String] {
    Dictionary(pairs(.variable).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }

  /// The addresses that the caller names.
  var endpoints: [EndpointName: Endpoint] {
    get throws(Failure) {
      var endpoints: [EndpointName: Endpoint] = [:]
      for pair in pairs(.endpoint) {
        guard let name = EndpointName(shortName: pair.name) else { throw .defect() }
        let place = "\(Option.endpoint.flag) \(pair.name)"
        endpoints[name] = try Option.endpoint.parse(pair.value, as: Endpoint.init, in: place)
      }
      return endpoints
    }
  }

  /// True if the caller names the address of this endpoint.
  func names(_ endpoint: EndpointName) -> Bool {
    pairs(.endpoint).contains { $0.name == endpoint.shortName }
  }
}
