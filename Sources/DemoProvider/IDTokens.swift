import LoginCore

extension DemoServer {
  /// Makes a signed ID token, with the faults that are on.
  mutating func idToken(
    for grant: Grant, accessToken: String?, code: String? = nil, now: UTCDate
  ) throws(OAuthError) -> String {
    if meets(.keysRotated) { try rotateKey() }
    var claims = try mint.claims(
      of: grant, for: settings.client, life: life, accessToken: accessToken, code: code, now: now)
    spoil(&claims, now)
    let token = try mint.sign(claims)
    guard meets(.idTokenSignature) else { return token }
    // The signature of other claims has the right form, and so only a check of it shows the fault.
    let other = try mint.sign([:])
    return (token.parts(at: ".").prefix(2) + other.parts(at: ".").suffix(1)).joined(separator: ".")
  }

  private mutating func spoil(_ claims: inout JSONObject, _ now: UTCDate) {
    if meets(.wrongNonce) { claims["nonce"] = "nonce-of-another-request" }
    if meets(.idTokenAudience) { claims["aud"] = "another-client" }
    if meets(.idTokenExpired) {
      claims["iat"] = .number(JSONNumber(now.secondsSince1970 - 7_200))
      claims["exp"] = .number(JSONNumber(now.secondsSince1970 - 3_600))
    }
  }

  /// Replaces the key that signs, and that the key set shows.
  private mutating func rotateKey() throws(OAuthError) {
    do throws(Failure) {
      mint.signer = try mint.cryptography.neededSignatures().newProofKey()
    } catch {
      throw OAuthError(.serverError, "There is no new key.")
    }
  }
}
