/// The claims, in the order of OpenID Connect Core section 3.1.3.7.
extension IDTokenVerifier {
  /// The token, if it was issued by the provider for the client and is good at `now`.
  func token(_ text: String, claims: JSONObject, at now: UTCDate) throws(Failure) -> IDToken {
    let missing = ["iss", "sub", "aud", "exp", "iat"].filter { claims[$0] == nil }
    guard missing.isEmpty else { throw .invalidIDToken(.missing(missing)) }
    let issuer = try claims.text("iss") ?? ""
    let isIssuer = issuers?.matches(issuer, claims: claims) ?? self.issuer.isIdentical(to: issuer)
    guard isIssuer else { throw .invalidIDToken(.issuer) }
    try checkAudience(claims)
    try checkTimes(claims, at: now)
    guard let subject = try claims.text("sub"), (1...255).contains(subject.utf8.count),
      subject.utf8.allSatisfy({ $0 == 0x20 || $0.isVisible })
    else { throw .invalidIDToken(.malformedClaim("sub")) }
    return IDToken(text: text, subject: subject, claims: claims)
  }

  private func checkAudience(_ claims: JSONObject) throws(Failure) {
    let audiences = try claims.audiences()
    let others = audiences.filter { !$0.isIdentical(to: clientID) }
    let areTrusted = others.allSatisfy { other in trustedAudiences.contains { $0.isIdentical(to: other) } }
    guard others.count < audiences.count, areTrusted else { throw .invalidIDToken(.audience) }
    guard let party = try claims.text("azp") else {
      if others.isEmpty { return }
      throw .invalidIDToken(.missing(["azp"]))
    }
    guard party.isIdentical(to: clientID) else { throw .invalidIDToken(.authorizedParty) }
  }

  private func checkTimes(_ claims: JSONObject, at now: UTCDate) throws(Failure) {
    let (now, skew) = (now.secondsSince1970, Int64(skew))
    guard let expiry = try claims.time("exp"), now - skew < expiry else { throw .invalidIDToken(.expired) }
    guard let issued = try claims.time("iat"), issued <= now + skew else {
      throw .invalidIDToken(.issuedInFuture)
    }
    if let start = try claims.time("nbf"), start > now + skew { throw .invalidIDToken(.notYetValid) }
  }

  /// Without the nonce of the request, anybody could put a token of another login in the place of this one.
  func checkNonce(_ claims: JSONObject, _ binding: IDTokenBinding) throws(Failure) {
    let received = claims["nonce"]?.string.map { Nonce($0) }
    let isRequired = binding.nonce != nil || binding.channel == .front
    if claims["nonce"] == nil, !isRequired { return }
    guard let received, received == binding.nonce else { throw .untrusted(.nonceMismatch) }
  }

  /// Sections 3.2.2.9, 3.3.2.10 and 3.1.3.8: a hash is there if the token came through the user agent, and
  /// right wherever it is.
  func checkHashes(
    _ claims: JSONObject, _ binding: IDTokenBinding, _ algorithm: SignatureAlgorithm
  ) throws(Failure) {
    let secrets: [(String, String?, IDTokenFault)] = [
      ("at_hash", binding.accessToken?.revealed(), .accessTokenHash),
      ("c_hash", binding.code?.revealed(), .codeHash),
    ]
    for case (let name, let secret?, let fault) in secrets {
      guard let received = try claims.text(name) else {
        if binding.channel == .front { throw .invalidIDToken(.missing([name])) }
        continue
      }
      let digest = try cryptography.digest(algorithm.digest, of: Array(secret.utf8))
      guard received.isIdentical(to: Base64.encodeURLSafe(digest.prefix(digest.count / 2))) else {
        throw .invalidIDToken(fault)
      }
    }
  }

  /// Section 3.1.3.7, step 12. Providers may answer a request for `acr_values` with another context or none;
  /// who asks for one wants to know that it was met, so that is refused here.
  func checkContext(_ claims: JSONObject, _ binding: IDTokenBinding) throws(Failure) {
    if binding.contexts.isEmpty { return }
    guard let context = try claims.text("acr") else { throw .invalidIDToken(.missing(["acr"])) }
    guard binding.contexts.contains(where: context.isIdentical) else {
      throw .invalidIDToken(.authenticationContext)
    }
  }

  /// A login that the provider's cookies had kept is too old if the request said so (section 3.1.2.1).
  func checkAge(_ claims: JSONObject, maxAge: Int?, at now: UTCDate) throws(Failure) {
    guard let maxAge else { return }
    guard let authentication = try claims.time("auth_time") else {
      throw .invalidIDToken(.missing(["auth_time"]))
    }
    let (now, skew) = (now.secondsSince1970, Int64(skew))
    guard authentication <= now + skew else { throw .invalidIDToken(.malformedClaim("auth_time")) }
    let earliest = now - skew - Int64(max(0, min(maxAge, Self.longestAge)))
    guard authentication >= earliest else { throw .invalidIDToken(.authenticationTooOld) }
  }

  /// Longer than there have been computers, and far from where numbers end.
  private static var longestAge: Int { 1 << 40 }

  /// Section 12.2: a refreshed token is about the same login. Its `azp`, if any, was compared with the client
  /// already.
  func checkSameLogin(_ claims: JSONObject, as original: JSONObject) throws(Failure) {
    for name in ["iss", "sub"] where claims[name] != original[name] {
      throw .invalidIDToken(.otherLogin(name))
    }
    guard try claims.isForAudiences(of: original) else { throw .invalidIDToken(.otherLogin("aud")) }
    if let time = try claims.time("auth_time"), let before = try original.time("auth_time"), time != before {
      throw .invalidIDToken(.otherLogin("auth_time"))
    }
    if let nonce = claims["nonce"] {
      guard let received = nonce.string, let sent = original["nonce"]?.string, Nonce(received) == Nonce(sent)
      else { throw .untrusted(.nonceMismatch) }
    }
  }
}

extension JSONObject {
  /// A claim that is text, if it is there.
  fileprivate func text(_ name: String) throws(Failure) -> String? {
    guard let claim = self[name] else { return nil }
    guard let text = claim.string else { throw .invalidIDToken(.malformedClaim(name)) }
    return text
  }

  /// A NumericDate (RFC 7519 section 2), if it is there; what it has beyond whole seconds is dropped.
  fileprivate func time(_ name: String) throws(Failure) -> Int64? {
    guard let claim = self[name] else { return nil }
    guard let seconds = claim.truncated else { throw .invalidIDToken(.malformedClaim(name)) }
    return seconds
  }

  /// `aud`, which is one text or an array of them.
  fileprivate func audiences() throws(Failure) -> [String] {
    if let one = self["aud"]?.string { return [one] }
    var audiences: [String] = []
    for element in self["aud"]?.array ?? [] {
      guard let audience = element.string else { throw .invalidIDToken(.malformedClaim("aud")) }
      audiences.append(audience)
    }
    guard !audiences.isEmpty else { throw .invalidIDToken(.malformedClaim("aud")) }
    return audiences
  }

  /// Whether both are for the same audiences, in whatever order and form.
  fileprivate func isForAudiences(of other: JSONObject) throws(Failure) -> Bool {
    let own = try audiences(), others = try other.audiences()
    func contains(_ list: [String], _ text: String) -> Bool { list.contains { $0.isIdentical(to: text) } }
    return own.allSatisfy { contains(others, $0) } && others.allSatisfy { contains(own, $0) }
  }
}
