import CGnuTLS
import LoginCore

/// A private key. One that was generated here is exported to be stored with the tokens that are bound to it.
package final class GnuTLSSigningKey: SigningKey, @unchecked Sendable {  // GnuTLS only reads the key
  package let algorithm: SignatureAlgorithm
  package let publicKey: JSONObject

  private let key: PrivateKey

  /// The minimum of RFC 7518 section 3.3.
  static let rsaBits: UInt32 = 2_048

  /// Generates a key for an asymmetric algorithm.
  package init(generating algorithm: SignatureAlgorithm) throws(Failure) {
    let (kind, bits) = try Self.kind(algorithm)
    let created = try PrivateKey()
    try check(gnutls_privkey_generate(created.pointer, kind, bits, 0))
    publicKey = try Self.publicKey(of: created.pointer, algorithm)
    key = created
    self.algorithm = algorithm
  }

  /// Reads the JWK that ``privateKey()`` wrote. Returns nil if it is not an ES256 key.
  package init?(privateKey json: JSONObject) throws(Failure) {
    func bytes(_ name: String) -> [UInt8]? { json[name]?.string.flatMap { Base64.decodeURLSafe($0) } }
    let curve = EllipticCurve.p256
    guard json["kty"] == "EC", json["crv"] == .string(curve.rawValue), let x = bytes("x"), let y = bytes("y"),
      let k = bytes("d"), [x, y, k].allSatisfy({ $0.count == curve.coordinateSize })
    else { return nil }
    let created = try PrivateKey()
    let pointer = created.pointer
    let result = withDatum(x) { x in
      withDatum(y) { y in
        withDatum(k) { gnutls_privkey_import_ecc_raw(pointer, curve.curve, x, y, $0) }
      }
    }
    guard result >= 0, gnutls_privkey_verify_params(pointer) >= 0 else { return nil }
    publicKey = try Self.publicKey(of: pointer, .es256)
    key = created
    algorithm = .es256
  }

  /// Takes over a key that others have made.
  init(_ key: consuming PrivateKey, _ algorithm: SignatureAlgorithm) throws(Failure) {
    publicKey = try Self.publicKey(of: key.pointer, algorithm)
    self.key = key
    self.algorithm = algorithm
  }

  /// Returns the key as a JWK with its private member (RFC 7518 section 6.2.2). This works for ES256 keys only, since no
  /// others are stored.
  package func privateKey() throws(Failure) -> JSONObject {
    guard algorithm == .es256 else { throw .defect(algorithm.rawValue) }
    var k = gnutls_datum_t()
    let flags = UInt32(GNUTLS_EXPORT_FLAG_NO_LZ.rawValue)
    try check(gnutls_privkey_export_ecc_raw2(key.pointer, nil, nil, nil, &k, flags))
    var members = publicKey
    members["d"] = .string(Base64.encodeURLSafe(k.take().padded(to: EllipticCurve.p256.coordinateSize)))
    return members
  }

  package func sign(_ message: [UInt8]) throws(Failure) -> [UInt8] {
    guard let name = algorithm.signature else { throw .defect(algorithm.rawValue) }
    var signature = gnutls_datum_t()
    let pointer = key.pointer
    try check(withDatum(message) { gnutls_privkey_sign_data2(pointer, name, 0, $0, &signature) })
    guard case .ecdsa(let curve) = algorithm.scheme else { return signature.take() }
    var (r, s) = (gnutls_datum_t(), gnutls_datum_t())
    let result = withDatum(signature.take()) { gnutls_decode_rs_value($0, &r, &s) }
    try check(result)
    return r.take().padded(to: curve.coordinateSize) + s.take().padded(to: curve.coordinateSize)
  }

  private static func kind(
    _ algorithm: SignatureAlgorithm
  ) throws(Failure) -> (gnutls_pk_algorithm_t, UInt32) {
    switch algorithm.scheme {
    case .rsaPKCS1, .rsaPSS: (GNUTLS_PK_RSA, rsaBits)
    case .ecdsa(let curve): (GNUTLS_PK_ECDSA, 1 << 31 | UInt32(curve.curve.rawValue))  // GNUTLS_CURVE_TO_BITS
    case .edDSA: (GNUTLS_PK_EDDSA_ED25519, 256)
    case .hmac: throw .defect(algorithm.rawValue)
    }
  }

  private static func publicKey(
    of key: gnutls_privkey_t, _ algorithm: SignatureAlgorithm
  ) throws(Failure) -> JSONObject {
    var created: gnutls_pubkey_t?
    try check(gnutls_pubkey_init(&created))
    defer { gnutls_pubkey_deinit(created) }
    try check(gnutls_pubkey_import_privkey(created, key, 0, 0))
    var (first, second) = (gnutls_datum_t(), gnutls_datum_t())
    let flags = UInt32(GNUTLS_EXPORT_FLAG_NO_LZ.rawValue)
    var members: JSONObject = ["alg": .string(algorithm.rawValue), "use": "sig"]
    switch algorithm.scheme {
    case .rsaPKCS1, .rsaPSS, .hmac:
      try check(gnutls_pubkey_export_rsa_raw2(created, &first, &second, flags))
      members["kty"] = "RSA"
      members["n"] = .string(Base64.encodeURLSafe(first.take()))
      members["e"] = .string(Base64.encodeURLSafe(second.take()))
    case .ecdsa(let curve):
      try check(gnutls_pubkey_export_ecc_raw2(created, nil, &first, &second, flags))
      members["kty"] = "EC"
      members["crv"] = .string(curve.rawValue)
      members["x"] = .string(Base64.encodeURLSafe(first.take().padded(to: curve.coordinateSize)))
      members["y"] = .string(Base64.encodeURLSafe(second.take().padded(to: curve.coordinateSize)))
    case .edDSA:
      try check(gnutls_pubkey_export_ecc_raw2(created, nil, &first, nil, flags))
      members["kty"] = "OKP"
      members["crv"] = "Ed25519"
      members["x"] = .string(Base64.encodeURLSafe(first.take()))
    }
    return members
  }
}

/// A private key of GnuTLS.
struct PrivateKey: ~Copyable {
  let pointer: gnutls_privkey_t

  init() throws(Failure) {
    var created: gnutls_privkey_t?
    try check(gnutls_privkey_init(&created))
    guard let created else { throw .defect() }
    pointer = created
  }

  deinit { gnutls_privkey_deinit(pointer) }
}

extension [UInt8] {
  /// Returns a big-endian number as exactly `size` bytes.
  fileprivate func padded(to size: Int) -> [UInt8] {
    let digits = drop { $0 == 0 }
    return [UInt8](repeating: 0, count: Swift.max(0, size - digits.count)) + digits
  }
}
