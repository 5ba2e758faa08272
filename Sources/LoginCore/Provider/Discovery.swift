/// Where an authorization server describes itself (OpenID Connect Discovery section 4, RFC 8414 section 3).
struct Discovery {
  /// The places to ask, the first that answers is believed.
  let endpoints: [Endpoint]
  private let issuer: Issuer
  private let order: Order

  /// In which order the places are asked.
  enum Order {
    /// As most providers of logins have it: OpenID Connect's own place first.
    case openID
    /// As the servers of APIs have it: that of OAuth, then those of OpenID Connect, where the first was put for others
    /// that extend it (RFC 8414 section 5).
    case resource
  }

  init(of issuer: Issuer, _ order: Order = .openID) throws(Failure) {
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
      try failing(Endpoint(address)) { .caller(.issuer(issuer, $0)) }
    }
  }

  /// What the server says of itself, and where: the first place that answers is believed. `ask` gets what is there.
  func metadata(
    _ ask: (Endpoint) async throws(Failure) -> HTTPResponse
  ) async throws(Failure) -> (JSONObject, at: Endpoint) {
    var busy: Int?
    for endpoint in endpoints {
      let response = try await ask(endpoint)
      if let metadata = try metadata(response) { return (metadata, at: endpoint) }
      if response.status.isPassingStatus { busy = busy ?? response.status }
    }
    throw .network(.badResponse(busy.map { .metadataStatus(issuer, $0) } ?? .noMetadata(issuer)))
  }

  /// The same of one place, or nothing if that does not answer.
  func metadata(_ response: HTTPResponse) throws(Failure) -> JSONObject? {
    guard response.status == 200 else { return nil }
    let members = try JSONReader.members(of: response.body) { fault -> Failure in
      .network(.badResponse(.metadata(issuer, fault.reason)))
    }
    // RFC 8414 section 3.3: identical, or not used at all.
    let named = members["issuer"]?.string
    if let named, issuer.isIdentical(to: named) { return members }
    if order == .openID { throw .untrusted(.metadataIssuerMismatch) }
    throw .untrusted(.metadata(.otherIssuer(asked: issuer.description, named: named ?? "")))
  }
}

extension Provider {
  /// The provider with what its issuer says of itself where nobody has said it before. The issuer is asked only
  /// if one of these endpoints is not known.
  func completed(
    needing needed: [EndpointName], through transport: any HTTPTransport
  ) async throws(Failure) -> Provider {
    guard let issuer, needsDiscovery(of: needed) else { return self }
    let (metadata, _) = try await Discovery(of: issuer).metadata { endpoint async throws(Failure) in
      try await transport.send(HTTPRequest(get: endpoint))
    }
    var provider = self
    try provider.complete(with: metadata, needing: needed)
    return provider
  }

  /// Whether there is an issuer, and it has to say where some of these are. Where the issuer depends on the user there is
  /// none whose words could be held against its name.
  func needsDiscovery(of needed: [EndpointName]) -> Bool {
    issuer != nil && idTokenIssuer == nil && !isDescribed && needed.contains { endpoints[$0] == nil }
  }

  /// Takes over what the issuer says of itself and nobody has said before. An endpoint that cannot be used is none,
  /// unless it is needed.
  mutating func complete(with metadata: JSONObject, needing needed: [EndpointName]) throws(Failure) {
    if metadata["require_pushed_authorization_requests"]?.bool == true { pushesRequests = true }
    for name in EndpointName.allCases where endpoints[name] == nil {
      guard let text = metadata[name.rawValue]?.string else { continue }
      do throws(AddressFault) {
        endpoints[name] = try Endpoint(text, namedBy: issuer?.description ?? text)
      } catch {
        guard needed.contains(name) || name == .pushedAuthorizationRequest && pushesRequests else { continue }
        throw .network(.badResponse(.address(name.rawValue, error, from: name)))
      }
    }
    documentation = metadata["service_documentation"]?.string
    if metadata["authorization_response_iss_parameter_supported"]?.bool == true { sendsIssuer = true }
    let signing = metadata["id_token_signing_alg_values_supported"]?.array
    idTokenAlgorithms = idTokenAlgorithms ?? signing?.compactMap(\.string)
    let proving = metadata["dpop_signing_alg_values_supported"]?.array
    proofAlgorithms = proofAlgorithms ?? proving?.compactMap(\.string)
    // RFC 8414 section 2: without a word it is Basic alone.
    let methods = metadata["token_endpoint_auth_methods_supported"]?.array ?? ["client_secret_basic"]
    clientAuthentications = clientAuthentications ?? methods.compactMap(\.string)
  }
}
