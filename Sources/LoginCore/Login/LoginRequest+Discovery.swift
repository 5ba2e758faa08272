extension LoginRequest {
  /// The request with what the issuer says of itself where neither the caller nor the preset says anything
  /// (RFC 8414, OpenID Connect Discovery).
  func completed(through transport: any HTTPTransport) async throws(Failure) -> LoginRequest {
    guard let issuer = provider.issuer, provider.needsDiscovery(for: self) else { return self }
    let discovery = try Discovery(of: issuer)
    for endpoint in discovery.endpoints {
      let response = try await transport.send(HTTPRequest(get: endpoint))
      guard let metadata = try discovery.metadata(response) else { continue }
      var login = self
      try login.provider.complete(with: metadata)
      return login
    }
    throw .network(.badResponse("the issuer \(issuer) does not describe itself"))
  }
}

extension LoginRequest {
  /// Refuses a code that nobody would exchange, while nothing has been opened yet.
  func checkTokenEndpoint() throws(Failure) {
    guard responseType.includesCode, provider.endpoints[.token] == nil else { return }
    throw .caller(.invalidConfiguration("there is no token endpoint", hint: "add --token-endpoint URL"))
  }
}
