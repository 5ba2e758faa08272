import CGLib
import CSoup
import GLibSupport
import LoginCore

/// The reason why an exchange with a host has failed. It is not known yet if a proxy is to blame: ``ConnectionPool`` finds
/// that out and makes a ``Failure`` of it.
enum ExchangeError: Error, Equatable {
  case unknownHost
  /// No connection, or one that broke, for this reason.
  case unreachable(Message)
  case noAnswer(seconds: Int)
  /// TLS failed, for this reason.
  case tls(Message)
  /// A failure that no proxy can have caused.
  case other(Failure)

  /// The failure if no proxy is to blame.
  func failure(of host: String) -> Failure {
    switch self {
    case .unknownHost: .unknownHost(host)
    case .unreachable(let reason): .unreachable(host, reason)
    case .noAnswer(let seconds): .noAnswer(host, seconds: seconds)
    case .tls(let reason): .insecureConnection(host, reason)
    case .other(let failure): failure
    }
  }
}

extension ExchangeError {
  /// Makes sense of an error of GIO or libsoup. `isOnline` tells if this computer has a network at all; it is called
  /// only where that matters.
  init(_ error: GLibError, host: String, isOnline: () -> Bool = Self.isOnline) {
    switch error.domain {
    case g_resolver_error_quark(): self.init(resolver: error, isOnline: isOnline)
    case g_tls_error_quark(): self.init(tls: error, host: host)
    case soup_session_error_quark(): self = .other(.notOAuth(error.words))
    case g_io_error_quark(): self.init(io: error, host: host, isOnline: isOnline)
    default: self = .unreachable(error.words)
    }
  }

  private init(io error: GLibError, host: String, isOnline: () -> Bool) {
    switch GIOErrorEnum(rawValue: UInt32(bitPattern: error.code)) {
    case G_IO_ERROR_PARTIAL_INPUT where error.message == Self.dgettext("libsoup-3.0", "Header too big"):
      self = .other(.tooLarge(host, limit: Self.headLimit))
    case G_IO_ERROR_NETWORK_UNREACHABLE where !isOnline(), G_IO_ERROR_HOST_UNREACHABLE where !isOnline():
      self = .other(.offline)
    case G_IO_ERROR_NETWORK_UNREACHABLE, G_IO_ERROR_HOST_UNREACHABLE:
      self = .unreachable("there is no route to it")
    case G_IO_ERROR_CONNECTION_REFUSED: self = .unreachable("the connection was refused")
    case G_IO_ERROR_BROKEN_PIPE, G_IO_ERROR_PARTIAL_INPUT, G_IO_ERROR_NOT_CONNECTED, G_IO_ERROR_CLOSED:
      self = .broken
    case G_IO_ERROR_TIMED_OUT: self = .timedOut
    case G_IO_ERROR_HOST_NOT_FOUND: self = isOnline() ? .unknownHost : .other(.offline)
    case G_IO_ERROR_INVALID_DATA: self = .other(.notOAuth("the body of the answer cannot be decoded"))
    default: self = .unreachable(error.words)
    }
  }

  static let broken = unreachable("the connection was broken")
  static let timedOut = unreachable("the connection timed out")

  /// Libsoup's limit for the head of an answer.
  private static let headLimit = 100 * 1_024

  private init(resolver error: GLibError, isOnline: () -> Bool) {
    switch GResolverError(rawValue: UInt32(bitPattern: error.code)) {
    case G_RESOLVER_ERROR_NOT_FOUND where !isOnline(), G_RESOLVER_ERROR_TEMPORARY_FAILURE where !isOnline():
      self = .other(.offline)
    case G_RESOLVER_ERROR_NOT_FOUND: self = .unknownHost
    case G_RESOLVER_ERROR_TEMPORARY_FAILURE: self = .unreachable("no name server answers")
    default: self = .unreachable(error.words)
    }
  }

  private init(tls error: GLibError, host: String) {
    let notTLS = ExchangeError.other(.insecureConnection(host, "the server does not speak TLS"))
    switch GTlsError(rawValue: UInt32(bitPattern: error.code)) {
    case G_TLS_ERROR_EOF: self = .broken
    case G_TLS_ERROR_NOT_TLS: self = notTLS
    case G_TLS_ERROR_CERTIFICATE_REQUIRED,
      // With TLS 1.3, the alert comes after the handshake, and GLib passes on what GnuTLS says.
      _ where error.message.holds(Self.dgettext("gnutls30", "Certificate is required")):
      self = .other(.lacksClientCertificate(host))
    case G_TLS_ERROR_UNAVAILABLE:
      self = .other(.insecureConnection(host, "GLib has no TLS: glib-networking is not installed"))
    // This message is all that GnuTLS says, and GLib passes on, when it cannot read a packet.
    case _ where error.message.holds(Self.dgettext("gnutls30", "An unexpected TLS packet was received.")):
      self = notTLS
    default: self = .tls(error.words)
    }
  }

  /// Translates a library's message as the library does. Without a translation, `g_dgettext` returns the pointer that it
  /// was given, so the C string must live until the result is copied.
  private static func dgettext(_ domain: String, _ text: String) -> String {
    text.withCString { String(cString: g_dgettext(domain, $0)) }
  }

  private static func isOnline() -> Bool {
    g_network_monitor_get_network_available(g_network_monitor_get_default()) != 0
  }
}

extension GLibError {
  var isCancellation: Bool {
    domain == g_io_error_quark() && code == Int32(bitPattern: G_IO_ERROR_CANCELLED.rawValue)
  }

  /// The message in our style: without a full stop, and in lower case unless it begins with an abbreviation.
  fileprivate var words: Message {
    var words = message.forDisplay(limit: 200)
    if words.hasSuffix(".") { words.removeLast() }
    let isAbbreviation = words.dropFirst().first?.isUppercase ?? false
    return Message(verbatim: isAbbreviation ? words : words.prefix(1).lowercased() + words.dropFirst())
  }
}
