import Synchronization

@testable import LoginCore

/// Predictable random bytes, digests from a table, and signatures of ``FakeSigningKey``. Records the requests for random
/// bytes.
struct FakeCryptography: Cryptography, SignatureCryptography {
  private let counter = Counter()
  /// The digests that it knows, by their input.
  var digests: [[UInt8]: [UInt8]] = [:]
  /// The failure of every call, if there is one.
  var failure: Failure?
  /// False for a cryptography without signatures.
  var hasSignatures = true

  var signatures: (any SignatureCryptography)? { hasSignatures ? self : nil }

  /// Answers the n-th request with bytes that all are n.
  func randomBytes(_ count: Int) throws(Failure) -> [UInt8] {
    if let failure { throw failure }
    return [UInt8](repeating: counter.note(count), count: count)
  }

  func digest(_ algorithm: DigestAlgorithm, of bytes: [UInt8]) throws(Failure) -> [UInt8] {
    guard let digest = digests[bytes] else { throw Samples.defect }
    return digest
  }

  func verify(
    _ signature: [UInt8], of message: [UInt8], with key: VerificationKey, algorithm: SignatureAlgorithm
  ) throws(Failure) -> Bool {
    if let failure { throw failure }
    return signature == FakeSigningKey.signature(of: message, algorithm: algorithm)
  }

  /// The key has an unknown type, so its thumbprint is never computed.
  func newProofKey() throws(Failure) -> any SigningKey {
    FakeSigningKey(algorithm: .es256, publicKey: ["kty": "new"])
  }

  /// Returns nil for a key without the private member of ``FakeSigningKey``.
  func proofKey(_ jwk: JSONObject) throws(Failure) -> (any SigningKey)? {
    guard jwk["d"] == "private" else { return nil }
    var key = FakeSigningKey(algorithm: .es256, publicKey: jwk)
    key.publicKey["d"] = nil
    return key
  }

  /// Takes a text for a key if it says so.
  func clientKey(_ text: String) throws(Failure) -> (any SigningKey)? {
    text.contains("PRIVATE") ? FakeSigningKey(algorithm: .es256, publicKey: ["kty": "client"]) : nil
  }

  /// The number of random bytes in each request.
  var counts: [Int] { counter.counts }
}

/// Shared by the copies of a fake.
private final class Counter: Sendable {
  private let asked = Mutex<[Int]>([])

  var counts: [Int] { asked.withLock { $0 } }

  func note(_ count: Int) -> UInt8 {
    asked.withLock { asked in
      asked.append(count)
      return UInt8(asked.count)
    }
  }
}

/// The example of RFC 7636 appendix B.
extension FakeCryptography {
  static let codeVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  static let codeChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

  /// Knows the digests of the refresh tokens `R1` and `R2`.
  static let refreshTokens = FakeCryptography(digests: [Array("R1".utf8): [1], Array("R2".utf8): [2]])

  /// Knows the digest of ``codeVerifier``.
  static var appendixB: FakeCryptography {
    FakeCryptography(
      digests: [
        Array(codeVerifier.utf8): [
          19, 211, 30, 150, 26, 26, 216, 236, 47, 22, 177, 12, 76, 152, 46, 8, 118, 168, 120, 173, 109, 241,
          68, 86, 110, 225, 137, 74, 203, 112, 249, 195,
        ]
      ])
  }
}

/// A key whose signatures have the right size, and which anybody can make.
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

  /// Depends on the algorithm and on every byte of the message.
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

  /// Returns a JWK with a modulus of this size and with further members.
  static func rsa(bits: Int = 2_048, _ members: JSONObject = [:]) -> JSONObject {
    var modulus = [UInt8](repeating: 0xFF, count: (bits + 7) / 8)
    if bits % 8 != 0 { modulus[0] = 0xFF >> UInt8(8 - bits % 8) }
    var key: JSONObject = ["kty": "RSA", "n": .string(Base64.encodeURLSafe(modulus)), "e": "AQAB"]
    for member in members { key[member.name] = member.value }
    return key
  }

  /// Returns a JWK on a curve, with further members.
  static func ec(_ curve: EllipticCurve = .p256, _ members: JSONObject = [:]) -> JSONObject {
    let coordinate = Base64.encodeURLSafe([UInt8](repeating: 1, count: curve.coordinateSize))
    var key: JSONObject = [
      "kty": "EC", "crv": .string(curve.rawValue), "x": .string(coordinate), "y": .string(coordinate),
    ]
    for member in members { key[member.name] = member.value }
    return key
  }
}
