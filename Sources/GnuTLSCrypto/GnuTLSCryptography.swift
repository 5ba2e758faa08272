import CGnuTLS
import LoginCore

/// Random bytes, digests and signatures from GnuTLS.
package struct GnuTLSCryptography: Cryptography, SignatureCryptography {
  package init() {}

  package var signatures: (any SignatureCryptography)? { self }

  package func randomBytes(_ count: Int) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    try check(gnutls_rnd(GNUTLS_RND_KEY, &bytes, count))
    return bytes
  }

  package func digest(_ algorithm: DigestAlgorithm, of bytes: [UInt8]) throws(Failure) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: algorithm.size)
    try check(gnutls_hash_fast(algorithm.digest, bytes, bytes.count, &digest))
    return digest
  }

  package func verify(
    _ signature: [UInt8], of message: [UInt8], with key: VerificationKey, algorithm: SignatureAlgorithm
  ) throws(Failure) -> Bool {
    if case .hmac(let key) = key {
      return try isAuthenticator(signature, of: message, key: key, algorithm: algorithm.digest)
    }
    guard let publicKey = try PublicKey(key) else { return false }
    return try publicKey.verify(signature, of: message, algorithm: algorithm)
  }

  package func newProofKey() throws(Failure) -> any SigningKey { try GnuTLSSigningKey(generating: .es256) }

  package func proofKey(_ jwk: JSONObject) throws(Failure) -> (any SigningKey)? {
    try GnuTLSSigningKey(privateKey: jwk)
  }

  package func clientKey(_ text: String) throws(Failure) -> (any SigningKey)? {
    try GnuTLSSigningKey(clientKey: text)
  }

  /// Returns the SHA-256 digest of the public key in a certificate in DER (RFC 7469 section 2.4).
  package func publicKeyDigest(ofCertificate der: [UInt8]) throws(Failure) -> [UInt8] {
    var created: gnutls_x509_crt_t?
    try check(gnutls_x509_crt_init(&created))
    guard let certificate = created else { throw .defect() }
    defer { gnutls_x509_crt_deinit(certificate) }
    try check(withDatum(der) { gnutls_x509_crt_import(certificate, $0, GNUTLS_X509_FMT_DER) })
    var digest = [UInt8](repeating: 0, count: 32)
    var size = digest.count
    try check(
      gnutls_x509_crt_get_key_id(certificate, UInt32(GNUTLS_KEYID_USE_SHA256.rawValue), &digest, &size))
    return digest
  }

  private func isAuthenticator(
    _ received: [UInt8], of message: [UInt8], key: HMACKey, algorithm: DigestAlgorithm
  ) throws(Failure) -> Bool {
    var computed = [UInt8](repeating: 0, count: algorithm.size)
    let (secret, text) = (key.bytes, message)
    try check(
      gnutls_hmac_fast(algorithm.authenticator, secret, secret.count, text, text.count, &computed))
    return received.count == computed.count && gnutls_memcmp(received, computed, computed.count) == 0
  }
}

/// A public key of GnuTLS.
private final class PublicKey {
  private let key: gnutls_pubkey_t

  /// Returns nil if the numbers are not a valid key.
  init?(_ key: VerificationKey) throws(Failure) {
    var created: gnutls_pubkey_t?
    try check(gnutls_pubkey_init(&created))
    guard let created else { throw .defect() }
    self.key = created
    guard let result = Self.fill(created, with: key) else { throw .defect() }
    if result < 0 { return nil }
  }

  deinit { gnutls_pubkey_deinit(key) }

  private static func fill(_ created: gnutls_pubkey_t, with key: VerificationKey) -> Int32? {
    switch key {
    case .rsa(let key):
      withDatum(key.modulus) { modulus in
        withDatum(key.exponent) { gnutls_pubkey_import_rsa_raw(created, modulus, $0) }
      }
    case .ec(let key):
      withDatum(key.x) { x in
        withDatum(key.y) { gnutls_pubkey_import_ecc_raw(created, key.curve.curve, x, $0) }
      }
    case .ed25519(let key):
      withDatum(key.bytes) { gnutls_pubkey_import_ecc_raw(created, GNUTLS_ECC_CURVE_ED25519, $0, nil) }
    case .hmac: nil
    }
  }

  /// Returns true if the signature is valid. GnuTLS has many error codes for invalid ones, such as a point that is not on
  /// the curve; all of them mean false.
  func verify(
    _ signature: [UInt8], of message: [UInt8], algorithm: SignatureAlgorithm
  ) throws(Failure) -> Bool {
    guard let name = algorithm.signature else { throw .defect(algorithm.rawValue) }
    let encoded = try algorithm.isECDSA ? Self.encoded(signature) : signature
    return withDatum(message) { message in
      withDatum(encoded) { gnutls_pubkey_verify_data2(key, name, 0, message, $0) }
    } >= 0
  }

  /// Returns the two halves of a signature (RFC 7518 section 3.4) as the DER sequence that GnuTLS reads.
  private static func encoded(_ signature: [UInt8]) throws(Failure) -> [UInt8] {
    let half = signature.count / 2
    var encoded = gnutls_datum_t()
    let result = withDatum(Array(signature[..<half])) { r in
      withDatum(Array(signature[half...])) { gnutls_encode_rs_value(&encoded, r, $0) }
    }
    try check(result)
    return encoded.take()
  }
}

extension SignatureAlgorithm {
  fileprivate var isECDSA: Bool { if case .ecdsa = scheme { true } else { false } }
}

/// GnuTLS's names for JOSE's algorithms.
extension DigestAlgorithm {
  fileprivate var digest: gnutls_digest_algorithm_t {
    switch self {
    case .sha256: GNUTLS_DIG_SHA256
    case .sha384: GNUTLS_DIG_SHA384
    case .sha512: GNUTLS_DIG_SHA512
    }
  }

  fileprivate var authenticator: gnutls_mac_algorithm_t {
    switch self {
    case .sha256: GNUTLS_MAC_SHA256
    case .sha384: GNUTLS_MAC_SHA384
    case .sha512: GNUTLS_MAC_SHA512
    }
  }
}

extension SignatureAlgorithm {
  /// Nil for HMAC, which is not a signature in GnuTLS.
  var signature: gnutls_sign_algorithm_t? {
    switch self {
    case .rs256: GNUTLS_SIGN_RSA_SHA256
    case .rs384: GNUTLS_SIGN_RSA_SHA384
    case .rs512: GNUTLS_SIGN_RSA_SHA512
    case .ps256: GNUTLS_SIGN_RSA_PSS_SHA256
    case .ps384: GNUTLS_SIGN_RSA_PSS_SHA384
    case .ps512: GNUTLS_SIGN_RSA_PSS_SHA512
    case .es256: GNUTLS_SIGN_ECDSA_SHA256
    case .es384: GNUTLS_SIGN_ECDSA_SHA384
    case .es512: GNUTLS_SIGN_ECDSA_SHA512
    case .edDSA: GNUTLS_SIGN_EDDSA_ED25519
    case .hs256, .hs384, .hs512: nil
    }
  }
}

extension EllipticCurve {
  var curve: gnutls_ecc_curve_t {
    switch self {
    case .p256: GNUTLS_ECC_CURVE_SECP256R1
    case .p384: GNUTLS_ECC_CURVE_SECP384R1
    case .p521: GNUTLS_ECC_CURVE_SECP521R1
    }
  }
}

/// Throws if the result of a GnuTLS function is an error code.
func check(
  _ result: Int32, _ file: StaticString = #fileID, _ line: UInt = #line
) throws(Failure) {
  if result < 0 { throw .defect(String(cString: gnutls_strerror(result)), file, line) }
}

/// Calls `body` with bytes as GnuTLS takes them.
func withDatum<Result>(_ bytes: [UInt8], _ body: (UnsafePointer<gnutls_datum_t>) -> Result) -> Result {
  var bytes = bytes  // GnuTLS only reads them, but its type is not const
  return bytes.withUnsafeMutableBufferPointer { buffer in
    var datum = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
    return body(&datum)
  }
}

extension gnutls_datum_t {
  /// Copies the bytes that GnuTLS has allocated, and frees them.
  mutating func take() -> [UInt8] {
    defer {
      tokentry_gnutls_free(data)
      self = gnutls_datum_t()
    }
    return Array(UnsafeBufferPointer(start: data, count: Int(size)))
  }
}

/// The certificate authorities that this machine trusts, as every program on GnuTLS sees them.
package enum SystemTrust {
  /// The number of authorities, or zero if they cannot be read.
  package static var authorityCount: Int {
    var list: gnutls_x509_trust_list_t?
    guard gnutls_x509_trust_list_init(&list, 0) == 0 else { return 0 }
    defer { gnutls_x509_trust_list_deinit(list, 1) }
    return max(0, Int(gnutls_x509_trust_list_add_system_trust(list, 0, 0)))
  }
}
