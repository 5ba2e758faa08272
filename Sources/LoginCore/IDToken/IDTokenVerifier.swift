/// Decides if an id_token is believed: first the signature, then the claims (OpenID Connect Core sections 3.1.3.7,
/// 3.2.2.11, 3.3.2.12 and 12.2).
///
/// The signature is always verified, even though the standard allows skipping it for a token that came over TLS from
/// the token endpoint.
package struct IDTokenVerifier: Sendable {
  private let issuer: Issuer
  /// The issuers to accept in place of the one issuer, if the issuer depends on the user.
  var issuers: IssuerPattern?
  private let clientID: String
  private let algorithms: [SignatureAlgorithm]
  /// Audiences that are accepted next to the client. A token for any other audience is refused.
  package var trustedAudiences: [String] = []
  /// The number of seconds by which the clocks of provider and client may differ. The libraries of most providers allow
  /// five minutes.
  package var skew: UInt16 = 300

  private let secret: HMACKey?
  private let cryptography: any Cryptography

  /// A verifier for tokens of one issuer for one client. Symmetric algorithms are allowed only with a secret.
  package init(
    issuer: Issuer, clientID: String, clientSecret: ClientSecret? = nil,
    algorithms: [SignatureAlgorithm] = SignatureAlgorithm.asymmetric, cryptography: any Cryptography
  ) {
    self.issuer = issuer
    self.clientID = clientID
    secret = clientSecret.map(HMACKey.init)
    self.algorithms = clientSecret == nil ? algorithms.filter { !$0.isSymmetric } : algorithms
    self.cryptography = cryptography
  }

  /// True if the token is signed with one of the provider's keys, false if it is signed with the client's secret.
  func needsKeys(for text: String) throws(Failure) -> Bool { try !read(text).algorithm.isSymmetric }

  /// True if the token is signed with a key that is not in the set. A provider that changes its keys has newer ones, so
  /// it is worth reading the set again, once (OpenID Connect Core section 10.1.1).
  func lacksKey(for text: String, in keys: JWKSet) throws(Failure) -> Bool {
    let jws = try read(text)
    return !jws.algorithm.isSymmetric && keys.lacksKey(for: jws)
  }

  /// Returns the token of a login if it can be believed at `now`.
  package func verify(
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

  /// Returns the token that came with a refreshed access token if it can be believed at `now`. `original` are the claims
  /// of the login's own id_token; pass nil if they were not kept. `maxAge` is that of the login's request.
  func verifyRefreshed(
    _ text: String, keys: JWKSet, original: JSONObject?, accessToken: AccessToken?, maxAge: Int? = nil,
    at now: UTCDate
  ) throws(Failure) -> IDToken {
    let (claims, algorithm) = try verifiedClaims(text, keys: keys)
    let token = try token(text, claims: claims, at: now)
    try checkHashes(claims, IDTokenBinding(channel: .back, accessToken: accessToken), algorithm)
    if let original { try checkSameLogin(claims, as: original, comparesTime: maxAge != nil) }
    return token
  }

  /// Returns the token that a caller shows to say who has signed in once, such as an `id_token_hint`. It may have expired
  /// (OpenID Connect Core section 3.1.2.1).
  func verifyHint(_ text: String, keys: JWKSet, at now: UTCDate) throws(Failure) -> IDToken {
    let (claims, _) = try verifiedClaims(text, keys: keys)
    return try token(text, claims: claims, at: now, mayHaveEnded: true)
  }
}

extension Failure {
  /// An id_token that does not prove who signed in (OpenID Connect Core section 3.1.3.7).
  static func invalidIDToken(_ reason: Message, details: JSONObject = [:]) -> Failure {
    Failure(.invalidIDToken, "the id_token cannot be trusted: \(reason)", details: details)
  }

  fileprivate static let otherIssuer = invalidIDToken("it comes from another provider")

  fileprivate static func otherLogin(_ name: String) -> Failure {
    .invalidIDToken("its \(name) differs from that of the original login")
  }

  /// An id_token that belongs to another request (OpenID Connect Core section 3.1.3.7, step 11).
  static let nonceMismatch = Failure(
    .nonceMismatch, "the id_token does not have the nonce of this login")
}

/// The signature.
extension IDTokenVerifier {
  private func verifiedClaims(
    _ text: String, keys: JWKSet
  ) throws(Failure) -> (Claims, SignatureAlgorithm) {
    let jws = try read(text)
    let (key, owner) = try key(for: jws, in: keys)
    guard let payload = try jws.payload(verifiedWith: key, cryptography) else {
      throw .invalidIDToken("its signature is wrong")
    }
    let claims = try Claims(of: payload, Failure.invalidIDToken)
    if let issuers, !issuers.allows(keyOf: owner, for: claims["iss"]?.string ?? "") { throw .otherIssuer }
    return (claims, jws.algorithm)
  }

  private func read(_ text: String) throws(Failure) -> JWS {
    let jws = try failing(JWS(text)) { .invalidIDToken($0) }
    // A token that spells out its type, such as `at+jwt`, does so to prevent just this confusion (RFC 8725 section 3.11).
    if let type = jws.type, type.lowercased().hasSuffix("+jwt") {
      throw .invalidIDToken("it is a token of the type \"\(type, upTo: 60)\"")
    }
    guard algorithms.contains(jws.algorithm) else {
      throw .invalidIDToken("it must not be signed with \(jws.algorithm.rawValue)")
    }
    return jws
  }

  /// Returns the key, and its owner if the provider names one.
  private func key(for jws: JWS, in keys: JWKSet) throws(Failure) -> (VerificationKey, owner: String?) {
    if jws.algorithm.isSymmetric, let secret {
      let key = VerificationKey.hmac(secret)
      // RFC 7518 section 3.2.
      guard key.fits(jws.algorithm) else {
        throw .invalidIDToken("the client secret is too short for its algorithm")
      }
      return (key, nil)
    }
    let jwk = try failing(keys.key(for: jws)) { .invalidIDToken($0) }
    return (jwk.key, jwk.issuer)
  }
}

/// The claims, in the order of OpenID Connect Core section 3.1.3.7.
extension IDTokenVerifier {
  /// Returns the token if the provider issued it for the client and it is valid at `now`.
  private func token(
    _ text: String, claims: Claims, at now: UTCDate, mayHaveEnded: Bool = false
  ) throws(Failure) -> IDToken {
    try claims.require(["iss", "sub", "aud", "exp", "iat"])
    let issuer = try claims.text("iss") ?? ""
    let isIssuer = issuers?.matches(issuer, claims: claims.members) ?? self.issuer.isIdentical(to: issuer)
    guard isIssuer else { throw .otherIssuer }
    try checkAudience(claims)
    try claims.checkTimes(at: now, skew: Int64(skew), mayHaveEnded: mayHaveEnded)
    guard let subject = try claims.text("sub"), (1...255).contains(subject.utf8.count),
      subject.utf8.allSatisfy({ $0 == 0x20 || $0.isVisible })
    else { throw claims.malformed("sub") }
    return IDToken(text: text, subject: subject, claims: claims.members)
  }

  private func checkAudience(_ claims: Claims) throws(Failure) {
    let audiences = try claims.audiences()
    let others = audiences.filter { !$0.isIdentical(to: clientID) }
    let areTrusted = others.allSatisfy { other in trustedAudiences.contains { $0.isIdentical(to: other) } }
    guard others.count < audiences.count, areTrusted else {
      throw .invalidIDToken("it is not meant for this client alone")
    }
    guard let party = try claims.text("azp") else {
      if others.isEmpty { return }
      throw claims.missing(["azp"])
    }
    guard party.isIdentical(to: clientID) else { throw .invalidIDToken("it was issued to another client") }
  }

  /// The nonce proves that the token was issued for this login and not for another one.
  private func checkNonce(_ claims: Claims, _ binding: IDTokenBinding) throws(Failure) {
    let received = claims["nonce"]?.string.map { Nonce($0) }
    let isRequired = binding.nonce != nil || binding.channel == .front
    if claims["nonce"] == nil, !isRequired { return }
    guard let received, received == binding.nonce else { throw .nonceMismatch }
  }

  /// Sections 3.2.2.9, 3.3.2.10 and 3.1.3.8: a token that came through the user agent has a hash of everything that came
  /// with it, and every hash must be right.
  private func checkHashes(
    _ claims: Claims, _ binding: IDTokenBinding, _ algorithm: SignatureAlgorithm
  ) throws(Failure) {
    let secrets: [(String, String?, Message)] = [
      ("at_hash", binding.accessToken?.revealed(), "it belongs to another access token"),
      ("c_hash", binding.code?.revealed(), "it belongs to another code"),
    ]
    for case (let name, let secret?, let reason) in secrets {
      guard let received = try claims.text(name) else {
        if binding.channel == .front { throw claims.missing([name]) }
        continue
      }
      let digest = try cryptography.digest(algorithm.digest, of: Array(secret.utf8))
      guard received.isIdentical(to: Base64.encodeURLSafe(digest.prefix(digest.count / 2))) else {
        throw .invalidIDToken(reason)
      }
    }
  }

  /// Section 3.1.3.7, step 12. A provider may answer a request for `acr_values` with another context or without one. An
  /// application that asks for a context wants it to be met, so both are refused here.
  private func checkContext(_ claims: Claims, _ binding: IDTokenBinding) throws(Failure) {
    if binding.contexts.isEmpty { return }
    guard let context = try claims.text("acr") else { throw claims.missing(["acr"]) }
    guard binding.contexts.contains(where: context.isIdentical) else {
      throw .invalidIDToken("the user signed in by another method than requested")
    }
  }

  /// Section 3.1.2.1: the provider's cookies may have kept a login that is older than the request allows.
  private func checkAge(_ claims: Claims, maxAge: Int?, at now: UTCDate) throws(Failure) {
    guard let maxAge else { return }
    guard let authentication = try claims.time("auth_time") else { throw claims.missing(["auth_time"]) }
    let (now, skew) = (now.secondsSince1970, Int64(skew))
    guard authentication <= now + skew else { throw claims.malformed("auth_time") }
    // 35,000 years: no limit in practice, and the subtraction cannot overflow.
    let longest = 1 << 40
    guard authentication >= now - skew - Int64(max(0, min(maxAge, longest))) else {
      throw .invalidIDToken("the user's sign-in is longer ago than requested")
    }
  }

  /// Section 12.2: a refreshed token is about the same login. Its `azp`, if any, has been compared with the client.
  ///
  /// Some servers send the time of the user's last login, even if it was another client's. That time only matters to a
  /// request that limits it.
  private func checkSameLogin(
    _ claims: Claims, as original: JSONObject, comparesTime: Bool
  ) throws(Failure) {
    let original = Claims(original, Failure.invalidIDToken)
    for name in ["iss", "sub"] where claims[name] != original[name] { throw .otherLogin(name) }
    guard try claims.isForAudiences(of: original) else { throw .otherLogin("aud") }
    if comparesTime, let time = try claims.time("auth_time"), let before = try original.time("auth_time"),
      time != before
    {
      throw .otherLogin("auth_time")
    }
    if let nonce = claims["nonce"] {
      guard let received = nonce.string, let sent = original["nonce"]?.string, Nonce(received) == Nonce(sent)
      else { throw .nonceMismatch }
    }
  }
}
