@testable import LoginCore

/// Fast digests and signatures without any security.
struct PlainCryptography: Cryptography, SignatureCryptography {
  var signatures: (any SignatureCryptography)? { self }

  func randomBytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 7, count: count) }

  func digest(_ algorithm: DigestAlgorithm, of bytes: [UInt8]) -> [UInt8] {
    Self.mixed(bytes, algorithm.size)
  }

  func verify(
    _ signature: [UInt8], of message: [UInt8], with key: VerificationKey, algorithm: SignatureAlgorithm
  ) -> Bool {
    signature == Self.mixed(message, signature.count)
  }

  func newProofKey() -> any SigningKey { PlainKey() }

  func proofKey(_ jwk: JSONObject) -> (any SigningKey)? { nil }

  func clientKey(_ text: String) -> (any SigningKey)? { nil }

  /// Returns `count` bytes that depend on every byte of the message.
  static func mixed(_ message: [UInt8], _ count: Int) -> [UInt8] {
    var sum: UInt64 = 14_695_981_039_346_656_037
    for byte in message { sum = (sum ^ UInt64(byte)) &* 1_099_511_628_211 }
    return (0..<count).map { UInt8(truncatingIfNeeded: sum >> (8 * UInt64($0 % 8))) }
  }
}

/// A key for the signatures of ``PlainCryptography``.
struct PlainKey: SigningKey {
  var algorithm = SignatureAlgorithm.es256
  var publicKey: JSONObject {
    let half = Base64.encodeURLSafe([UInt8](repeating: 1, count: 32))
    return ["kty": "EC", "crv": "P-256", "kid": "k", "x": .string(half), "y": .string(half)]
  }

  func privateKey() -> JSONObject { publicKey }

  func sign(_ message: [UInt8]) -> [UInt8] { PlainCryptography.mixed(message, 64) }
}
