import CGnuTLS
import LoginCore

/// The private keys of clients, which others have made.
extension GnuTLSSigningKey {
  /// Reads a key in PEM (PKCS #8 or the older forms, not encrypted) or in a JWK (RFC 7518 section 6). A JWK may name the
  /// algorithm of its signatures. The default for RSA is RS256, which every server supports.
  convenience init?(clientKey text: String) throws(Failure) {
    let key = try PrivateKey()
    let json = (try? JSONReader.read(Array(text.utf8)))?.object
    let result = json.map { Self.fill(key.pointer, from: $0) } ?? Self.fill(key.pointer, fromPEM: text)
    guard let result, result >= 0, gnutls_privkey_verify_params(key.pointer) >= 0,
      let algorithm = Self.algorithm(of: key.pointer, json?["alg"])
    else { return nil }
    try self.init(key, algorithm)
  }

  private static func fill(_ key: gnutls_privkey_t, fromPEM text: String) -> Int32? {
    withDatum(Array(text.utf8)) { gnutls_privkey_import_x509_raw(key, $0, GNUTLS_X509_FMT_PEM, nil, 0) }
  }

  private static func fill(_ key: gnutls_privkey_t, from json: JSONObject) -> Int32? {
    func bytes(_ name: String) -> [UInt8]? { json[name]?.string.flatMap { Base64.decodeURLSafe($0) } }
    switch (json["kty"], json["crv"]?.string) {
    case ("RSA", _):
      guard let n = bytes("n"), let e = bytes("e"), let d = bytes("d"), let p = bytes("p"), let q = bytes("q")
      else { return nil }
      return withDatum(n) { n in
        withDatum(e) { e in
          withDatum(d) { d in
            withDatum(p) { p in
              withDatum(q) { gnutls_privkey_import_rsa_raw(key, n, e, d, p, $0, nil, nil, nil) }
            }
          }
        }
      }
    case ("EC", let name?):
      guard let curve = EllipticCurve(rawValue: name), let x = bytes("x"), let y = bytes("y"),
        let k = bytes("d"), [x, y, k].allSatisfy({ $0.count == curve.coordinateSize })
      else { return nil }
      return withDatum(x) { x in
        withDatum(y) { y in withDatum(k) { gnutls_privkey_import_ecc_raw(key, curve.curve, x, y, $0) } }
      }
    case ("OKP", "Ed25519"):
      guard let x = bytes("x"), let k = bytes("d"), x.count == 32, k.count == 32 else { return nil }
      return withDatum(x) { x in
        withDatum(k) { gnutls_privkey_import_ecc_raw(key, GNUTLS_ECC_CURVE_ED25519, x, nil, $0) }
      }
    default: return nil
    }
  }

  /// Returns the algorithm that a JWK names, or else the usual one for the key. Returns nil for a key that is too weak, or
  /// that does not fit the name.
  private static func algorithm(of key: gnutls_privkey_t, _ name: JSONValue?) -> SignatureAlgorithm? {
    var bits: UInt32 = 0
    let fitting: [SignatureAlgorithm]
    switch gnutls_pk_algorithm_t(UInt32(max(0, gnutls_privkey_get_pk_algorithm(key, &bits)))) {
    case GNUTLS_PK_RSA: fitting = [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]
    case GNUTLS_PK_RSA_PSS: fitting = [.ps256, .ps384, .ps512]
    case GNUTLS_PK_ECDSA where bits == 256: return name.named(in: [.es256])
    case GNUTLS_PK_ECDSA where bits == 384: return name.named(in: [.es384])
    case GNUTLS_PK_ECDSA where bits == 521: return name.named(in: [.es512])
    case GNUTLS_PK_EDDSA_ED25519: return name.named(in: [.edDSA])
    default: return nil
    }
    return bits >= rsaBits ? name.named(in: fitting) : nil
  }
}

extension JSONValue? {
  /// Returns the algorithm that the value names if it is one of these. Without a value it is the first.
  fileprivate func named(in algorithms: [SignatureAlgorithm]) -> SignatureAlgorithm? {
    guard let self else { return algorithms.first }
    return algorithms.first { self == .string($0.rawValue) }
  }
}
