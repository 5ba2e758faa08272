import Foundation
import TestSupport
import Testing

/// What the system's or the environment's configuration allows is not asked.
@Suite("A provider that speaks an old version of TLS", .blocking)
struct OldTLSTests {
  /// What makes GnuTLS speak them.
  private static let allowed = [
    "G_TLS_GNUTLS_PRIORITY": "NORMAL:+VERS-TLS1.1:+VERS-TLS1.0:+SHA1:+SIGN-ALL:%COMPAT",
    "TOKENTRY_CLIENT_SECRET": "CANARY",
  ]

  /// What a login comes to, and what OpenSSL's server has heard, which prints it.
  private func login(_ version: String, _ environment: [String: String]) throws -> (Program.Outcome, String) {
    let identity = try TestAuthority().selfSigned("server")
    let port = try freePort()
    let (server, output) = (Process(), Pipe())
    server.executableURL = URL(filePath: "/usr/bin/openssl")
    server.arguments = [
      "s_server", "-accept", "127.0.0.1:\(port)", "-cert", identity.certificate, "-key", identity.key,
      version,
      "-cipher", "ALL:@SECLEVEL=0",
    ]
    server.standardInput = Pipe()
    server.standardOutput = output
    server.standardError = FileHandle.nullDevice
    try server.run()
    var heard = ""
    while !heard.contains("ACCEPT") {
      let data = output.fileHandleForReading.availableData
      try #require(!data.isEmpty, "no server: \(heard)")
      heard += String(decoding: data, as: UTF8.self)
    }
    let outcome = try Program.run(
      [
        "login", "--grant", "client-credentials", "--token-endpoint", "https://127.0.0.1:\(port)/t",
        "--client-id",
        "c", "--trust", "127.0.0.1=\(identity.certificate)", "--timeout",
        "\(5 * min(slowness, 6))",
      ], environment: environment)
    // Of the threads of these tests a child inherits that SIGTERM is blocked.
    kill(server.processIdentifier, SIGKILL)
    heard += String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    server.waitUntilExit()
    return (outcome, heard)
  }

  @Test("It hears nothing, whatever the environment allows", arguments: ["-tls1", "-tls1_1"])
  func refused(version: String) throws {
    let (outcome, heard) = try login(version, Self.allowed)
    #expect(outcome.status == 5, "\(outcome.output)")
    #expect(outcome["error"] as? String == "tls_error")
    #expect(outcome.messages.contains("older than 1.2"), "the connection was there: \(outcome.messages)")
    #expect(!heard.contains("POST") && !heard.contains("Q0FOQVJZ") && !heard.contains("CANARY"))
  }

  @Test("Others hear what they are sent, and nobody gets the keys", arguments: ["-tls1_2", "-tls1_3"])
  func accepted(version: String) throws {
    let keys = FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID().uuidString)").path()
    let (outcome, heard) = try login(version, Self.allowed.merging(["SSLKEYLOGFILE": keys]) { $1 })
    #expect(outcome.status == 4, "it does not answer: \(outcome.output)")
    #expect(heard.contains("POST /t"))
    #expect(!FileManager.default.fileExists(atPath: keys))
  }
}
