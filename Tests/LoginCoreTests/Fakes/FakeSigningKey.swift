@testable import LoginCore

/// A key whose signatures are long enough and anybody can make.
struct FakeSigningKey: SigningKey {
  var algorithm = SignatureAlgorithm.rs256
  var publicKey: JSONObject = FakeSigningKey.rsa()

  func sign(_ message: [UInt8]) throws(Failure) -> [UInt8] {
    Self.signature(of: message, algorithm: algorithm)
  }

  func privateKey() throws(Failure) -> JSONObject {
    var members = publicKey
    members["d"] = "private"
    return members
  }

  /// Depends on every byte of the message and on the algorithm.
  static func signature(of message: [UInt8], algorithm: SignatureAlgorithm) -> [UInt8] {
    var sum: UInt64 = 14_695_981_039_346_656_037
    for byte in message + Array(algorithm.rawValue.utf8) { sum = (sum ^ UInt64(byte)) &* 1_099_511_628_211 }
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: sum >> (8 * UInt64($0))) }
    return (0..<size(algorithm)).map { bytes[$0 % 8] }
  }

  private static func size(_ algorithm: SignatureAlgorithm) -> Int {
    switch algorithm.scheme {
    case .rsaPKCS1, .rsaPSS: 256
    case .ecdsa(let curve): 2 * curve.coordinateSize
    case .edDSA: 64
    case .hmac: algorithm.digest.size
    }
  }

  /// A JWK whose modulus has this many bits, with further members.
  static func rsa(bits: Int = 2_048, _ members: JSONObject = [:]) -> JSONObject {
    var modulus = [UInt8](repeating: 0xFF, count: (bits + 7) / 8)
    if bits % 8 != 0 { modulus[0] = 0xFF >> UInt8(8 - bits % 8) }
    var key: JSONObject = ["kty": "RSA", "n": .string(Base64.encodeURLSafe(modulus)), "e": "AQAB"]
    for member in members { key[member.name] = member.value }
    return key
  }

  /// A JWK of a curve, with further members.
  static func ec(_ curve: EllipticCurve = .p256, _ members: JSONObject = [:]) -> JSONObject {
    let coordinate = Base64.encodeURLSafe([UInt8](repeating: 1, count: curve.coordinateSize))
    var key: JSONObject = [
      "kty": "EC", "crv": .string(curve.rawValue), "x": .string(coordinate), "y": .string(coordinate),
    ]
    for member in members { key[member.name] = member.value }
    return key
  }
}
