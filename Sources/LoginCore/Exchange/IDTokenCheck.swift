/// Verifies the id_token that came with a token (OpenID Connect Core section 3.1.3.7).
struct IDTokenCheck {
  private let verifier: IDTokenVerifier
  private let keySet: Endpoint
  private let transport: any HTTPTransport

  /// Nothing where no id_token can be verified: the preset says so, or issuer or keys are unknown.
  init?(of login: LoginRequest, _ dependencies: Dependencies) {
    let provider = login.provider
    guard !provider.hasOpaqueIDToken, let issuer = provider.issuer, let keySet = provider.endpoints[.keySet]
    else { return nil }
    var verifier = IDTokenVerifier(
      issuer: issuer, clientID: login.clientID, clientSecret: login.clientSecret,
      algorithms: SignatureAlgorithm.allowed(byProvider: provider.idTokenAlgorithms),
      cryptography: dependencies.cryptography)
    verifier.issuers = provider.idTokenIssuer
    self.verifier = verifier
    self.keySet = keySet
    transport = dependencies.transport
  }

  /// The token, if it is to be believed.
  func verified(_ text: String, _ binding: IDTokenBinding, at now: UTCDate) async throws(Failure) -> IDToken {
    try verifier.verify(text, keys: try await keys(for: text), binding: binding, at: now)
  }

  /// The token that came with a refreshed access token, if it is to be believed.
  func verifiedRefreshed(
    _ text: String, original: JSONObject?, accessToken: AccessToken?, at now: UTCDate
  ) async throws(Failure) -> IDToken {
    try verifier.verifyRefreshed(
      text, keys: try await keys(for: text), original: original, accessToken: accessToken, at: now)
  }

  /// Keys that lack the one it was signed with are read again, once; none are read where the secret is the key:
  /// a provider that signs with nothing else may well publish none.
  private func keys(for text: String) async throws(Failure) -> JWKSet {
    guard try verifier.needsKeys(for: text) else { return JWKSet() }
    let keys = try await readKeys()
    return try verifier.lacksKey(for: text, in: keys) ? try await readKeys() : keys
  }

  private func readKeys() async throws(Failure) -> JWKSet {
    let response = try await transport.send(HTTPRequest(get: keySet))
    guard response.status == 200 else {
      throw .network(.badResponse(.status(response.status, from: .keySet)))
    }
    return try JWKSet(body: response.body)
  }
}
