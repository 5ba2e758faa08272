import CGnuTLS
import LoginCore

/// Reads a client certificate and its key from files in PEM or PKCS#12 (RFC 7292).
package enum CertificateFile {
  package enum ReadError: Error, Sendable, Equatable {
    /// The file is neither PEM with a certificate nor PKCS#12.
    case noCertificate
    /// There is no private key.
    case noKey
    /// The key belongs to another certificate.
    case otherKey
    /// The key needs a passphrase, and the given one, if any, is wrong.
    case locked
  }

  /// Returns the certificates, the client's first, and the key as PEM that needs no passphrase.
  package static func pem(_ file: [UInt8], passphrase: String? = nil) throws(ReadError) -> String {
    let parts =
      file.contains(text: "-----BEGIN ")
      ? try Parts(pem: file, passphrase) : try Parts(pkcs12: file, passphrase ?? "")
    guard parts.belongTogether else { throw .otherKey }
    return try parts.pem()
  }

  /// Returns the name of the first certificate in PEM.
  package static func name(inPEM file: [UInt8]) -> String? {
    guard let chain = Parts.chain(pem: file) else { return nil }
    defer { Parts.free(chain) }
    return chain.first?.commonName
  }
}

/// A certificate's chain and its key, as GnuTLS has them.
private struct Parts: ~Copyable {
  private let chain: [gnutls_x509_crt_t]
  private let key: gnutls_x509_privkey_t

  init(pem file: [UInt8], _ passphrase: String?) throws(CertificateFile.ReadError) {
    guard let chain = Self.chain(pem: file) else { throw .noCertificate }
    do throws(CertificateFile.ReadError) { key = try Self.key(pem: file, passphrase) } catch {
      Self.free(chain)
      throw error
    }
    self.chain = chain
  }

  init(pkcs12 file: [UInt8], _ passphrase: String) throws(CertificateFile.ReadError) {
    var archive: gnutls_pkcs12_t?
    guard gnutls_pkcs12_init(&archive) == 0 else { throw .noCertificate }
    defer { gnutls_pkcs12_deinit(archive) }
    guard withDatum(file, { gnutls_pkcs12_import(archive, $0, GNUTLS_X509_FMT_DER, 0) }) == 0 else {
      throw .noCertificate
    }
    var (key, list, count) = (
      gnutls_x509_privkey_t?.none, UnsafeMutablePointer<gnutls_x509_crt_t?>?.none, UInt32(0)
    )
    let result = gnutls_pkcs12_simple_parse(archive, passphrase, &key, &list, &count, nil, nil, nil, 0)
    if result == GNUTLS_E_MAC_VERIFY_FAILED || result == GNUTLS_E_DECRYPTION_FAILED { throw .locked }
    guard result == 0 else { throw .noCertificate }
    let chain = Self.take(list, count)
    guard let key, !chain.isEmpty else {
      gnutls_x509_privkey_deinit(key)
      Self.free(chain)
      throw key == nil ? .noKey : .noCertificate
    }
    (self.chain, self.key) = (chain, key)
  }

  deinit {
    Self.free(chain)
    gnutls_x509_privkey_deinit(key)
  }

  /// Returns the certificates of a file in PEM, which the caller frees.
  static func chain(pem: [UInt8]) -> [gnutls_x509_crt_t]? {
    var (list, count) = (UnsafeMutablePointer<gnutls_x509_crt_t?>?.none, UInt32(0))
    let result = withDatum(pem) { gnutls_x509_crt_list_import2(&list, &count, $0, GNUTLS_X509_FMT_PEM, 0) }
    guard result >= 0 else { return nil }
    let chain = take(list, count)
    return chain.isEmpty ? nil : chain
  }

  static func free(_ chain: [gnutls_x509_crt_t]) {
    for certificate in chain { gnutls_x509_crt_deinit(certificate) }
  }

  private static func take(
    _ list: UnsafeMutablePointer<gnutls_x509_crt_t?>?, _ count: UInt32
  ) -> [gnutls_x509_crt_t] {
    defer { tokentry_gnutls_free(list) }
    return UnsafeBufferPointer(start: list, count: Int(count)).compactMap(\.self)
  }

  private static func key(
    pem: [UInt8], _ passphrase: String?
  ) throws(CertificateFile.ReadError) -> gnutls_x509_privkey_t {
    // The header of PKCS#8, and of the older form that OpenSSL has encrypted.
    let isLocked = pem.contains(text: "ENCRYPTED")
    if isLocked, passphrase == nil { throw .locked }
    var key: gnutls_x509_privkey_t?
    guard gnutls_x509_privkey_init(&key) == 0, let key else { throw .noKey }
    let result = withDatum(pem) {
      gnutls_x509_privkey_import2(key, $0, GNUTLS_X509_FMT_PEM, isLocked ? passphrase : nil, 0)
    }
    if result == 0 { return key }
    gnutls_x509_privkey_deinit(key)
    throw isLocked ? .locked : .noKey
  }

  /// True if the key is that of the first certificate.
  var belongTogether: Bool {
    func identifier(_ read: (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>) -> Int32) -> [UInt8] {
      var (bytes, size) = ([UInt8](repeating: 0, count: 64), 64)
      return read(&bytes, &size) == 0 ? Array(bytes.prefix(size)) : []
    }
    let ofCertificate = identifier { gnutls_x509_crt_get_key_id(chain[0], 0, $0, $1) }
    return !ofCertificate.isEmpty
      && ofCertificate == identifier { gnutls_x509_privkey_get_key_id(key, 0, $0, $1) }
  }

  func pem() throws(CertificateFile.ReadError) -> String {
    var bytes: [UInt8] = []
    for certificate in chain {
      var text = gnutls_datum_t()
      guard gnutls_x509_crt_export2(certificate, GNUTLS_X509_FMT_PEM, &text) == 0 else {
        throw .noCertificate
      }
      bytes += text.take()
    }
    var text = gnutls_datum_t()
    let plain = UInt32(GNUTLS_PKCS_PLAIN.rawValue)
    guard gnutls_x509_privkey_export2_pkcs8(key, GNUTLS_X509_FMT_PEM, nil, plain, &text) == 0 else {
      throw .noKey
    }
    return String(decoding: bytes + text.take(), as: UTF8.self)
  }
}

extension [UInt8] {
  fileprivate func contains(text: String) -> Bool {
    let pattern = Array(text.utf8)
    return indices.contains { self[$0...].starts(with: pattern) }
  }
}

extension gnutls_x509_crt_t {
  /// The first common name of the subject.
  fileprivate var commonName: String? {
    var (bytes, size) = ([CChar](repeating: 0, count: 256), 256)
    guard gnutls_x509_crt_get_dn_by_oid(self, "2.5.4.3", 0, 0, &bytes, &size) == 0 else { return nil }
    return String(decoding: bytes.prefix(size).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// A client certificate in a PKCS#11 token, whose key does not leave the token.
package struct TokenCertificate: Sendable, Equatable {
  /// The name of its subject, the object and the token, for people.
  package let name: String
  /// The URI of the certificate (RFC 7512).
  package let uri: String
  /// The URI of its key. GLib does not find the key without it.
  package let keyURI: String

  /// Returns the certificates that a URI names, without those of authorities. The list is empty if the token is not there.
  package static func all(at uri: String) -> [TokenCertificate] {
    var (list, count) = (UnsafeMutablePointer<gnutls_pkcs11_obj_t?>?.none, UInt32(0))
    let kind = UInt32(GNUTLS_PKCS11_OBJ_FLAG_CRT.rawValue)
    guard gnutls_pkcs11_obj_list_import_url4(&list, &count, uri, kind) >= 0 else { return [] }
    defer { tokentry_gnutls_free(list) }
    return UnsafeBufferPointer(start: list, count: Int(count)).compactMap { object in
      defer { gnutls_pkcs11_obj_deinit(object) }
      return object.flatMap(TokenCertificate.init)
    }
  }

  private init?(_ object: gnutls_pkcs11_obj_t) {
    var certificate: gnutls_x509_crt_t?
    guard gnutls_x509_crt_init(&certificate) == 0, let certificate else { return nil }
    defer { gnutls_x509_crt_deinit(certificate) }
    guard gnutls_x509_crt_import_pkcs11(certificate, object) == 0,
      gnutls_x509_crt_get_ca_status(certificate, nil) <= 0
    else { return nil }
    var text: UnsafeMutablePointer<CChar>?
    guard gnutls_pkcs11_obj_export_url(object, GNUTLS_PKCS11_URL_GENERIC, &text) == 0, let text else {
      return nil
    }
    uri = String(cString: text)
    tokentry_gnutls_free(text)
    keyURI = Self.keyURI(of: uri)
    let (label, token) = (
      Self.text(GNUTLS_PKCS11_OBJ_LABEL, of: object), Self.text(GNUTLS_PKCS11_OBJ_TOKEN_LABEL, of: object)
    )
    let subject = certificate.commonName ?? label
    let place = [label == subject ? "" : label, token].filter { !$0.isEmpty }.joined(separator: ", ")
    name = place.isEmpty ? subject : "\(subject) (\(place))"
  }

  /// Returns the URI of the key of a certificate: the two have the same identifier, but labels of their own.
  static func keyURI(of uri: String) -> String {
    let attributes = uri.dropFirst("pkcs11:".count).split(separator: ";")
    let hasIdentifier = attributes.contains { $0.hasPrefix("id=") }
    let kept = attributes.filter { !$0.hasPrefix("type=") && !(hasIdentifier && $0.hasPrefix("object=")) }
    return "pkcs11:" + (kept + ["type=private"]).joined(separator: ";")
  }

  private static func text(_ kind: gnutls_pkcs11_obj_info_t, of object: gnutls_pkcs11_obj_t) -> String {
    var (bytes, size) = ([CChar](repeating: 0, count: 256), 256)
    guard gnutls_pkcs11_obj_get_info(object, kind, &bytes, &size) == 0 else { return "" }
    return String(decoding: bytes.prefix(size).prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
