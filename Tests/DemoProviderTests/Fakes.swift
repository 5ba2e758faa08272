import DemoProvider
import LoginCore
import Synchronization

/// A signer whose signature is the length of what was signed, so that a test can tell it.
struct FakeSigner: SigningKey {
  let algorithm = SignatureAlgorithm.es256
  let publicKey: JSONObject = ["kty": "EC", "crv": "P-256", "kid": "key-1", "x": "AA", "y": "AA"]

  func sign(_ bytes: [UInt8]) throws(Failure) -> [UInt8] { Array("signed \(bytes.count)".utf8) }
  func privateKey() throws(Failure) -> JSONObject { throw .defect(.here()) }
}

/// A clock that a test sets.
final class FakeClock: WallClock {
  private let seconds = Mutex<Int64>(1_800_000_000)

  func now() -> UTCDate {
    guard let date = UTCDate(secondsSince1970: seconds.withLock { $0 }) else { preconditionFailure("a date") }
    return date
  }

  func wait(seconds: Int64) async throws(Failure) { advance(by: seconds) }

  func advance(by count: Int64) { seconds.withLock { $0 += count } }
}

/// Random bytes that are missing.
struct BrokenCryptography: Cryptography {
  func randomBytes(_ count: Int) throws(Failure) -> [UInt8] { throw .defect(.here()) }
  func digest(_ algorithm: DigestAlgorithm, of bytes: [UInt8]) throws(Failure) -> [UInt8] {
    [UInt8](repeating: 0, count: 32)
  }

  func verify(
    _ signature: [UInt8], of message: [UInt8], with key: VerificationKey, algorithm: SignatureAlgorithm
  ) throws(Failure) -> Bool { false }

  func newProofKey() throws(Failure) -> any SigningKey { FakeSigner() }
  func proofKey(_ jwk: JSONObject) throws(Failure) -> (any SigningKey)? { nil }
}
