import GnuTLSCrypto
import LoginCore

/// HMAC with SHA-256 as FIPS 198-1 writes it, of which the port has only the verifying half.
public func hmacSHA256(_ text: String, _ secret: [UInt8]) throws -> [UInt8] {
  let cryptography = GnuTLSCryptography()
  var key = secret.count > 64 ? try cryptography.digest(.sha256, of: secret) : secret
  key += [UInt8](repeating: 0, count: 64 - key.count)
  let inner = try cryptography.digest(.sha256, of: key.map { $0 ^ 0x36 } + Array(text.utf8))
  return try cryptography.digest(.sha256, of: key.map { $0 ^ 0x5C } + inner)
}
