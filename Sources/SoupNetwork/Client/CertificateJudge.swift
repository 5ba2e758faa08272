import CGLib
import GLibSupport
import LoginCore

/// Decides about the certificate of one host and about the connection to it, and remembers why they were refused.
///
/// Libsoup asks it only about certificates that did not pass the verification. A host with a certificate of
/// its own is therefore asked with an empty set of authorities: nothing passes, and all of its certificates
/// come here, also those that this system would have trusted.
@GLibActor
final class CertificateJudge {
  private let host: String
  private let trusted: TrustedCertificate?
  /// Why the host was refused, if it was.
  private(set) var refusal: NetworkFault?

  init(host: String, trusted: TrustedCertificate?) {
    self.host = host
    self.trusted = trusted
  }

  /// Whether the connection may go on with a certificate that has these flaws.
  func accepts(_ certificate: UnsafeMutablePointer<GTlsCertificate>, flaws: GTlsCertificateFlags) -> Bool {
    let der = certificate.der
    if let trusted, trusted.der == der { return true }
    let fault = trusted == nil ? TLSFault.certificate(flaws.list) : .notThePinned
    refusal = .tls(host: host, fault, fingerprint: Self.fingerprint(of: der))
    return false
  }

  /// Whether something may be sent over a connection that speaks this version of TLS: RFC 8996 allows none before 1.2,
  /// whatever this system's configuration does.
  func accepts(_ version: GTlsProtocolVersion) -> Bool {
    if version.rawValue >= G_TLS_PROTOCOL_VERSION_TLS_1_2.rawValue { return true }
    refusal = .tls(host: host, .oldVersion, fingerprint: nil)
    return false
  }

  /// The SHA-256 digest as people compare it: `AA:BB:…`.
  private static func fingerprint(of der: [UInt8]) -> String? {
    guard let digest = g_compute_checksum_for_data(G_CHECKSUM_SHA256, der, gsize(der.count)) else {
      return nil
    }
    defer { g_free(digest) }
    var rest = String(cString: digest).uppercased()[...]
    var pairs: [Substring] = []
    while !rest.isEmpty {
      pairs.append(rest.prefix(2))
      rest = rest.dropFirst(2)
    }
    return pairs.joined(separator: ":")
  }
}

extension GTlsCertificateFlags {
  /// What is wrong with the certificate. GLib promises to name one flaw, not all of them.
  var list: [CertificateFlaw] {
    let flaws: [(GTlsCertificateFlags, CertificateFlaw)] = [
      (G_TLS_CERTIFICATE_REVOKED, .revoked), (G_TLS_CERTIFICATE_BAD_IDENTITY, .otherHost),
      (G_TLS_CERTIFICATE_EXPIRED, .expired), (G_TLS_CERTIFICATE_NOT_ACTIVATED, .notYetValid),
      (G_TLS_CERTIFICATE_INSECURE, .insecure), (G_TLS_CERTIFICATE_UNKNOWN_CA, .unknownIssuer),
    ]
    return flaws.filter { rawValue & $0.0.rawValue != 0 }.map(\.1)
  }
}
