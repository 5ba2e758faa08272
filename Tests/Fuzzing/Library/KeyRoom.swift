@testable import LoginCore

extension Room {
  /// The keys that providers publish.
  static let keys = Room(
    name: "keys", longest: 1_536,
    growing: [
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
    do throws(Failure) { set = try JWKSet(body: bytes) } catch { return checkWords(of: error) }
    for jwk in set.keys {
      switch jwk.key {
      case .rsa(let key):
        demand((256...2_048).contains(key.modulus.count), "an RSA key of \(key.modulus.count) bytes")
        demand(key.modulus.first != 0 && (key.modulus.last ?? 0) & 1 == 1, "a modulus is odd, without zeros")
        demand((1...8).contains(key.exponent.count) && key.exponent != [1], "an exponent that is used")
        demand((key.exponent.last ?? 0) & 1 == 1, "an exponent is odd")
      case .ec(let key):
        demand(key.x.count == key.curve.coordinateSize && key.y.count == key.x.count, "a point of its curve")
      case .ed25519(let key): demand(key.bytes.count == 32, "a key of Ed25519")
      case .hmac: demand(false, "a secret that everybody can read is no key")
      }
      for algorithm in SignatureAlgorithm.allCases where jwk.fits(algorithm) {
        demand(!algorithm.isSymmetric, "\(algorithm) needs a secret")
        demand(jwk.key.signatureSize(algorithm) > 0, "a signature has a length")
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
      demand(
        (try? Thumbprint.text(of: other, PlainCryptography())) == first, "what names a key does not change it"
      )
    }
  }
}
