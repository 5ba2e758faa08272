import CGLib
import TestSupport
import GLibSupport
import LoginCore
import Testing

@testable import SoupNetwork

@Suite("What an error of GLib means")
struct NetworkFaultTests {
  @Test("Each kind of error is a kind of failure")
  func kinds() {
    let io = g_io_error_quark()
    let resolver = g_resolver_error_quark()
    let tls = g_tls_error_quark()
    let refused = NetworkFault.connection(host: "h", .refused)
    let broken = NetworkFault.connection(host: "h", .broken)
    let noRoute = NetworkFault.connection(host: "h", .noRoute)
    let noServer = NetworkFault.connection(host: "h", .noNameServer)
    let kinds: [(GQuark, UInt32, Bool, NetworkFault)] = [
      (io, G_IO_ERROR_CONNECTION_REFUSED.rawValue, true, refused),
      (io, G_IO_ERROR_CONNECTION_REFUSED.rawValue, false, refused),
      (io, G_IO_ERROR_BROKEN_PIPE.rawValue, true, broken),
      (io, G_IO_ERROR_PARTIAL_INPUT.rawValue, true, broken),
      (io, G_IO_ERROR_NETWORK_UNREACHABLE.rawValue, false, .offline),
      (io, G_IO_ERROR_HOST_UNREACHABLE.rawValue, false, .offline),
      (io, G_IO_ERROR_NETWORK_UNREACHABLE.rawValue, true, noRoute),
      (io, G_IO_ERROR_HOST_NOT_FOUND.rawValue, true, .unknownHost("h")),
      (resolver, G_RESOLVER_ERROR_NOT_FOUND.rawValue, true, .unknownHost("h")),
      (resolver, G_RESOLVER_ERROR_TEMPORARY_FAILURE.rawValue, true, noServer),
      (resolver, G_RESOLVER_ERROR_TEMPORARY_FAILURE.rawValue, false, .offline),
      (tls, G_TLS_ERROR_EOF.rawValue, true, broken),
      (tls, G_TLS_ERROR_HANDSHAKE.rawValue, true, .tls(host: "h", .system("some words"), fingerprint: nil)),
    ]
    for (domain, code, isOnline, expected) in kinds {
      let error = GLibError(consuming: g_error_new_literal(domain, gint(code), "Some words."))
      #expect(NetworkFault(error, host: "h", isOnline: { isOnline }) == expected)
    }
  }

  @Test(
    "The words of GLib take the form of ours",
    arguments: [
      ("Could not connect.", "could not connect"), ("TLS failed", "TLS failed"), ("a\nb\u{1B}[1m", "a b [1m"),
      ("", ""),
    ])
  func words(theirs: String, ours: String) {
    let error = GLibError(consuming: g_error_new_literal(g_io_error_quark(), 0, theirs))
    #expect(NetworkFault(error, host: "h") == .connection(host: "h", .system(ours)))
  }

  @Test("Every flaw of a certificate is a reason, and several are several")
  func flaws() {
    #expect(G_TLS_CERTIFICATE_EXPIRED.list == [.expired])
    #expect(G_TLS_CERTIFICATE_GENERIC_ERROR.list.isEmpty)
    let both = GTlsCertificateFlags(
      rawValue: G_TLS_CERTIFICATE_UNKNOWN_CA.rawValue | G_TLS_CERTIFICATE_BAD_IDENTITY.rawValue)
    #expect(both.list == [.otherHost, .unknownIssuer])
  }
}
