import Glibc
import LoginCore

/// What a login with PKCE and without id_tokens needs, and no more: random bytes of the system and SHA-256.
struct PlainCryptography: Cryptography {
  /// What it cannot do.
  enum Fault: ApplicationFault {
    case noRandomBytes, noSuchDigest, noSignatures

    var concernsOthers: Bool { true }
  }

  func randomBytes(_ count: Int) throws(Failure) -> [UInt8] {
    guard let file = fopen("/dev/urandom", "r") else { throw .application(Fault.noRandomBytes) }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    guard fread(&bytes, 1, count, file) == count else { throw .application(Fault.noRandomBytes) }
    return bytes
  }

  func digest(_ algorithm: DigestAlgorithm, of bytes: [UInt8]) throws(Failure) -> [UInt8] {
    guard algorithm == .sha256 else { throw .application(Fault.noSuchDigest) }
    return SHA256.digest(of: bytes)
  }

  func verify(
    _ signature: [UInt8], of message: [UInt8], with key: VerificationKey, algorithm: SignatureAlgorithm
  ) throws(Failure) -> Bool { throw .application(Fault.noSignatures) }

  func newProofKey() throws(Failure) -> any SigningKey { throw .application(Fault.noSignatures) }

  func proofKey(_ jwk: JSONObject) throws(Failure) -> (any SigningKey)? { nil }
}

/// The time of the system.
struct SystemClock: WallClock {
  func now() -> UTCDate {
    guard let now = UTCDate(secondsSince1970: Int64(time(nil))) else { fatalError("after the year 9999") }
    return now
  }

  func wait(seconds: Int64) async throws(Failure) {
    do { try await Task.sleep(for: .seconds(seconds)) } catch { throw .user(.cancelled(.task)) }
  }
}
