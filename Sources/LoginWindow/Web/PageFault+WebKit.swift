import CWebKitGTK
import LoginCore
import LoginWays

extension PageFault {
  /// Why a page could not be loaded; nothing if it was stopped, or was not to be loaded.
  init?(_ error: GError, loading uri: [UInt8], _ policy: NavigationPolicy) {
    let address = PageAddress(String(decoding: uri, as: UTF8.self))
    let host = address.host
    let isStopped =
      error.domain == webkit_network_error_quark()
      && error.code == Int32(WEBKIT_NETWORK_ERROR_CANCELLED.rawValue)
    // Where the policy said no, and where an answer has no page.
    let isInterrupted =
      error.domain == webkit_policy_error_quark()
      && error.code == Int32(WEBKIT_POLICY_ERROR_FRAME_LOAD_INTERRUPTED_BY_POLICY_CHANGE.rawValue)
    if isStopped || isInterrupted || uri.isEmpty { return nil }
    if host.isEmpty {
      self = .refused(policy.refusal(of: uri))
      return
    }
    let isOnline = g_network_monitor_get_network_available(g_network_monitor_get_default()) != 0
    if !isOnline, address.connection != .local {
      self = .offline
    } else if error.domain == g_resolver_error_quark() {
      self = .unknownHost(host)
    } else {
      self = .connection(host: host, reason: String(cString: error.message).forDisplay(limit: 200))
    }
  }

  /// Why a certificate is not to be trusted.
  init(
    _ certificate: UnsafeMutablePointer<GTlsCertificate>, _ flags: GTlsCertificateFlags, loading uri: String
  ) {
    let known: [(CertificateFlaw, GTlsCertificateFlags)] = [
      (.revoked, G_TLS_CERTIFICATE_REVOKED), (.otherHost, G_TLS_CERTIFICATE_BAD_IDENTITY),
      (.expired, G_TLS_CERTIFICATE_EXPIRED), (.notYetValid, G_TLS_CERTIFICATE_NOT_ACTIVATED),
      (.insecure, G_TLS_CERTIFICATE_INSECURE), (.unknownIssuer, G_TLS_CERTIFICATE_UNKNOWN_CA),
    ]
    let flaws = known.filter { flags.rawValue & $0.1.rawValue != 0 }.map(\.0)
    self = .tls(
      host: PageAddress(uri).hostName, flaws.isEmpty ? [.damaged] : flaws,
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

extension GError {
  /// Whether rules have kept something from being loaded. WebKit's headers have no name for it.
  var isOfRules: Bool { domain == webkit_policy_error_quark() && code == 104 }

  /// Whether a connection was ended by who had begun it. What the user or the page stops has another error.
  var isCancellation: Bool { domain == g_io_error_quark() && code == Int32(G_IO_ERROR_CANCELLED.rawValue) }
}
