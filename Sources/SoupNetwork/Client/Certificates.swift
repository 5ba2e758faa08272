import CGLib
import GLibSupport
import LoginCore

/// A certificate that is trusted for a host, no matter what its chain, its dates and its names are. That of an authority
/// also vouches for the host's certificates that the authority has issued.
package struct TrustedCertificate: Sendable, Equatable {
  /// The certificate in DER. Empty if only its digest is known.
  package let der: [UInt8]
  /// The SHA-256 digest in lower-case hexadecimal.
  package let sha256: String

  private static let digestScheme = "sha256:"

  /// Takes a certificate that was read before.
  package init(der: [UInt8]) {
    self.der = der
    let digest = g_compute_checksum_for_data(G_CHECKSUM_SHA256, der, gsize(der.count))
    sha256 = digest.map { String(cString: $0) } ?? ""
    g_free(digest)
  }

  /// Reads `sha256:` and 64 hexadecimal digits, which may be in pairs with colons between them.
  package init?(digest text: String) {
    guard text.hasPrefix(Self.digestScheme) else { return nil }
    let digits = text.dropFirst(Self.digestScheme.count).lowercased().filter { $0 != ":" }
    guard digits.utf8.count == 64, digits.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else {
      return nil
    }
    (der, sha256) = ([], digits)
  }

  /// The certificate in PEM, or its digest as ``init(digest:)`` reads it.
  package var text: String {
    der.isEmpty ? Self.digestScheme + sha256 : String(decoding: Self.pem(der: der), as: UTF8.self)
  }

  /// True if only the digest is known.
  package var isDigest: Bool { der.isEmpty }

  /// The digest as people compare it: `AA:BB:…`.
  package var fingerprint: String {
    var rest = sha256.uppercased()[...]
    var pairs: [Substring] = []
    while !rest.isEmpty {
      pairs.append(rest.prefix(2))
      rest = rest.dropFirst(2)
    }
    return pairs.joined(separator: ":")
  }

  package enum ReadError: Error, Sendable, Equatable {
    /// The file is not a certificate in PEM or DER.
    case notACertificate
    /// The file has several certificates.
    case several
  }

  /// Reads a certificate in PEM or DER.
  ///
  /// A file with several is refused, since it does not say which one is meant.
  package init(_ bytes: [UInt8]) throws(ReadError) {
    let certificate = try Self.read(bytes)
    defer { g_object_unref(certificate) }
    self.init(der: certificate.der)
  }

  /// True if this is the certificate of an authority that issued the `shown` one, and if the latter is for this host and valid
  /// today.
  func vouches(for shown: UnsafeMutablePointer<GTlsCertificate>, of endpoint: Endpoint) -> Bool {
    guard !isDigest, let authority = try? Self.read(Self.pem(der: der)),
      let identity = g_network_address_parse_uri(endpoint.description, 443, nil)
    else { return false }
    defer {
      g_object_unref(authority)
      g_object_unref(UnsafeMutableRawPointer(identity))
    }
    return g_tls_certificate_verify(shown, identity, authority).rawValue == 0
  }

  private static func read(_ bytes: [UInt8]) throws(ReadError) -> UnsafeMutablePointer<GTlsCertificate> {
    let marker = Array("-----BEGIN CERTIFICATE-----".utf8)
    let count = bytes.indices.count { bytes[$0...].starts(with: marker) }
    if count > 1 { throw .several }
    var error: UnsafeMutablePointer<GError>?
    let pem = count == 1 ? bytes : pem(der: bytes)
    let certificate = pem.withUnsafeBytes {
      g_tls_certificate_new_from_pem($0.baseAddress, gssize($0.count), &error)
    }
    guard let certificate else {
      g_clear_error(&error)
      throw .notACertificate
    }
    return certificate
  }

  /// GLib reads certificates from PEM only (RFC 7468).
  private static func pem(der: [UInt8]) -> [UInt8] {
    let encoded = g_base64_encode(der, gsize(der.count))
    defer { g_free(encoded) }
    guard let encoded else { return [] }
    var lines = ["-----BEGIN CERTIFICATE-----"]
    var rest = String(cString: encoded)[...]
    while !rest.isEmpty {
      lines.append(String(rest.prefix(64)))
      rest = rest.dropFirst(64)
    }
    return Array((lines + ["-----END CERTIFICATE-----", ""]).joined(separator: "\n").utf8)
  }
}

extension GTlsCertificateFlags {
  /// The flaws that have a name. GLib promises to report one flaw, not all of them.
  var list: [CertificateFlaw] {
    let flaws: [(GTlsCertificateFlags, CertificateFlaw)] = [
      (G_TLS_CERTIFICATE_REVOKED, .revoked), (G_TLS_CERTIFICATE_BAD_IDENTITY, .otherHost),
      (G_TLS_CERTIFICATE_EXPIRED, .expired), (G_TLS_CERTIFICATE_NOT_ACTIVATED, .notYetValid),
      (G_TLS_CERTIFICATE_INSECURE, .insecure), (G_TLS_CERTIFICATE_UNKNOWN_CA, .unknownIssuer),
    ]
    return flaws.filter { rawValue & $0.0.rawValue != 0 }.map(\.1)
  }
}

extension UnsafeMutablePointer<GTlsCertificate> {
  /// The certificate in DER.
  var der: [UInt8] {
    var value = GValue()
    g_value_init(&value, g_byte_array_get_type())
    defer { g_value_unset(&value) }
    g_object_get_property(
      UnsafeMutableRawPointer(self).assumingMemoryBound(to: GObject.self), "certificate", &value)
    guard let array = g_value_get_boxed(&value)?.assumingMemoryBound(to: GByteArray.self) else { return [] }
    return Array(UnsafeBufferPointer(start: array.pointee.data, count: Int(array.pointee.len)))
  }
}

/// GLib's TLS library.
package enum EncryptionSupport {
  /// False if glib-networking is missing. Without it, https does not work.
  package static var isThere: Bool { g_tls_backend_supports_tls(g_tls_backend_get_default()) != 0 }
}
