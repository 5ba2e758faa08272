import LoginCore
import Wording

extension Provider {
  /// Puts together what the preset and the caller say of a provider; the caller wins. `needed` is the endpoint
  /// without which there is nothing to be done.
  init(
    _ settings: Settings, clientID: String, for needed: EndpointName, catalog: ProviderCatalog
  ) throws(Failure) {
    self = try Self.preset(settings, clientID: clientID, for: needed, catalog: catalog)
    try apply(settings)
  }

  /// Takes over what the caller says of it.
  mutating func apply(_ settings: Settings) throws(Failure) {
    for option in Option.allCases {
      guard let name = option.endpoint else { continue }
      endpoints[name] = try settings.value(of: option, as: Endpoint.init) ?? endpoints[name]
    }
    issuer = try settings.value(of: .issuer, as: Issuer.init) ?? issuer
    // Whoever says where requests are pushed to wants them pushed.
    if settings.has(.pushedAuthorizationRequestEndpoint) { pushesRequests = true }
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
      let option = Option.allCases.first { $0.endpoint == needed }
      if settings[.issuer] == nil, option.flatMap({ settings[$0] }) == nil {
        // Whoever says where something else is knows the provider.
        if Option.allCases.contains(where: { $0.endpoint != nil && settings.has($0) }) {
          throw .caller(.noEndpoint(needed))
        }
        throw .configuration(.nowhere(needed: needed))
      }
      if let pair = settings.pairs(.variable).first {
        throw .configuration(.variableWithoutProvider(pair.name))
      }
      return Provider()
    }
    let variables = Dictionary(
      settings.pairs(.variable).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    return try catalog.preset(name).provider(variables: variables, clientID: clientID)
  }

  private static func headers(
    _ settings: Settings, and preset: [Parameter]
  ) throws(Failure) -> [Parameter] {
    let asked = settings.pairs(.header)
    for header in asked {
      if let reason = ReservedNames.fault(ofHeader: header) {
        throw .caller(.header(header.name, reason))
      }
    }
    return preset.filter { preset in
      !asked.contains { $0.name.lowercased() == preset.name.lowercased() }
    } + asked
  }
}

extension Option {
  /// Reads the address in the option.
  func parse<Address>(
    _ text: String, as read: (String) throws(AddressFault) -> Address
  ) throws(Failure) -> Address {
    try failing(read(text)) { .commandLine(.address(flag, text: text, $0)) }
  }
}

extension Settings {
  /// The address in an option, if it is given.
  func value<Address>(
    of option: Option, as read: (String) throws(AddressFault) -> Address
  ) throws(Failure) -> Address? {
    try self[option].map { text throws(Failure) in try option.parse(text, as: read) }
  }
}
