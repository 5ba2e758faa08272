extension LoginRequest {
  /// The request with what the issuer says of itself where neither the caller nor the preset says anything
  /// (RFC 8414, OpenID Connect Discovery).
  func completed(through transport: any HTTPTransport) async throws(Failure) -> LoginRequest {
    try await completed(needing: neededEndpoints, through: transport)
  }

  /// Whether the issuer has to be asked before the page is known.
  var needsDiscovery: Bool { provider.needsDiscovery(of: neededEndpoints) }

  private var neededEndpoints: [EndpointName] {
    var needed: [EndpointName] = [.authorization]
    if responseType.includesCode { needed.append(.token) }
    if isForOpenID { needed.append(.keySet) }
    return needed
  }

  /// The same where it is these endpoints that are needed.
  public func completed(
    needing needed: [EndpointName], through transport: any HTTPTransport
  ) async throws(Failure) -> LoginRequest {
    var login = self
    login.provider = try await provider.completed(needing: needed, through: transport)
    return login
  }
}

extension LoginRequest {
  /// Refuses a code that nobody would exchange, while nothing has been opened yet.
  func checkTokenEndpoint() throws(Failure) {
    if responseType.includesCode { _ = try provider.endpoint(.token) }
  }
}
