import LoginCore

/// Makes what nobody can guess or forge.
struct Mint: Sendable {
  let issuer: String
  let signer: any SigningKey
  let cryptography: any Cryptography

  /// 256 random bits.
  func secret() throws(OAuthError) -> String {
    Base64.encodeURLSafe(try bytes(32))
  }

  /// A code that people can read from one screen and type into another: eight letters without vowels, which
  /// make no words (RFC 8628 section 6.1).
  func userCode() throws(OAuthError) -> String {
    let letters = Array("BCDFGHJKLMNPQRSTVWXZ".utf8)
    var code: [UInt8] = []
    while code.count < 8 {
      // Of the 256 values of a byte 240 are shared out evenly.
      for byte in try bytes(8) where byte < 240 && code.count < 8 { code.append(letters[Int(byte) % 20]) }
    }
    return String(decoding: code[..<4], as: UTF8.self) + "-" + String(decoding: code[4...], as: UTF8.self)
  }

  private func bytes(_ count: Int) throws(OAuthError) -> [UInt8] {
    do throws(Failure) {
      return try cryptography.randomBytes(count)
    } catch {
      throw OAuthError(.serverError, "There are no random bytes.")
    }
  }

  func digest(_ text: String) throws(OAuthError) -> [UInt8] {
    do throws(Failure) {
      return try cryptography.digest(.sha256, of: Array(text.utf8))
    } catch {
      throw OAuthError(.serverError, "There is no digest.")
    }
  }

  /// Who signed in, signed (OpenID Connect Core section 2).
  ///
  /// It names what it came with (sections 3.2.2.10 and 3.3.2.11).
  func idToken(
    for grant: Grant, accessToken: String?, code: String? = nil, now: UTCDate
  ) throws(OAuthError) -> String {
    func hash(_ secret: String?) throws(OAuthError) -> JSONValue? {
      try secret.map { text throws(OAuthError) in
        .string(Base64.encodeURLSafe(try digest(text).prefix(16)))
      }
    }
    let claims: JSONObject = [
      "iss": .string(issuer), "sub": .string(grant.session.user.subject),
      "aud": .string(DemoClient.identifier),
      "exp": .number(JSONNumber(now.secondsSince1970 + Grant.life)),
      "iat": .number(JSONNumber(now.secondsSince1970)),
      "auth_time": .number(JSONNumber(grant.session.signedInAt.secondsSince1970)),
      "at_hash": try hash(accessToken), "c_hash": try hash(code), "nonce": grant.nonce.map(JSONValue.string),
    ]
    let header: JSONObject = [
      "alg": .string(signer.algorithm.rawValue), "typ": "JWT", "kid": signer.publicKey["kid"],
    ]
    let input = [header, claims].map { Base64.encodeURLSafe($0.text.utf8) }.joined(separator: ".")
    do throws(Failure) {
      return input + "." + Base64.encodeURLSafe(try signer.sign(Array(input.utf8)))
    } catch {
      throw OAuthError(.serverError, "There is no signature.")
    }
  }
}
