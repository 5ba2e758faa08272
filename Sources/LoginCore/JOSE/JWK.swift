/// A public key that a provider publishes to verify signatures with (RFC 7517 section 4).
package struct JWK: Sendable {
  /// What tells the keys of a set apart.
  package let keyID: String?
  /// Whose tokens the key signs, where the provider says that: Microsoft publishes the keys of several issuers together.
  let issuer: String?
  /// The key itself.
  package let key: VerificationKey
  /// The one algorithm that the key is meant for, as the provider writes it.
  private let algorithm: String?

  /// Nothing for a key that is malformed, too weak, of an unknown kind, or meant for something else than to
  /// verify signatures: a set goes on without it (RFC 7517 section 5).
  package init?(_ json: JSONObject) {
    guard Self.isText(json["kid"]), Self.isText(json["alg"]), Self.verifies(json),
      let key = VerificationKey(json)
    else { return nil }
    self.key = key
    keyID = json["kid"]?.string
    issuer = json["issuer"]?.string
    algorithm = json["alg"]?.string
  }

  /// Whether signatures of this algorithm are verified with this key.
  package func fits(_ algorithm: SignatureAlgorithm) -> Bool {
    key.fits(algorithm) && self.algorithm?.isIdentical(to: algorithm.rawValue) ?? true
  }

  private static func isText(_ member: JSONValue?) -> Bool { member.map { $0.string != nil } ?? true }

  /// What `use` and `key_ops` say, which a provider may leave out (RFC 7517 sections 4.2 and 4.3).
  private static func verifies(_ json: JSONObject) -> Bool {
    if let use = json["use"], use != "sig" { return false }
    guard let member = json["key_ops"] else { return true }
    guard let operations = member.array else { return false }
    var seen = NameSet()
    for operation in operations {
      guard let name = operation.string, seen.insert(name) else { return false }
    }
    return operations.contains("verify")
  }
}

extension VerificationKey {
  /// The key of a JWK. A symmetric key is never taken from a document that anybody can read.
  fileprivate init?(_ json: JSONObject) {
    func bytes(_ name: String) -> [UInt8]? { json[name]?.string.flatMap { Base64.decodeURLSafe($0) } }
    switch json["kty"] {
    case "RSA":
      guard let modulus = bytes("n"), let exponent = bytes("e"),
        let key = RSAPublicKey(modulus: modulus, exponent: exponent)
      else { return nil }
      self = .rsa(key)
    case "EC":
      guard let curve = json["crv"]?.string.flatMap(EllipticCurve.init), let x = bytes("x"),
        let y = bytes("y"), let key = ECPublicKey(curve: curve, x: x, y: y)
      else { return nil }
      self = .ec(key)
    case "OKP":
      guard json["crv"] == "Ed25519", let x = bytes("x"), let key = Ed25519PublicKey(x) else { return nil }
      self = .ed25519(key)
    default: return nil
    }
  }
}
