/// A proof that whoever sends a request holds the key that a token is bound to (RFC 9449 section 4.2).
struct DPoPProof: Sendable {
  /// The header field of the request.
  let field: Parameter

  /// A proof for one request. `accessToken` is what the request carries, `nonce` what the server gave last.
  init(
    for method: String, at endpoint: Endpoint, accessToken: AccessToken?, nonce: String?,
    key: any SigningKey, cryptography: any Cryptography, at now: UTCDate
  ) throws(Failure) {
    let digest = try accessToken.map { token throws(Failure) in
      try cryptography.digest(.sha256, of: Array(token.revealed().utf8))
    }
    let claims: JSONObject = [
      "jti": .string(Base64.encodeURLSafe(try cryptography.randomBytes(16))),
      "htm": .string(method), "htu": .string(Self.address(of: endpoint)),
      "iat": .number(JSONNumber(now.secondsSince1970)),
      "ath": digest.map { .string(Base64.encodeURLSafe($0)) }, "nonce": nonce.map(JSONValue.string),
    ]
    // What makes the key and nothing else: `use` and `alg` are of no interest here.
    let names = ["kty", "crv", "x", "y", "e", "n"]
    let jwk: JSONObject = names.reduce(into: [:]) { $0[$1] = key.publicKey[$1] }
    let header: JSONObject = ["typ": "dpop+jwt", "jwk": .object(jwk)]
    field = Parameter("DPoP", try JWS.sign(claims.text.utf8, header: header, with: key))
  }

  /// As it is sent, without query and fragment (RFC 9449 section 4.2).
  private static func address(of endpoint: Endpoint) -> String {
    PercentEncoding.complete(endpoint.description.splitOnce(at: "?").0)
  }
}
