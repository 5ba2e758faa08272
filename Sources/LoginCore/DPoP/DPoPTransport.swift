/// Sends requests with a proof of possession of a key, and with the nonces that servers ask for
/// (RFC 9449 sections 5 and 8).
actor DPoPTransport: HTTPTransport {
  private let transport: any HTTPTransport
  private let key: any SigningKey
  private let accessToken: AccessToken?
  private let cryptography: any Cryptography
  private let clock: any WallClock
  /// The newest nonce by origin.
  private var nonces: [String: String] = [:]

  /// `accessToken` is the one that the requests carry to a server that takes it. Each server of the two kinds has
  /// nonces of its own, so this is made for one of them.
  init(
    _ transport: any HTTPTransport, key: any SigningKey, accessToken: AccessToken? = nil,
    cryptography: any Cryptography, clock: any WallClock
  ) {
    self.transport = transport
    self.key = key
    self.accessToken = accessToken
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
      for: request, accessToken: accessToken, nonce: nonces[origin], key: key, cryptography: cryptography,
      at: clock.now())
    let response = try await transport.send(request.adding(proof.field))
    if let nonce = response.nonce { nonces[origin] = nonce }
    return response
  }
}

extension HTTPResponse {
  /// What the server wants to find in the next proof, if that can be (RFC 9449 section 8.1).
  fileprivate var nonce: String? {
    self[header: "DPoP-Nonce"].flatMap { !$0.isEmpty && $0.utf8.allSatisfy(\.isVisible) ? $0 : nil }
  }

  /// Whether the server wants the request again with the nonce that it sends along: an authorization server says
  /// so in its body, a resource server in a challenge (RFC 9449 sections 8 and 9).
  fileprivate var asksForNonce: Bool {
    guard status == 400 || status == 401, nonce != nil else { return false }
    if (try? JSONReader.read(body))?.object?["error"] == "use_dpop_nonce" { return true }
    return headers.contains { field in
      field.name.lowercased() == "www-authenticate" && field.value.words.contains("use_dpop_nonce")
    }
  }
}

extension String {
  /// What stands between everything that is neither letter nor `_`: there may be several challenges in a field.
  fileprivate var words: [String] {
    unicodeScalars.split { $0 != "_" && !$0.properties.isAlphabetic }.map { String($0) }
  }
}
