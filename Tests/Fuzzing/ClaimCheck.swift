@testable import LoginCore

extension Check {
  /// id_tokens whose claims are the input, with a right signature.
  static let claims = Check(growing: [
    ("audiences", { elements($0, from: "{\"iss\":\"\(issuer)\",\"aud\":[", to: "]}") { "\"a\($0)\"" } }),
    ("members", { elements($0, from: "{", to: "}") { "\"a\($0)\":1" } }),
  ]
  ) { bytes in
    guard let text = try? JWS.sign(bytes, header: ["kid": "k"], with: PlainKey()),
      let jwk = JWK(PlainKey().publicKey), let issuer = try? Issuer(issuer)
    else { return }
    let verifier = IDTokenVerifier(issuer: issuer, clientID: client, cryptography: PlainCryptography())
    let binding = IDTokenBinding(
      channel: .front, nonce: Nonce(nonce), accessToken: AccessToken("access"), maxAge: 1_000)
    let token: IDToken
    do throws(Failure) {
      token = try verifier.verify(text, keys: JWKSet([jwk]), binding: binding, at: Samples.now)
    } catch {
      return checkText(of: error)
    }
    check(token.claims)
    require(token.subject.bytes == token.claims["sub"]?.string?.bytes, "the subject is that of the claims")
    let again = try? verifier.verifyRefreshed(
      text, keys: JWKSet([jwk]), original: token.claims, accessToken: AccessToken("access"), at: Samples.now)
    require(again == token, "a token belongs to the same login as itself")
  }

  private static let (issuer, client, nonce) = ("https://as.example", "client", "n-0S6_WzA2Mj")

  private static func check(_ claims: JSONObject) {
    let text = claims.text
    let now = Double(Samples.now.secondsSince1970)
    func time(_ name: String) -> Double {
      if case .number(let number)? = claims[name] { Double(number.literal) ?? .nan } else { .nan }
    }
    require(claims["iss"] == .string(issuer), "the issuer is the one that was asked: \(text)")
    require(
      claims["aud"] == .string(client) || claims["aud"]?.array?.allSatisfy { $0 == .string(client) } == true,
      "the audience is the client alone: \(text)")
    require(claims["aud"] != [], "the audience is not empty: \(text)")
    require(claims["azp"] == nil || claims["azp"] == .string(client), "it was issued to the client: \(text)")
    require(time("exp") > now - 301, "it has not expired: \(text)")
    require(time("iat") < now + 301, "it was not issued in the future: \(text)")
    require(claims["nbf"] == nil || time("nbf") < now + 301, "it is valid already: \(text)")
    require(claims["nonce"] == .string(nonce), "the nonce is that of the request: \(text)")
    let digest = PlainCryptography.mixed("access".bytes, 32).prefix(16)
    require(
      claims["at_hash"] == .string(Base64.encodeURLSafe(digest)), "it belongs to the access token: \(text)")
    require(
      time("auth_time") > now - 1_301 && time("auth_time") < now + 301, "the user signed in recently: \(text)"
    )
    let subject = claims["sub"]?.string ?? ""
    require(
      (1...255).contains(subject.utf8.count) && subject.utf8.allSatisfy { (0x20..<0x7F).contains($0) },
      "the subject is printable: \(text)")
  }
}
