import CGLib
import CSoup
import GLibSupport
import LoginCore

extension NetworkFault {
  /// What an error of GIO or libsoup means for an exchange with a host.
  ///
  /// - Parameter isOnline: Whether this computer has a network at all; asked only where it matters.
  init(_ error: GLibError, host: String, isOnline: () -> Bool = Self.isOnline) {
    let words = error.inWords
    switch error.domain {
    case g_resolver_error_quark(): self.init(resolving: host, error, isOnline: isOnline)
    case g_tls_error_quark(): self.init(tls: host, error)
    case soup_session_error_quark(): self = .badResponse(.library(words))
    case g_io_error_quark(): self.init(io: host, error, isOnline: isOnline)
    default: self = .connection(host: host, .system(words))
    }
  }

  private init(io host: String, _ error: GLibError, isOnline: () -> Bool) {
    switch GIOErrorEnum(rawValue: UInt32(bitPattern: error.code)) {
    case G_IO_ERROR_PARTIAL_INPUT where error.message == Self.dgettext("libsoup-3.0", "Header too big"):
      self = .tooLarge(host: host, limit: Self.headLimit)
    case G_IO_ERROR_NETWORK_UNREACHABLE where !isOnline(), G_IO_ERROR_HOST_UNREACHABLE where !isOnline():
      self = .offline
    case G_IO_ERROR_NETWORK_UNREACHABLE, G_IO_ERROR_HOST_UNREACHABLE:
      self = .connection(host: host, .noRoute)
    case G_IO_ERROR_CONNECTION_REFUSED: self = .connection(host: host, .refused)
    case G_IO_ERROR_BROKEN_PIPE, G_IO_ERROR_PARTIAL_INPUT, G_IO_ERROR_NOT_CONNECTED, G_IO_ERROR_CLOSED:
      self = .connection(host: host, .broken)
    case G_IO_ERROR_TIMED_OUT: self = .connection(host: host, .timedOut)
    case G_IO_ERROR_HOST_NOT_FOUND: self = .unknownHost(host)
    case G_IO_ERROR_INVALID_DATA: self = .badResponse(.undecodable)
    default: self = .connection(host: host, .system(error.inWords))
    }
  }

  /// What a library says, in the language that its own words are in. What is not translated comes back as the very pointer
  /// that was given, which must be good for as long.
  private static func dgettext(_ domain: String, _ text: String) -> String {
    text.withCString { String(cString: g_dgettext(domain, $0)) }
  }

  /// What libsoup takes as the head of an answer.
  private static let headLimit = 100 * 1_024

  private init(resolving host: String, _ error: GLibError, isOnline: () -> Bool) {
    switch GResolverError(rawValue: UInt32(bitPattern: error.code)) {
    case G_RESOLVER_ERROR_NOT_FOUND: self = .unknownHost(host)
    case G_RESOLVER_ERROR_TEMPORARY_FAILURE where !isOnline(): self = .offline
    case G_RESOLVER_ERROR_TEMPORARY_FAILURE: self = .connection(host: host, .noNameServer)
    default: self = .connection(host: host, .system(error.inWords))
    }
  }

  private init(tls host: String, _ error: GLibError) {
    switch GTlsError(rawValue: UInt32(bitPattern: error.code)) {
    case G_TLS_ERROR_EOF: self = .connection(host: host, .broken)
    case G_TLS_ERROR_NOT_TLS:
      self = .tls(host: host, .notTLS, fingerprint: nil)
    case G_TLS_ERROR_CERTIFICATE_REQUIRED:
      self = .tls(host: host, .asksForCertificate, fingerprint: nil)
    case G_TLS_ERROR_UNAVAILABLE:
      self = .tls(host: host, .unsupported, fingerprint: nil)
    // GnuTLS says of what it cannot read only this, and GLib passes it on.
    case _ where error.message.holds(Self.dgettext("gnutls30", "An unexpected TLS packet was received.")):
      self = .tls(host: host, .notTLS, fingerprint: nil)
    default: self = .tls(host: host, .system(error.inWords), fingerprint: nil)
    }
  }

  private static func isOnline() -> Bool {
    g_network_monitor_get_network_available(g_network_monitor_get_default()) != 0
  }
}

extension GLibError {
  /// Whether somebody cancelled the call.
  var isCancellation: Bool {
    domain == g_io_error_quark() && code == Int32(bitPattern: G_IO_ERROR_CANCELLED.rawValue)
  }

  /// The message in the form of ours: without a full stop, and beginning with a small letter unless its first
  /// word is an abbreviation.
  fileprivate var inWords: String {
    var words = message.forDisplay(limit: 200)
    if words.hasSuffix(".") { words.removeLast() }
    let isAbbreviation = words.dropFirst().first?.isUppercase ?? false
    return isAbbreviation ? words : words.prefix(1).lowercased() + words.dropFirst()
  }
}
