/// Verifies the id_token that came with a token (OpenID Connect Core section 3.1.3.7).
struct IDTokenCheck {
  private let verifier: IDTokenVerifier
  private let keySet: Endpoint
  private let transport: any HTTPTransport

  /// Nothing where no id_token can be verified: the preset says so, or issuer or keys are unknown, which is
  /// refused if the request asks for one.
  init?(
    of login: LoginRequest, transport: any HTTPTransport, cryptography: any Cryptography
  ) throws(Failure) {
    let provider = login.provider
    if provider.hasOpaqueIDToken { return nil }
    guard let issuer = provider.issuer, let keySet = provider.endpoints[.keySet] else {
      guard login.asksForIDToken else { return nil }
      throw .caller(
        .invalidConfiguration(
          "an id_token cannot be verified without issuer and keys", hint: "add --issuer URL"))
    }
    verifier = IDTokenVerifier(
      issuer: issuer, clientID: login.clientID, clientSecret: login.clientSecret,
      algorithms: SignatureAlgorithm.allowed(byProvider: provider.idTokenAlgorithms),
      cryptography: cryptography)
    self.keySet = keySet
    self.transport = transport
  }

  /// The token, if it is to be believed. Keys that lack the one it was signed with are read again, once.
  func verified(_ text: String, _ binding: IDTokenBinding, at now: UTCDate) async throws(Failure) -> IDToken {
    var keys = try await readKeys()
    if try verifier.lacksKey(for: text, in: keys) { keys = try await readKeys() }
    return try verifier.verify(text, keys: keys, binding: binding, at: now)
  }

  private func readKeys() async throws(Failure) -> JWKSet {
    let response = try await transport.send(HTTPRequest(get: keySet))
    guard response.status == 200 else {
      throw .network(.badResponse("its keys cannot be read: HTTP \(response.status)"))
    }
    return try JWKSet(body: response.body)
  }
}
