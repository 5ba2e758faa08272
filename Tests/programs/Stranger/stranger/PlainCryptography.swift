import Glibc
import LoginCore

/// The cryptography for a login with PKCE and without an id_token: the system's random bytes, and SHA-256.
struct PlainCryptography: Cryptography {
  private var noRandomBytes: Failure { Failure(.internalError, "there are no random bytes") }

  func randomBytes(_ count: Int) throws(Failure) -> [UInt8] {
    guard let file = fopen("/dev/urandom", "r") else { throw noRandomBytes }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    guard fread(&bytes, 1, count, file) == count else { throw noRandomBytes }
    return bytes
  }

  func digest(_ algorithm: DigestAlgorithm, of bytes: [UInt8]) throws(Failure) -> [UInt8] {
    guard algorithm == .sha256 else { throw Failure(.internalError, "only SHA-256 is supported") }
    return SHA256.digest(of: bytes)
  }
}

/// The system's clock.
struct SystemClock: WallClock {
  func now() -> UTCDate {
    guard let now = UTCDate(secondsSince1970: Int64(time(nil))) else { fatalError("after the year 9999") }
    return now
  }

  func wait(seconds: Int64) async throws(Failure) {
    do { try await Task.sleep(for: .seconds(seconds)) } catch { throw .cancelled }
  }
}
