import GLibSupport
import LoginCore
import Platform
import SignIn

/// Who the provider is, and which client signs in.
struct ProviderWishes: WishGroup {
  /// The name of a preset, or its file.
  var preset: String?
  var issuer: Issuer?
  var clientID: String?
  var secretFile: String?
  var keyFile: String?
  var redirectURI: RedirectURI?
  var variables: [Parameter] = []
  var endpoints: [NamedEndpoint] = []
  var clientSecret: ClientSecret?
  /// PEM or JWK.
  var clientKey: ClientKey?

  struct NamedEndpoint: Sendable {
    let name: EndpointName
    let address: Endpoint
  }

  static let rows =
    under(
      .provider,
      [
        text(\.preset, "provider", .text("NAME|FILE"), "a preset (`tokentry providers`), or its file"),
        address(
          \.issuer, "issuer", .text("URL"), "the provider, if it publishes its metadata",
          as: Issuer.init(parsing:)),
        text(\.clientID, "client-id", .text("ID"), "the name that the provider gave your application"),
        text(
          \.secretFile, "client-secret-file", .text("FILE"), "a file with the client's secret, yours alone"),
        text(
          \.keyFile, "client-key-file", .text("FILE"), "the client's private key, as PEM or JWK (RFC 7523)"),
        address(
          \.redirectURI, "redirect-uri", .text("URI"), "where the answer goes, as registered",
          as: RedirectURI.init(parsing:)),
        values(\.variables, "var", .pair(), "a variable of the preset, such as tenant=acme") { $0.pair },
        values(
          \.endpoints, "endpoint", .pair("NAME=URL"), "an address of the provider: token=https://…",
          NamedEndpoint.init
        ).onlyTyped,
      ]) + [
      secret(\.clientSecret, "client_secret", .secret("SECRET", mayBeEmpty: true), "the client's secret")
        .unlisted(with: "client-secret-file"),
      value(
        \.clientKey, "client_key", .json("KEY", ["string", "object"]),
        "the client's private key, as PEM or JWK", key
      ).asSecret.unlisted(with: "client-key-file"),
    ]

  private static func key(_ given: Given) throws(Failure) -> ClientKey {
    guard let key = given.json.object?.text ?? given.json.string, !key.isEmpty else {
      throw .takes(given.name, "a string")
    }
    return ClientKey(key)
  }

  /// True if the caller names the address of this endpoint.
  func names(_ endpoint: EndpointName) -> Bool { endpoints.contains { $0.name == endpoint } }

  /// True if the caller says who the provider is.
  var isNamed: Bool { preset != nil || issuer != nil }

  /// The addresses that the caller names.
  var addresses: [EndpointName: Endpoint] {
    Dictionary(endpoints.map { ($0.name, $0.address) }, uniquingKeysWith: { $1 })
  }

  /// The values for the variables of the preset.
  var variableValues: [String: String] {
    Dictionary(variables.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }

  mutating func readFiles() async throws(Failure) {
    if let secretFile {
      let file = InputFile(Self.option("client-secret-file"), secretFile)
      if clientSecret != nil { throw .contradiction(file.flag, Self.flag("client_secret")) }
      let secret = try await file.readSecret()
      Messages.hide(secret)
      clientSecret = ClientSecret(secret)
    }
    if let keyFile {
      let file = InputFile(Self.option("client-key-file"), keyFile)
      if clientKey != nil { throw .contradiction(file.flag, Self.flag("client_key")) }
      let key = try await file.readText()
      Messages.hide(key)
      clientKey = ClientKey(key)
    }
  }
}

extension ProviderWishes.NamedEndpoint {
  fileprivate init(_ given: Given) throws(Failure) {
    let pair = given.pair
    guard let name = EndpointName(shortName: pair.name) else {
      let names = EndpointName.allCases.map(\.shortName)
      throw .takes(given.name, names.verbatim.list).with(
        hint: nearestName(to: pair.name, among: names).map(Failure.Hint.didYouMean))
    }
    self.name = name
    address = try given.option.parse(
      pair.value, as: Endpoint.init(parsing:), in: "\(given.option.flag) \(pair.name)")
  }
}

extension Provider {
  /// Combines the preset with the caller's wishes; the caller wins. Throws if the `needed` endpoint cannot be found out.
  init(_ wishes: Wishes, for needed: EndpointName, catalog: ProviderCatalog) throws(Failure) {
    self = try Self.preset(wishes.provider, for: needed, catalog: catalog)
    try apply(wishes)
  }

  /// Applies the caller's wishes.
  mutating func apply(_ wishes: Wishes) throws(Failure) {
    let (asked, request) = (wishes.provider, wishes.request)
    endpoints.merge(asked.addresses) { $1 }
    issuer = asked.issuer ?? issuer
    // A caller who names the endpoint for pushed requests wants them pushed.
    if asked.names(.pushedAuthorizationRequest) { pushesRequests = true }
    if request.isBound { bindsTokens = true }
    headers =
      headers.filter { preset in
        !request.headers.contains { $0.name.lowercased() == preset.name.lowercased() }
      } + request.headers
    for header in request.headers {
      if let reason = ReservedNames.fault(ofHeader: header) { throw .header(header.name, reason) }
    }
    let parameters = try request.checkedTokenParameters()
    tokenParameters =
      tokenParameters.filter { usual in
        !parameters.contains { $0.name.isIdentical(to: usual.name) }
      } + parameters
  }

  private static func preset(
    _ wishes: ProviderWishes, for needed: EndpointName, catalog: ProviderCatalog
  ) throws(Failure) -> Provider {
    guard let name = wishes.preset else {
      if wishes.issuer == nil, !wishes.names(needed) {
        // A caller who names another endpoint has named the provider.
        if !wishes.endpoints.isEmpty { throw .noEndpoint(needed) }
        throw Failure(
          .invalidConfiguration, "no provider was given",
          hint:
            "give --provider (see `tokentry providers`), --issuer or \(needed.flag), or try `tokentry demo`")
      }
      if let pair = wishes.variables.first {
        throw Failure(.invalidConfiguration, "--var \(pair.name) is given without a --provider")
      }
      return Provider()
    }
    let (preset, clientID) = (try catalog.preset(name), wishes.clientID ?? "")
    return try failing(preset.provider(variables: wishes.variableValues, clientID: clientID)) {
      (failure: Failure) in
      // Some presets have the client's identifier in an address.
      let lacksClient =
        clientID.isEmpty && (try? preset.provider(variables: wishes.variableValues, clientID: "1")) != nil
      return lacksClient ? .noClient : failure
    }
  }
}
