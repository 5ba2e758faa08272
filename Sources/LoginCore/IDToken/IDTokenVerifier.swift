/// Decides whether an id_token is believed: first the signature, then the claims (OpenID Connect Core
/// sections 3.1.3.7, 3.2.2.11, 3.3.2.12 and 12.2).
///
/// The signature is verified on both channels, although a token that came over TLS from the token endpoint
/// could go without.
public struct IDTokenVerifier: Sendable {
  let issuer: Issuer
  /// Who may have issued it instead, where that depends on the user.
  public var issuers: IssuerPattern?
  let clientID: String
  let algorithms: [SignatureAlgorithm]
  /// Other audiences that may stand beside the client; none unless somebody vouches for them.
  public var trustedAudiences: [String] = []
  /// By how many seconds the clocks of provider and client may differ: five minutes is what most
  /// providers' own libraries grant.
  public var skew: UInt16 = 300

  private let secret: HMACKey?
  let cryptography: any Cryptography

  /// Tokens of an issuer for a client. Without a secret no symmetric algorithm is ever allowed.
  public init(
    issuer: Issuer, clientID: String, clientSecret: ClientSecret? = nil,
    algorithms: [SignatureAlgorithm] = SignatureAlgorithm.asymmetric, cryptography: any Cryptography
  ) {
    self.issuer = issuer
    self.clientID = clientID
    secret = clientSecret.map(HMACKey.init)
    self.algorithms = clientSecret == nil ? algorithms.filter { !$0.isSymmetric } : algorithms
    self.cryptography = cryptography
  }

  /// Whether the token is signed with one of the provider's keys, and not with the client's secret.
  public func needsKeys(for text: String) throws(Failure) -> Bool { try !read(text).algorithm.isSymmetric }

  /// Whether the token is signed with a key that is not in the set: a provider that changes its keys has
  /// newer ones, so the set is worth reading again, once (OpenID Connect Core section 10.1.1).
  public func lacksKey(for text: String, in keys: JWKSet) throws(Failure) -> Bool {
    let jws = try read(text)
    if jws.algorithm.isSymmetric { return false }
    do throws(JOSEFault) {
      _ = try keys.key(for: jws)
      return false
    } catch {
      return error == .unknownKey
    }
  }

  /// The token, if it is to be believed at `now`.
  public func verify(
    _ text: String, keys: JWKSet, binding: IDTokenBinding, at now: UTCDate
  ) throws(Failure) -> IDToken {
    let (claims, algorithm) = try verifiedClaims(text, keys: keys)
    let token = try token(text, claims: claims, at: now)
    try checkNonce(claims, binding)
    try checkHashes(claims, binding, algorithm)
    try checkContext(claims, binding)
    try checkAge(claims, maxAge: binding.maxAge, at: now)
    return token
  }

  /// A token that came with a refreshed access token, where `original` are the claims of the login's own; where
  /// nobody has kept them, there is nothing that they could contradict.
  public func verifyRefreshed(
    _ text: String, keys: JWKSet, original: JSONObject?, accessToken: AccessToken?, at now: UTCDate
  ) throws(Failure) -> IDToken {
    let (claims, algorithm) = try verifiedClaims(text, keys: keys)
    let token = try token(text, claims: claims, at: now)
    try checkHashes(claims, IDTokenBinding(.back, accessToken: accessToken), algorithm)
    if let original { try checkSameLogin(claims, as: original) }
    return token
  }
}

/// The signature.
extension IDTokenVerifier {
  private func verifiedClaims(
    _ text: String, keys: JWKSet
  ) throws(Failure) -> (JSONObject, SignatureAlgorithm) {
    let jws = try read(text)
    let (key, owner) = try key(for: jws, in: keys)
    guard let payload = try jws.payload(verifiedWith: key, cryptography) else {
      throw .invalidIDToken(.jose(.wrongSignature))
    }
    let claims = try Self.claims(payload)
    if let issuers, !issuers.allows(keyOf: owner, for: claims["iss"]?.string ?? "") {
      throw .invalidIDToken(.issuer)
    }
    return (claims, jws.algorithm)
  }

  private func read(_ text: String) throws(Failure) -> JWS {
    let jws = try failing(JWS(text)) { .invalidIDToken(.jose($0)) }
    // A token whose type is spelled out says so to prevent just this confusion, such as `at+jwt`.
    if let type = jws.type, type.lowercased().hasSuffix("+jwt") { throw .invalidIDToken(.otherType(type)) }
    guard algorithms.contains(jws.algorithm) else {
      throw .invalidIDToken(.algorithmNotAllowed(jws.algorithm.rawValue))
    }
    return jws
  }

  /// The key, and whose it is where the provider says that.
  private func key(for jws: JWS, in keys: JWKSet) throws(Failure) -> (VerificationKey, owner: String?) {
    if jws.algorithm.isSymmetric, let secret {
      let key = VerificationKey.hmac(secret)
      guard key.fits(jws.algorithm) else { throw .invalidIDToken(.secretTooShort) }
      return (key, nil)
    }
    let jwk = try failing(keys.key(for: jws)) { .invalidIDToken(.jose($0)) }
    return (jwk.key, jwk.issuer)
  }

  private static func claims(_ payload: [UInt8]) throws(Failure) -> JSONObject {
    try JSONReader.members(of: payload) { fault -> Failure in
      .invalidIDToken(.malformedPayload(fault))
    }
  }
}

extension Failure {
  static func invalidIDToken(_ fault: IDTokenFault) -> Failure { .untrusted(.invalidIDToken(fault)) }
}
