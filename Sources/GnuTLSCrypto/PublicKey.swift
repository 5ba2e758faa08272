import CGnuTLS
import LoginCore

/// A public key in GnuTLS.
final class PublicKey {
  private let key: gnutls_pubkey_t

  /// Nothing for numbers that are no key.
  init?(_ key: VerificationKey) throws(Failure) {
    var created: gnutls_pubkey_t?
    try check(gnutls_pubkey_init(&created))
    guard let created else { throw .defect(.here()) }
    self.key = created
    guard let result = Self.fill(created, with: key) else { throw .defect(.here()) }
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

  /// Whether the signature is that of the message.
  ///
  /// GnuTLS says in many ways that it is not, such as that the point is not on the curve: all of them mean
  /// no.
  func verify(
    _ signature: [UInt8], of message: [UInt8], algorithm: SignatureAlgorithm
  ) throws(Failure) -> Bool {
    guard let name = algorithm.signature else { throw .defect(.here(algorithm.rawValue)) }
    let encoded = try algorithm.isECDSA ? Self.encoded(signature) : signature
    return withDatum(message) { message in
      withDatum(encoded) { gnutls_pubkey_verify_data2(key, name, 0, message, $0) }
    } >= 0
  }

  /// The two halves of a signature of RFC 7518 section 3.4 as the DER sequence that GnuTLS reads.
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
  var isECDSA: Bool { if case .ecdsa = scheme { true } else { false } }
}
