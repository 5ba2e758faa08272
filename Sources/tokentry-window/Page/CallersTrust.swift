import CWebKitGTK
import GLibSupport
import Glibc
import WindowProtocol

/// What the caller trusts beside the system's certificate authorities: certificates for single hosts, and the authorities in
/// the file that `SSL_CERT_FILE` names.
@GLibActor
struct CallersTrust {
  /// Certificates in PEM, or `sha256:` and a digest, by bare host.
  private let certificates: [String: String]

  init(_ certificates: [String: String]) {
    self.certificates = certificates.reduce(into: [:]) { $0[PageAddress.bareHost($1.key)] = $1.value }
  }

  /// True if a certificate that a page's host has shown is the one for this host or, if none is named for it, if an authority
  /// of the caller's vouches for it. An authority's own certificate for a host vouches for those that it has issued.
  func includes(
    _ shown: UnsafeMutablePointer<GTlsCertificate>, with fingerprint: String?, of uri: String
  ) -> Bool {
    guard let identity = g_network_address_parse_uri(uri, 443, nil) else { return false }
    defer { g_object_unref(UnsafeMutableRawPointer(identity)) }
    guard let named = certificates[PageAddress.bareHost(PageAddress(uri).host)] else {
      return isIssuedByAuthority(shown, identity)
    }
    let scheme = "sha256:"
    if named.hasPrefix(scheme) {
      return fingerprint.map { $0.lowercased().filter { $0 != ":" } == named.dropFirst(scheme.count) }
        ?? false
    }
    guard let authority = g_tls_certificate_new_from_pem(named, -1, nil) else { return false }
    defer { g_object_unref(authority) }
    return g_tls_certificate_verify(shown, identity, authority).rawValue == 0
  }

  /// Calls `allow` for each certificate that is known before its host has shown it.
  func forEachCertificate(_ allow: (UnsafeMutablePointer<GTlsCertificate>, _ host: String) -> Void) {
    for (host, text) in certificates {
      guard let certificate = g_tls_certificate_new_from_pem(text, -1, nil) else { continue }
      allow(certificate, host)
      g_object_unref(certificate)
    }
  }

  private func isIssuedByAuthority(
    _ shown: UnsafeMutablePointer<GTlsCertificate>, _ identity: OpaquePointer
  ) -> Bool {
    guard let file = getenv("SSL_CERT_FILE"), let authorities = g_tls_file_database_new(file, nil) else {
      return false
    }
    defer { g_object_unref(UnsafeMutableRawPointer(authorities)) }
    let purpose = "1.3.6.1.5.5.7.3.1"  // G_TLS_DATABASE_PURPOSE_AUTHENTICATE_SERVER
    return g_tls_database_verify_chain(
      authorities, shown, purpose, identity, nil, G_TLS_DATABASE_VERIFY_NONE, nil, nil
    ).rawValue == 0
  }
}
