@testable import LoginCore

extension Check {
  /// The keys that providers publish.
  static let keys = Check(growing: [
    ("keys", { elements($0, from: "{\"keys\":[", to: "]}") { "{\"kty\":\"x\($0)\"}" } }),
    ("operations", { elements($0, from: operations, to: "]}]}") { "\"o\($0)\"" } }),
    (
      "modulus",
      {
        pieces($0, from: "{\"keys\":[{\"kty\":\"RSA\",\"e\":\"AQAB\",\"n\":\"", to: "\"}]}") { _ in "AAAA" }
      }
    ),
  ]
  ) { bytes in
    let set: JWKSet
    do throws(Failure) { set = try JWKSet(body: bytes) } catch { return checkText(of: error) }
    for jwk in set.keys {
      switch jwk.key {
      case .rsa(let key):
        require(
          (256...2_048).contains(key.modulus.count),
          "an RSA key has a sufficient length, not \(key.modulus.count) bytes")
        require(
          key.modulus.first != 0 && (key.modulus.last ?? 0) & 1 == 1,
          "a modulus is odd and has no leading zeros")
        require((1...8).contains(key.exponent.count) && key.exponent != [1], "an exponent has a usual size")
        require((key.exponent.last ?? 0) & 1 == 1, "an exponent is odd")
      case .ec(let key):
        require(
          key.x.count == key.curve.coordinateSize && key.y.count == key.x.count,
          "coordinates have the length of the curve")
      case .ed25519(let key): require(key.bytes.count == 32, "a key of Ed25519 has 32 bytes")
      case .hmac: require(false, "a published key is not a secret")
      }
      for algorithm in SignatureAlgorithm.allCases where jwk.fits(algorithm) {
        require(!algorithm.isSymmetric, "a published key does not fit \(algorithm)")
        require(jwk.key.signatureSize(algorithm) > 0, "a signature has a length")
      }
    }
    checkThumbprints(bytes)
  }

  private static let operations = "{\"keys\":[{\"kty\":\"RSA\",\"key_ops\":["

  private static func checkThumbprints(_ bytes: [UInt8]) {
    for key in (try? JSONReader.read(bytes))?.object?["keys"]?.array ?? [] {
      guard let key = key.object else { continue }
      let first = try? Thumbprint.text(of: key, PlainCryptography())
      var other = key
      other["kid"] = "another"
      require(
        (try? Thumbprint.text(of: other, PlainCryptography())) == first,
        "the identifier does not change the thumbprint"
      )
    }
  }
}
