import Foundation
import TestSupport
import Testing

@Suite("Standard output where libraries are asked to print", .blocking)
struct StandardOutputTests {
  /// What makes GLib, GIO, libsoup, libsecret, GnuTLS, GTK and WebKit talk.
  static let variables = [
    "G_MESSAGES_DEBUG": "all", "G_DBUS_DEBUG": "all", "G_TLS_DEBUG": "all", "SOUP_DEBUG": "all",
    "LIBSECRET_DEBUG": "all", "SECRET_DEBUG": "all", "GNUTLS_DEBUG_LEVEL": "9", "LIBPROXY_DEBUG": "all",
    "PX_DEBUG": "1", "GTK_DEBUG": "all", "GDK_DEBUG": "all", "WEBKIT_DEBUG": "all",
  ]

  @Test("The answer stands there alone, and what they print goes to standard error")
  func alone() throws {
    let bus = try PrivateBus(.unlocked)
    let environment = bus.environment.merging(Self.variables) { $1 }
      .merging(["TOKENTRY_CLIENT_SECRET": "x"]) { $1 }
    let server = try StandInServer { _, _ in .json(#"{"access_token":"T","token_type":"Bearer"}"#) }
    let options = [
      "--token-endpoint", server.base + "/token", "--grant", "client-credentials", "--client-id", "c",
      "--account", "work",
    ]
    let login = try Program.run(["login"] + options, environment: environment)
    #expect(login.status == 0)
    #expect(login.output == "{\"access_token\":\"T\",\"token_type\":\"Bearer\",\"checks\":{}}\n")
    #expect(login.messages.contains("GDBus-debug"), "the variables have an effect")
    let kept = try Program.run(["token", "--account", "work", "--output", "token"], environment: environment)
    #expect(kept.output == "T\n")
    let failed = try Program.run(["token", "--account", "other"], environment: environment)
    #expect(failed["error"] as? String == "unknown_account")
    #expect(failed.output.filter { $0 == "\n" }.count == 1)
  }
}
