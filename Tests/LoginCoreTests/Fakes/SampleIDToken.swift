import Testing

@testable import LoginCore

/// An id_token of `https://as.test` for the client `client`, signed with a ``FakeSigningKey`` named `k`.
enum SampleIDToken {
  static let issuer = "https://as.test"
  static let nonce = "n-0S6_WzA2Mj"
  /// The second in which every sample was issued and is verified.
  static let now: Int64 = 1_700_000_000

  /// Claims that are believed.
  static let claims: JSONObject = [
    "iss": .string(issuer), "sub": "24400320", "aud": "client", "nonce": .string(nonce),
    "exp": .number(JSONNumber(now + 600)), "iat": .number(JSONNumber(now)),
  ]

  /// The claims with one that is another, or that is left out.
  static func claims(_ name: String, _ value: JSONValue?) -> JSONObject {
    var changed = claims
    changed[name] = value
    return changed
  }

  /// A signed token.
  static func text(
    _ payload: String, header: JSONObject = ["kid": "k"], algorithm: SignatureAlgorithm = .rs256
  ) throws -> String {
    try JWS.sign(payload.utf8, header: header, with: FakeSigningKey(algorithm: algorithm))
  }

  /// The keys that the provider publishes.
  static func keys() throws -> JWKSet {
    JWKSet([try #require(JWK(FakeSigningKey.rsa(["kid": "k"])))])
  }

  static func verifier(
    secret: ClientSecret? = nil, algorithms: [SignatureAlgorithm] = SignatureAlgorithm.asymmetric,
    cryptography: FakeCryptography = FakeCryptography()
  ) throws -> IDTokenVerifier {
    IDTokenVerifier(
      issuer: try Issuer(issuer), clientID: "client", clientSecret: secret, algorithms: algorithms,
      cryptography: cryptography)
  }

  /// What a verifier thinks of claims that came from the token endpoint.
  @discardableResult
  static func verify(
    _ claims: JSONObject, by verifier: IDTokenVerifier? = nil,
    binding: IDTokenBinding = IDTokenBinding(.back, nonce: Nonce(nonce))
  ) throws -> IDToken {
    try (verifier ?? self.verifier()).verify(
      text(claims.text), keys: keys(), binding: binding, at: date())
  }

  static func date(_ offset: Int64 = 0) throws -> UTCDate {
    try #require(UTCDate(secondsSince1970: now + offset))
  }
}

/// Expects that an id_token is refused for this reason.
func expectInvalid(
  _ fault: IDTokenFault, _ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation,
  _ work: () throws -> Void
) {
  #expect(
    throws: Failure.untrusted(.invalidIDToken(fault)), "\(comment)", sourceLocation: sourceLocation,
    performing: work)
}
