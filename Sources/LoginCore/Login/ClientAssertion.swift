/// Sends requests with an assertion that the client signs with its key (RFC 7523 section 2.2). Each attempt gets one of its
/// own, because servers accept an assertion once.
final class ClientAssertionTransport: HTTPTransport {
  private let dependencies: Dependencies
  private let login: LoginRequest

  /// Enough for a slow network and clocks that differ a little. Some servers refuse more.
  private static let life: Int64 = 60

  init(_ dependencies: Dependencies, _ login: LoginRequest) {
    (self.dependencies, self.login) = (dependencies, login)
  }

  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    try await dependencies.transport.send(
      request.adding(toForm: [
        Parameter("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
        Parameter("client_assertion", try assertion(for: request.endpoint)),
      ]))
  }

  private func assertion(for endpoint: Endpoint) throws(Failure) -> String {
    let cryptography = dependencies.cryptography
    guard let text = login.clientKey?.revealed(),
      let key = try cryptography.neededSignatures().clientKey(text)
    else { throw .unusableClientKey }
    let now = dependencies.clock.now()
    let client = JSONValue.string(login.clientID)
    let claims: JSONObject = [
      "iss": client, "sub": client, "aud": .string(audience(at: endpoint)),
      "jti": .string(Base64.encodeURLSafe(try cryptography.randomBytes(16))),
      "iat": .number(JSONNumber(now.secondsSince1970)),
      "exp": .number(JSONNumber(now.secondsSince1970 + Self.life)),
    ]
    let keyID = (try? JSONReader.read(Array(text.utf8)))?.object?["kid"]?.string
    let header: JSONObject = ["typ": "JWT", "kid": keyID.map(JSONValue.string)]
    return try JWS.sign(claims.text.utf8, header: header, with: key)
  }

  /// The issuer, so that no other server can use the assertion. Where it is not known, the token endpoint stands for the
  /// server (RFC 7523 section 3), also at its other endpoints.
  private func audience(at endpoint: Endpoint) -> String {
    login.provider.issuer?.description ?? (login.provider.endpoints[.token] ?? endpoint).description
  }
}

extension Failure {
  /// The client should sign assertions, but has no key that can.
  package static let unusableClientKey = Failure(
    .invalidConfiguration,
    "private_key_jwt takes a private key in PEM or as a JWK: RSA with 2048 bits or more, P-256, P-384, P-521 or Ed25519"
  )
}
