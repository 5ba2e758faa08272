import CGLib
import GLibSupport
import LoginCore
import TestSupport
import Testing

@testable import SoupNetwork

@Suite("Errors of GLib and libsoup")
struct ExchangeErrorTests {
  @Test("Each error is mapped to a failure")
  func kinds() {
    let io = g_io_error_quark()
    let resolver = g_resolver_error_quark()
    let tls = g_tls_error_quark()
    let refused = ExchangeError.unreachable("the connection was refused")
    let broken = ExchangeError.unreachable("the connection was broken")
    let noRoute = ExchangeError.unreachable("there is no route to it")
    let noServer = ExchangeError.unreachable("no name server answers")
    let kinds: [(GQuark, UInt32, Bool, ExchangeError)] = [
      (io, G_IO_ERROR_CONNECTION_REFUSED.rawValue, true, refused),
      (io, G_IO_ERROR_CONNECTION_REFUSED.rawValue, false, refused),
      (io, G_IO_ERROR_BROKEN_PIPE.rawValue, true, broken),
      (io, G_IO_ERROR_PARTIAL_INPUT.rawValue, true, broken),
      (io, G_IO_ERROR_NETWORK_UNREACHABLE.rawValue, false, .other(.offline)),
      (io, G_IO_ERROR_HOST_UNREACHABLE.rawValue, false, .other(.offline)),
      (io, G_IO_ERROR_NETWORK_UNREACHABLE.rawValue, true, noRoute),
      (io, G_IO_ERROR_HOST_NOT_FOUND.rawValue, true, .unknownHost),
      (resolver, G_RESOLVER_ERROR_NOT_FOUND.rawValue, true, .unknownHost),
      (io, G_IO_ERROR_HOST_NOT_FOUND.rawValue, false, .other(.offline)),
      (resolver, G_RESOLVER_ERROR_NOT_FOUND.rawValue, false, .other(.offline)),
      (resolver, G_RESOLVER_ERROR_TEMPORARY_FAILURE.rawValue, true, noServer),
      (resolver, G_RESOLVER_ERROR_TEMPORARY_FAILURE.rawValue, false, .other(.offline)),
      (tls, G_TLS_ERROR_EOF.rawValue, true, broken),
      (tls, G_TLS_ERROR_HANDSHAKE.rawValue, true, .tls("some words")),
    ]
    for (domain, code, isOnline, expected) in kinds {
      let error = GLibError(consuming: g_error_new_literal(domain, gint(code), "Some words."))
      #expect(ExchangeError(error, host: "h", isOnline: { isOnline }) == expected)
    }
  }

  @Test(
    "GLib's messages are put into our style",
    arguments: [
      ("Could not connect.", "could not connect"), ("TLS failed", "TLS failed"), ("a\nb\u{1B}[1m", "a b [1m"),
      ("", ""),
    ])
  func words(theirs: String, ours: String) {
    let error = GLibError(consuming: g_error_new_literal(g_io_error_quark(), 0, theirs))
    #expect(ExchangeError(error, host: "h") == .unreachable(Message(verbatim: ours)))
  }

  @Test("A certificate can have several flaws")
  func flaws() {
    #expect(G_TLS_CERTIFICATE_EXPIRED.list == [.expired])
    #expect(G_TLS_CERTIFICATE_GENERIC_ERROR.list.isEmpty)
    let both = GTlsCertificateFlags(
      rawValue: G_TLS_CERTIFICATE_UNKNOWN_CA.rawValue | G_TLS_CERTIFICATE_BAD_IDENTITY.rawValue)
    #expect(both.list == [.otherHost, .unknownIssuer])
  }
}
