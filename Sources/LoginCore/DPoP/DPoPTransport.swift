/// Sends requests with a proof of possession of a key, and with the nonces that servers ask for
/// (RFC 9449 sections 5 and 8).
actor DPoPTransport: HTTPTransport {
  private let transport: any HTTPTransport
  private let key: any SigningKey
  private let cryptography: any Cryptography
  private let clock: any WallClock
  /// The newest nonce by origin.
  private var nonces: [String: String] = [:]

  init(
    _ transport: any HTTPTransport, key: any SigningKey, cryptography: any Cryptography, clock: any WallClock
  ) {
    self.transport = transport
    self.key = key
    self.cryptography = cryptography
    self.clock = clock
  }

  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    let response = try await attempt(request)
    guard response.asksForNonce else { return response }
    // Once: a server that is not content with its own nonce will not be with the next.
    return try await attempt(request)
  }

  private func attempt(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    let origin = request.endpoint.origin
    let proof = try DPoPProof(
      for: request, accessToken: nil, nonce: nonces[origin], key: key, cryptography: cryptography,
      at: clock.now())
    let response = try await transport.send(request.adding(proof.field))
    if let nonce = response[header: "DPoP-Nonce"], !nonce.isEmpty, nonce.utf8.allSatisfy(\.isVisible) {
      nonces[origin] = nonce
    }
    return response
  }
}

extension LoginRequest {
  /// The way to the endpoints that take the client's proof of itself: with proofs of possession as well where
  /// tokens are bound to a key.
  func ownEndpoints(
    _ transport: any HTTPTransport, _ cryptography: any Cryptography, _ clock: any WallClock
  ) -> any HTTPTransport {
    guard let proofKey else { return transport }
    return DPoPTransport(transport, key: proofKey, cryptography: cryptography, clock: clock)
  }
}

extension HTTPResponse {
  /// Whether the server wants the request again with the nonce that it sends along: an authorization server says
  /// so in its body, a resource server in a header field (RFC 9449 sections 8 and 9).
  fileprivate var asksForNonce: Bool {
    guard self[header: "DPoP-Nonce"] != nil else { return false }
    switch status {
    case 400: return (try? JSONReader.read(body))?.object?["error"] == "use_dpop_nonce"
    case 401:
      let challenge = self[header: "WWW-Authenticate"]?.lowercased() ?? ""
      return challenge.hasPrefix("dpop") && challenge.parts(at: "\"").contains("use_dpop_nonce")
    default: return false
    }
  }
}
