import CGLib

/// A certificate that stands for a host whatever its chain, its dates and its names say.
public struct TrustedCertificate: Sendable, Equatable {
  /// The certificate in DER: the form in which equal certificates have equal bytes.
  let der: [UInt8]

  /// Reads one certificate, in PEM or in DER.
  ///
  /// A file with several is refused: which of them is meant would be a guess.
  public init(_ bytes: [UInt8]) throws(CertificateFault) {
    let marker = Array("-----BEGIN CERTIFICATE-----".utf8)
    let count = bytes.indices.count { bytes[$0...].starts(with: marker) }
    if count > 1 { throw .several }
    var error: UnsafeMutablePointer<GError>?
    let pem = count == 1 ? bytes : Self.pem(der: bytes)
    let certificate = pem.withUnsafeBytes {
      g_tls_certificate_new_from_pem($0.baseAddress, gssize($0.count), &error)
    }
    guard let certificate else {
      g_clear_error(&error)
      throw .notACertificate
    }
    defer { g_object_unref(certificate) }
    der = certificate.der
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

/// Why something is not a certificate to trust.
public enum CertificateFault: Error, Sendable, Equatable {
  /// It is no certificate in PEM or DER.
  case notACertificate
  /// It holds more than one.
  case several
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
