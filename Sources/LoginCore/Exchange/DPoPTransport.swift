/// Sends requests with a proof of possession of a key, and with the nonces that servers ask for
/// (RFC 9449 sections 5 and 8).
actor DPoPTransport: HTTPTransport {
  private let dependencies: Dependencies
  private let key: any SigningKey
  private let accessToken: AccessToken?
  private var nonces = DPoPNonces()

  /// `accessToken` is the one that the requests carry to a server that takes it. Each server of the two kinds has
  /// nonces of its own, so this is made for one of them.
  init(_ dependencies: Dependencies, key: any SigningKey, accessToken: AccessToken? = nil) {
    self.dependencies = dependencies
    self.key = key
    self.accessToken = accessToken
  }

  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    let response = try await attempt(request)
    guard response.asksForNonce else { return response }
    // Once: a server that is not content with its own nonce will not be with the next.
    return try await attempt(request)
  }

  private func attempt(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    let proof = try DPoPProof(
      for: request.method.rawValue, at: request.endpoint, accessToken: accessToken,
      nonce: nonces[request.endpoint], key: key, cryptography: dependencies.cryptography,
      at: dependencies.clock.now())
    let response = try await dependencies.transport.send(request.adding(proof.field))
    nonces.note(response, from: request.endpoint)
    return response
  }
}
