/// Verifies the JWTs that an API receives as access tokens, with the keys that the provider publishes (RFC 9068 section 4).
package struct AccessTokenCheck: Sendable {
  private let audience: String
  private let dependencies: Dependencies

  /// The number of seconds by which the clocks of provider and API may differ.
  private static let skew: Int64 = 60

  /// Creates a check for the API that the provider knows by this name.
  package init(for audience: String, _ dependencies: Dependencies) {
    (self.audience, self.dependencies) = (audience, dependencies)
  }

  /// Returns the claims of a token that the provider has issued for the API.
  package func claims(of text: String, from provider: Provider) async throws(Failure) -> TokenClaims {
    let jws = try failing(JWS(text)) { .invalidAccessToken($0) }
    // Another JWT of the provider, such as an id_token, must not pass for an access token.
    guard ["at+jwt", "application/at+jwt"].contains(jws.type?.lowercased()) else {
      throw .invalidAccessToken("its type is not at+jwt")
    }
    // With a shared secret, the API could have made the token itself.
    guard !jws.algorithm.isSymmetric else {
      throw .invalidAccessToken("it must not be signed with \(jws.algorithm.rawValue)")
    }
    guard let issuer = provider.issuer else { throw .unverifiableAccessToken }
    let provider = try await provider.completed(needing: [.keySet], through: dependencies.transport)
    let keys = ProviderKeys(
      endpoint: try provider.endpoint(.keySet), transport: dependencies.transport)
    return try await keys.verified { keys throws(Failure) in
      let claims = try verified(jws, with: keys)
      try check(claims, of: issuer)
      return TokenClaims(members: claims.members)
    } lacks: { keys in
      keys.lacksKey(for: jws)
    }
  }

  private func verified(_ jws: JWS, with keys: JWKSet) throws(Failure) -> Claims {
    let key = try failing(keys.key(for: jws)) { .invalidAccessToken($0) }
    guard let payload = try jws.payload(verifiedWith: key.key, dependencies.cryptography) else {
      throw .invalidAccessToken("its signature is wrong")
    }
    return try Claims(of: payload, Failure.invalidAccessToken)
  }

  /// Checks the claims that RFC 9068 section 2.2 requires.
  private func check(_ claims: Claims, of issuer: Issuer) throws(Failure) {
    try claims.require(["iss", "exp", "aud", "sub", "client_id", "iat", "jti"])
    try claims.checkUse(of: issuer, for: audience)
    try claims.checkTimes(at: dependencies.clock.now(), skew: Self.skew)
    for name in ["sub", "client_id"] where try claims.text(name)?.isEmpty != false {
      throw claims.malformed(name)
    }
  }
}

extension Claims {
  /// Throws unless the token is of this issuer, for this API if one is given, and good without a proof.
  func checkUse(of issuer: Issuer?, for audience: String?) throws(Failure) {
    if let issuer, let named = try text("iss"), !issuer.isIdentical(to: named) {
      throw .invalidAccessToken("it comes from another provider")
    }
    if let audience {
      let named = members["aud"] == nil ? [] : try audiences()
      guard named.contains(where: audience.isIdentical) else {
        throw .invalidAccessToken("it is not meant for this API")
      }
    }
    // RFC 7800 section 3.1: a thief may have it, who lacks the key.
    if members["cnf"] != nil { throw .invalidAccessToken("it is bound to a key, whose proof is not checked") }
  }
}

/// The claims of a token that another program has shown, after they were verified.
public struct TokenClaims: Sendable {
  /// All claims, in the provider's order and JSON types.
  public let members: JSONObject

  /// The identifier of the user at the provider, or of the client if the token is its own (`sub`).
  public var subject: String? { members["sub"]?.string }

  /// The client to which the token was issued (`client_id`).
  public var clientID: String? { members["client_id"]?.string }

  /// The granted scopes.
  public var scopes: [String] { (members["scope"]?.string ?? "").parts(at: " ").filter { !$0.isEmpty } }

  /// The time at which the token expires, if the provider says so (`exp`).
  public var expiresAt: UTCDate? {
    members["exp"]?.truncated.flatMap { UTCDate(secondsSince1970: $0) }
  }

  package init(members: JSONObject) { self.members = members }
}

/// Claims are personal data.
extension TokenClaims: Redacted {}

extension Failure {
  /// An access token that an API must not accept.
  static func invalidAccessToken(_ reason: Message, details: JSONObject = [:]) -> Failure {
    Failure(.invalidAccessToken, "the access token cannot be accepted: \(reason)", details: details)
  }

  fileprivate static let unverifiableAccessToken = Failure(
    .invalidConfiguration, "an access token cannot be verified without issuer and keys", hint: .addIssuer)
}
