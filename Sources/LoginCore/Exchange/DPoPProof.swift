/// A proof that whoever sends a request holds the key that a token is bound to (RFC 9449 section 4.2).
struct DPoPProof: Sendable {
  /// The header field of the request.
  let field: Parameter

  /// A proof for one request. `accessToken` is what the request carries, `nonce` what the server gave last.
  init(
    for method: String, at endpoint: Endpoint, accessToken: AccessToken?, nonce: String?,
    key: any SigningKey, cryptography: any Cryptography, at now: UTCDate
  ) throws(Failure) {
    var claims: JSONObject = [
      "jti": .string(Base64.encodeURLSafe(try cryptography.randomBytes(16))),
      "htm": .string(method), "htu": .string(Self.address(of: endpoint)),
      "iat": .number(JSONNumber(now.secondsSince1970)),
    ]
    if let accessToken {
      let digest = try cryptography.digest(.sha256, of: Array(accessToken.revealed().utf8))
      claims["ath"] = .string(Base64.encodeURLSafe(digest))
    }
    claims["nonce"] = nonce.map(JSONValue.string)
    let header: JSONObject = ["typ": "dpop+jwt", "jwk": .object(Self.publicMembers(of: key))]
    field = Parameter("DPoP", try JWS.sign(claims.text.utf8, header: header, with: key))
  }

  /// Without query and fragment (RFC 9449 section 4.2).
  private static func address(of endpoint: Endpoint) -> String {
    endpoint.description.splitOnce(at: "?").0
  }

  /// What makes the key and nothing else: `use` and `alg` are of no interest here.
  private static func publicMembers(of key: any SigningKey) -> JSONObject {
    var members = JSONObject()
    for name in ["kty", "crv", "x", "y", "e", "n"] { members[name] = key.publicKey[name] }
    return members
  }
}
