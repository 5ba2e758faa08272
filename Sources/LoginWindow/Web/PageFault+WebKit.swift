import CWebKitGTK
import LoginCore

extension PageFault {
  /// Why a page could not be loaded; nothing if it was not to be loaded, or was stopped.
  init?(_ error: GError, loading uri: String) {
    let address = PageAddress(uri)
    let host = address.host
    let stopped =
      error.domain == webkit_network_error_quark()
      && error.code == Int32(WEBKIT_NETWORK_ERROR_CANCELLED.rawValue)
    // Where the policy said no, where nothing handles the scheme, and where an answer has no page.
    if stopped || error.domain == webkit_policy_error_quark() || host.isEmpty { return nil }
    let reason = String(cString: error.message).forDisplay(limit: 200)
    let isOnline = g_network_monitor_get_network_available(g_network_monitor_get_default()) != 0
    if !isOnline, address.connection != .local {
      self = .offline(reason: reason)
    } else if error.domain == g_resolver_error_quark() {
      self = .unknownHost(host)
    } else {
      self = .connection(host: host, reason: reason)
    }
  }

  /// Why a certificate is not to be trusted.
  init(
    _ certificate: UnsafeMutablePointer<GTlsCertificate>, _ flags: GTlsCertificateFlags, loading uri: String
  ) {
    let reasons = [
      (G_TLS_CERTIFICATE_UNKNOWN_CA, "nobody whom this machine knows has signed it"),
      (G_TLS_CERTIFICATE_BAD_IDENTITY, "it belongs to another host"),
      (G_TLS_CERTIFICATE_EXPIRED, "it has expired"),
      (G_TLS_CERTIFICATE_NOT_ACTIVATED, "it is not valid yet"),
      (G_TLS_CERTIFICATE_REVOKED, "it has been revoked"),
      (G_TLS_CERTIFICATE_INSECURE, "it is too weak"),
    ].filter { flags.rawValue & $0.0.rawValue != 0 }.map(\.1)
    self = .tls(
      host: PageAddress(uri).hostName,
      reason: reasons.isEmpty ? "it is damaged" : reasons.joined(separator: ", "),
      fingerprint: Self.fingerprint(of: certificate))
  }

  /// The SHA-256 digest of a certificate, as people compare it.
  private static func fingerprint(of certificate: UnsafeMutablePointer<GTlsCertificate>) -> String? {
    var value = GValue()
    g_value_init(&value, g_byte_array_get_type())
    defer { g_value_unset(&value) }
    g_object_get_property(certificate.cast(), "certificate", &value)
    guard let bytes = g_value_get_boxed(&value)?.assumingMemoryBound(to: GByteArray.self),
      let digest = g_compute_checksum_for_data(
        G_CHECKSUM_SHA256, bytes.pointee.data, gsize(bytes.pointee.len))
    else { return nil }
    defer { g_free(digest) }
    let digits = Array(String(cString: digest).uppercased())
    return stride(from: 0, to: digits.count - 1, by: 2).map { String(digits[$0...$0 + 1]) }
      .joined(separator: ":")
  }
}
