import Synchronization

@testable import LoginCore

/// Random bytes that are not random, digests from a table, and signatures that anybody can make; it records
/// what it was asked.
struct FakeCryptography: Cryptography {
  /// What is returned in place of random bytes: the n-th request is answered with bytes that all are n.
  private let counter = Counter()
  /// The digests it knows.
  var digests: [[UInt8]: [UInt8]] = [:]
  /// What it throws instead of answering.
  var failure: Failure?

  func randomBytes(_ count: Int) throws(Failure) -> [UInt8] {
    if let failure { throw failure }
    return [UInt8](repeating: counter.note(count), count: count)
  }

  func digest(_ algorithm: DigestAlgorithm, of bytes: [UInt8]) throws(Failure) -> [UInt8] {
    guard let digest = digests[bytes] else { throw Samples.defect }
    return digest
  }

  /// A signature is right if it is the one of ``FakeSigningKey``.
  func verify(
    _ signature: [UInt8], of message: [UInt8], with key: VerificationKey, algorithm: SignatureAlgorithm
  ) throws(Failure) -> Bool {
    if let failure { throw failure }
    return signature == FakeSigningKey.signature(of: message, algorithm: algorithm)
  }

  /// One whose thumbprint no table of digests needs to know.
  func newProofKey() throws(Failure) -> any SigningKey {
    FakeSigningKey(algorithm: .es256, publicKey: ["kty": "new"])
  }

  /// A key is one if it has the private member of ``FakeSigningKey``.
  func proofKey(_ jwk: JSONObject) throws(Failure) -> (any SigningKey)? {
    guard jwk["d"] == "private" else { return nil }
    var key = FakeSigningKey(algorithm: .es256, publicKey: jwk)
    key.publicKey["d"] = nil
    return key
  }

  /// How many bytes were asked for each time.
  var counts: [Int] { counter.counts }
}

/// What the copies of a fake share.
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

extension FakeCryptography {
  /// RFC 7636 appendix B.
  static let codeVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  /// RFC 7636 appendix B.
  static let codeChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

  /// Knows the digest of RFC 7636 appendix B.
  static var appendixB: FakeCryptography {
    FakeCryptography(
      digests: [
        Array(codeVerifier.utf8): [
          19, 211, 30, 150, 26, 26, 216, 236, 47, 22, 177, 12, 76, 152, 46, 8, 118, 168, 120, 173, 109, 241,
          68,
          86, 110, 225, 137, 74, 203, 112, 249, 195,
        ]
      ])
  }
}
