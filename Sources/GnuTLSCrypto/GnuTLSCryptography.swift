import CGnuTLS
import LoginCore

/// Random bytes, digests and signatures from GnuTLS.
public struct GnuTLSCryptography: Cryptography {
  public init() {}

  public func randomBytes(_ count: Int) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    try check(gnutls_rnd(GNUTLS_RND_KEY, &bytes, count))
    return bytes
  }

  public func digest(_ algorithm: DigestAlgorithm, of bytes: [UInt8]) throws(Failure) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: algorithm.size)
    try check(gnutls_hash_fast(algorithm.digest, bytes, bytes.count, &digest))
    return digest
  }

  public func verify(
    _ signature: [UInt8], of message: [UInt8], with key: VerificationKey, algorithm: SignatureAlgorithm
  ) throws(Failure) -> Bool {
    if case .hmac(let key) = key {
      return try isAuthenticator(signature, of: message, key: key, algorithm: algorithm.digest)
    }
    guard let publicKey = try PublicKey(key) else { return false }
    return try publicKey.verify(signature, of: message, algorithm: algorithm)
  }

  public func newProofKey() throws(Failure) -> any SigningKey { try GnuTLSSigningKey(generating: .es256) }

  public func proofKey(_ jwk: JSONObject) throws(Failure) -> (any SigningKey)? {
    try GnuTLSSigningKey(privateKey: jwk)
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

/// Turns what GnuTLS calls an error, and no answer, into a failure.
func check(
  _ result: Int32, _ file: StaticString = #fileID, _ line: UInt = #line
) throws(Failure) {
  if result < 0 { throw .defect(.here(String(cString: gnutls_strerror(result)), file, line)) }
}

/// The names that GnuTLS has for what JOSE calls otherwise.
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
  /// Nothing for HMAC, which GnuTLS does not count among the signatures.
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
