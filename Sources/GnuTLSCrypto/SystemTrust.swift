import CGnuTLS

/// The certificate authorities that this machine trusts, as everything that is built on GnuTLS sees them.
public enum SystemTrust {
  /// How many there are; none where they cannot be read.
  public static var authorityCount: Int {
    var list: gnutls_x509_trust_list_t?
    guard gnutls_x509_trust_list_init(&list, 0) == 0 else { return 0 }
    defer { gnutls_x509_trust_list_deinit(list, 1) }
    return max(0, Int(gnutls_x509_trust_list_add_system_trust(list, 0, 0)))
  }
}
