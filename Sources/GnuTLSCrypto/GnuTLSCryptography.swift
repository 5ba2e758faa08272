import CGnuTLS
import LoginCore

/// Random bytes and digests from GnuTLS.
public struct GnuTLSCryptography: Cryptography {
  public init() {}

  public func randomBytes(_ count: Int) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    try check(gnutls_rnd(GNUTLS_RND_KEY, &bytes, count), "random bytes")
    return bytes
  }

  public func sha256(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(gnutls_hash_get_len(GNUTLS_DIG_SHA256)))
    try check(gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes, bytes.count, &digest), "SHA-256")
    return digest
  }

  private func check(_ result: Int32, _ what: String) throws(Failure) {
    guard result >= 0 else { throw .defect("\(what): \(String(cString: gnutls_strerror(result)))") }
  }
}
