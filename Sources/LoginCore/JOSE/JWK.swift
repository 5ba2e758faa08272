/// A public key of a provider, for verifying signatures (RFC 7517 section 4).
package struct JWK: Sendable {
  /// The name of the key within its set (`kid`).
  let keyID: String?
  /// The issuer whose tokens the key signs, if the provider names it. Microsoft publishes the keys of several issuers
  /// together.
  let issuer: String?
  /// The key, of sufficient length.
  package let key: VerificationKey
  /// The only algorithm for which the key may be used, as the provider writes it.
  private let algorithm: String?

  /// Returns nil for a key that is malformed, too weak, of an unknown kind, or not meant for verifying signatures. Such
  /// keys do not make a set invalid (RFC 7517 section 5). A key is only read, so `MemberCoder` would not save a writer.
  package init?(_ json: JSONObject) {
    guard Self.isText(json["kid"]), Self.isText(json["alg"]), Self.verifies(json),
      let key = VerificationKey(json)
    else { return nil }
    self.key = key
    keyID = json["kid"]?.string
    issuer = json["issuer"]?.string
    algorithm = json["alg"]?.string
  }

  /// True if the key can verify signatures of this algorithm.
  func fits(_ algorithm: SignatureAlgorithm) -> Bool {
    key.fits(algorithm) && self.algorithm?.isIdentical(to: algorithm.rawValue) ?? true
  }

  private static func isText(_ member: JSONValue?) -> Bool { member.map { $0.string != nil } ?? true }

  /// True if `use` and `key_ops` allow verifying. A provider may leave out both (RFC 7517 sections 4.2 and 4.3).
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
  /// Reads the key of a JWK. Symmetric keys are never accepted from a public document.
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

/// The public keys of a provider (RFC 7517 section 5).
package struct JWKSet: Sendable {
  /// The keys that can verify signatures. Others in the set are left out.
  let keys: [JWK]

  /// Creates a set of these keys.
  init(_ keys: [JWK] = []) { self.keys = keys }

  /// Reads the body of an answer from a `jwks_uri`.
  package init(body: [UInt8]) throws(Failure) {
    func failure(_ error: JSONError) -> Failure {
      .notOAuth("the \(EndpointName.keySet.words): \(error.message)")
    }
    let members = try JSONReader.members(of: body, else: failure)
    guard let keys = members["keys"]?.array else { throw failure(.notAnObject) }
    self.keys = keys.compactMap { $0.object.flatMap(JWK.init) }
  }

  /// Returns the only key that can have made the signature: the one with the name in the header, or else the only one
  /// that fits (OpenID Connect Core section 10.1). If several keys fit, none is used: trying them all would let the
  /// provider's weakest key vouch for all others.
  func key(for jws: JWS) throws(Message) -> JWK {
    let candidates = keys.filter { candidate in
      guard candidate.fits(jws.algorithm) else { return false }
      guard let wanted = jws.keyID else { return true }
      return candidate.keyID?.isIdentical(to: wanted) ?? false
    }
    guard let first = candidates.first else { throw Self.unknownKey }
    guard candidates.count == 1 else { throw "more than one of the provider's keys may have signed it" }
    return first
  }

  /// True if no key of the set fits.
  func lacksKey(for jws: JWS) -> Bool {
    do throws(Message) {
      _ = try key(for: jws)
      return false
    } catch {
      return error == Self.unknownKey
    }
  }

  /// Thrown if no key of the set fits. The provider may have changed its keys since the set was read.
  static let unknownKey: Message = "it is signed with a key that the provider does not publish"
}

/// The digest that identifies a public key (RFC 7638 section 3).
package enum Thumbprint {
  /// Returns nil for a key of an unknown kind.
  package static func text(of key: JSONObject, _ cryptography: any Cryptography) throws(Failure) -> String? {
    guard let kind = key["kty"]?.string, let names = required[kind] else { return nil }
    var members = JSONObject()
    for name in names {
      guard let value = key[name] else { return nil }
      members[name] = value
    }
    return Base64.encodeURLSafe(try cryptography.digest(.sha256, of: Array(members.text.utf8)))
  }

  /// The members that are hashed, in their order (RFC 7638 section 3.2, RFC 8037 section 2).
  private static let required: [String: [String]] = [
    "EC": ["crv", "kty", "x", "y"], "OKP": ["crv", "kty", "x"], "RSA": ["e", "kty", "n"],
  ]
}
