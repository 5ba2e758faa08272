/// The addresses at which an authorization server describes itself (OpenID Connect Discovery section 4, RFC 8414
/// section 3).
struct Discovery {
  /// The addresses to ask, in their order. The first that answers is believed.
  let endpoints: [Endpoint]
  private let issuer: Issuer
  private let order: Order

  /// The order in which the addresses are asked.
  enum Order {
    /// For logins: OpenID Connect's address first, which most providers have.
    case openID
    /// For APIs: OAuth's address first, then those of OpenID Connect. The first of these is for other extensions of OAuth
    /// (RFC 8414 section 5).
    case resource
  }

  /// `namer` is the address of the API that named the issuer, if one did.
  init(of issuer: Issuer, _ order: Order = .openID, namedBy namer: String? = nil) throws(Failure) {
    (self.issuer, self.order) = (issuer, order)
    let address = issuer.description
    let base = address.utf8.last == UInt8(ascii: "/") ? String(address.dropLast()) : address
    let start = base.startOfAuthority ?? base.endIndex
    let pathStart = base[start...].utf8.firstIndex(of: UInt8(ascii: "/")) ?? base.endIndex
    func inserted(_ name: String) -> String {
      base[..<pathStart] + "/.well-known/\(name)" + base[pathStart...]
    }
    let appended = base + "/.well-known/openid-configuration"
    let oauth = inserted("oauth-authorization-server")
    let places =
      switch order {
      case .openID: [appended, oauth]
      case .resource where pathStart == base.endIndex: [oauth, appended]
      case .resource: [oauth, inserted("openid-configuration"), appended]
      }
    endpoints = try places.map { address throws(Failure) in
      try failing(Endpoint(address, namedBy: namer ?? address)) { (reason: Message) in
        Failure(.invalidConfiguration, "the issuer \(issuer) is \(reason)")
      }
    }
  }

  /// Returns the server's metadata and the address that has them. `ask` sends the request.
  func metadata(
    _ ask: (Endpoint) async throws(Failure) -> HTTPResponse
  ) async throws(Failure) -> (JSONObject, at: Endpoint) {
    var busy: Int?
    for endpoint in endpoints {
      let response = try await ask(endpoint)
      if let metadata = try metadata(response) { return (metadata, at: endpoint) }
      if response.status.isPassingStatus { busy = busy ?? response.status }
    }
    if let busy {
      throw .notOAuth("the metadata of \(issuer) could not be fetched: HTTP \(busy)", isRetryable: true)
    }
    throw .noMetadata(of: issuer)
  }

  /// Returns the metadata in the answer of one address, or nil if that address has no metadata.
  func metadata(_ response: HTTPResponse) throws(Failure) -> JSONObject? {
    guard response.status == 200 else { return nil }
    let members = try JSONReader.members(of: response.body) { error -> Failure in
      .notOAuth("the metadata of \(issuer): \(error.message)")
    }
    // RFC 8414 section 3.3: the issuer must be identical, or the metadata must not be used.
    let named = members["issuer"]?.string
    if let named, issuer.isIdentical(to: named) { return members }
    let isNamedByUser = order == .openID
    throw Failure(
      isNamedByUser ? .issuerMismatch : .untrustedMetadata,
      "the metadata of \(issuer.description, upTo: 200) belong to another issuer: \(named ?? "", upTo: 200)",
      hint: isNamedByUser ? named.map { .didYouMean($0.forDisplay(limit: 200)) } : nil,
      details: [
        "issuer": .string(issuer.description.forDisplay(limit: 200)),
        "named": .string((named ?? "").forDisplay(limit: 200)),
      ])
  }
}

extension Failure {
  /// The issuer publishes no metadata at any of its well-known addresses.
  static func noMetadata(of issuer: Issuer) -> Failure {
    Failure(
      .badResponse, "the issuer \(issuer) publishes no metadata",
      hint: "is its address complete? Many have a path, such as /realms/NAME")
  }
}

/// The server that issues the tokens of an API, as its metadata describe it (RFC 8414 section 2).
struct AuthorizationServer: Sendable {
  /// The server as a login knows it.
  let provider: Provider
  /// The address of the metadata.
  let address: Endpoint
  /// The scopes that its tokens may have.
  let scopes: [String]
  /// True if a client identifier may be the address of a document that describes the client.
  let takesClientDocuments: Bool

  /// Throws if a login at the server could not be bound to its request, or could not begin.
  init(_ metadata: JSONObject, of issuer: Issuer, at address: Endpoint) throws(Failure) {
    // OAuth 2.1 section 7.5.1 all but requires PKCE. A server that does not announce it may ignore it.
    let methods = metadata["code_challenge_methods_supported"]?.array?.compactMap(\.string) ?? []
    guard methods.contains(where: CodeChallengeMethod.s256.rawValue.isIdentical) else {
      throw Failure(
        .untrustedMetadata,
        "\(issuer.description, upTo: 200) does not announce PKCE with S256, which is required",
        details: [
          "issuer": .string(issuer.description.forDisplay(limit: 200)),
          "missing": ["code_challenge_methods_supported"],
        ])
    }
    var provider = Provider()
    provider.issuer = issuer
    let needed: [EndpointName] = [.authorization, .token]
    try provider.complete(with: metadata, needing: needed)
    for name in needed where provider.endpoints[name] == nil {
      throw .notOAuth("the metadata of \(issuer) lack \(name.rawValue)")
    }
    try provider.checkOrigins(of: issuer)
    // The metadata are here already, so asking again would bring no more.
    provider.isDescribed = true
    (self.provider, self.address) = (provider, address)
    scopes = metadata["scopes_supported"]?.array?.compactMap(\.string) ?? []
    takesClientDocuments = metadata["client_id_metadata_document_supported"]?.bool ?? false
  }
}

extension Provider {
  /// Refuses endpoints through which a server that only an API has named could use another, honest server: the user would
  /// consent there, and code and verifier would go to the hostile one (RFC 9700 section 4.4). If the server promises to name
  /// itself in the callback, the check of `iss` finds that out. No `iss` protects a device code.
  fileprivate func checkOrigins(of issuer: Issuer) throws(Failure) {
    let home = sendsIssuer ? nil : issuer.origin
    let expected: [(EndpointName, String?)] = [
      (.registration, home), (.authorization, home), (.token, home),
      (.deviceAuthorization, endpoints[.token]?.origin),
    ]
    for case (let name, let origin?) in expected {
      guard let endpoint = endpoints[name], !endpoint.origin.isIdentical(to: origin) else { continue }
      throw .foreignEndpoint(name, at: endpoint.origin, of: issuer)
    }
  }
}

extension Failure {
  /// A server that only an API has named has an endpoint at another origin.
  static func foreignEndpoint(_ name: EndpointName, at origin: String, of issuer: Issuer) -> Failure {
    Failure(
      .untrustedMetadata,
      "the \(name.words) of \(issuer.description, upTo: 200) belongs to another server: \(origin, upTo: 200)",
      hint: .nameIssuerIfTrusted(issuer.description),
      details: [
        "issuer": .string(issuer.description.forDisplay(limit: 200)), "endpoint": .string(name.rawValue),
        "named": .string(origin.forDisplay(limit: 200)),
      ])
  }
}

extension Provider {
  /// Returns the provider with the facts of its metadata that it lacked. The issuer is asked only if one of `needed` is
  /// not known.
  func completed(
    needing needed: [EndpointName], through transport: any HTTPTransport
  ) async throws(Failure) -> Provider {
    guard let issuer, needsDiscovery(of: needed) else { return self }
    let (metadata, _) = try await Discovery(of: issuer).metadata { endpoint async throws(Failure) in
      try await transport.send(HTTPRequest(get: endpoint).recalling(.allowed))
    }
    var provider = self
    try provider.complete(with: metadata, needing: needed)
    return provider
  }

  /// True if one of `needed` is not known and the issuer can be asked. If the issuer depends on the user, its metadata
  /// could not be compared with its name, so it is not asked.
  func needsDiscovery(of needed: [EndpointName]) -> Bool {
    issuer != nil && idTokenIssuer == nil && !isDescribed && needed.contains { endpoints[$0] == nil }
  }

  /// Takes over the facts that are not known yet. An endpoint with an unusable address is left out, unless it is needed.
  mutating func complete(with metadata: JSONObject, needing needed: [EndpointName]) throws(Failure) {
    if metadata["require_pushed_authorization_requests"]?.bool == true { pushesRequests = true }
    for name in EndpointName.allCases where endpoints[name] == nil {
      guard let text = metadata[name.rawValue]?.string else { continue }
      do throws(Message) {
        endpoints[name] = try Endpoint(text, namedBy: issuer?.description ?? text)
      } catch {
        guard needed.contains(name) || name == .pushedAuthorizationRequest && pushesRequests else { continue }
        throw .notOAuth("the provider's \(name.rawValue) is \(error)")
      }
    }
    documentation = metadata["service_documentation"]?.string
    if metadata["authorization_response_iss_parameter_supported"]?.bool == true { sendsIssuer = true }
    let signing = metadata["id_token_signing_alg_values_supported"]?.array
    idTokenAlgorithms = idTokenAlgorithms ?? signing?.compactMap(\.string)
    let proving = metadata["dpop_signing_alg_values_supported"]?.array
    proofAlgorithms = proofAlgorithms ?? proving?.compactMap(\.string)
    // RFC 8414 section 2: the default is Basic alone.
    let methods = metadata["token_endpoint_auth_methods_supported"]?.array ?? ["client_secret_basic"]
    clientAuthentications = clientAuthentications ?? methods.compactMap(\.string)
  }
}
