import Foundation
import LoginCore
import TestSupport
import Testing

/// RFC 6749 section 10.9. The tests of SoupNetwork try other faults of certificates.
@Suite("The certificate of a hostile provider", .blocking)
struct HostileCertificateTests {
  /// Runs a login at a token endpoint with a certificate. Returns what the endpoint has heard too.
  private func login(
    trusting certificate: TestAuthority.Identity?, shown: TestAuthority.Identity
  ) throws -> (outcome: Outcome, heard: String) {
    let server = ScriptedServer(identity: shown) { wire in
      guard wire.readRequest() else { return }
      let token = #"{"access_token":"T","token_type":"Bearer"}"#
      wire.answer("HTTP/1.1 200 OK\r\nContent-Type: application/json", token)
    }
    defer { server.stop() }
    let address = "https://127.0.0.1:\(server.port)/token"
    let provider = try HostileProvider { $0.metadata["token_endpoint"] = .string(address) }
    let trust = certificate.map { ["--trust", "127.0.0.1=\($0.certificate)"] } ?? []
    return (try Tokentry.run(provider.arguments(isForOpenID: false) + trust), server.heard)
  }

  @Test("A token endpoint with an untrusted certificate gets no request")
  func refused() throws {
    let authority = try TestAuthority()
    let shown = try authority.selfSigned("shown")
    for trusted in [nil, try authority.selfSigned("other")] {
      let (outcome, heard) = try login(trusting: trusted, shown: shown)
      #expect(outcome.status == 5, "\(outcome.output)")
      #expect(outcome.error == "tls_error")
      #expect(heard.isEmpty)
    }
  }

  @Test("SSL_CERT_FILE names the authorities, and a file that cannot be read is an error, which doctor finds")
  func ownAuthorities() throws {
    let (authority, other) = (try TestAuthority(), try TestAuthority())
    let identity = try authority.identity("good")
    for (file, status) in [(authority.certificate, 0), (other.certificate, 5), ("/none", 2)] {
      let server = ScriptedServer(identity: identity) { wire in
        if wire.readRequest() { wire.answer("HTTP/1.1 200 OK", "hello") }
      }
      defer { server.stop() }
      let outcome = try Tokentry.run(
        ["login", "--grant", "client-credentials", "--client-id", "a", "--endpoint"]
          + ["token=https://127.0.0.1:\(server.port)/t"],
        environment: ["SSL_CERT_FILE": file, "TOKENTRY_CLIENT_SECRET": "s"])
      // The server's answer is none of OAuth.
      #expect(outcome.status == (status == 0 ? 5 : status), "\(outcome)")
      #expect((outcome.error == "bad_provider_response") == (status == 0), "\(outcome)")
      #expect(server.heard.isEmpty == (status != 0))
      let doctor = try Tokentry.run(["doctor", "--silent"], environment: ["SSL_CERT_FILE": file])
      #expect(doctor.status == (file == "/none" ? 7 : 0), "\(doctor)")
      #expect(
        doctor.output.contains("SSL_CERT_FILE names the certificate authorities") == (file != "/none"),
        "\(doctor)")
    }
  }

  @Test("A certificate that the caller trusts is accepted")
  func trusted() throws {
    let shown = try TestAuthority().selfSigned("shown")
    let (outcome, heard) = try login(trusting: shown, shown: shown)
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(heard.hasPrefix("POST /token"))
  }
}

/// Neither the system's configuration nor the environment can allow an old version.
@Suite("A provider with an old version of TLS", .blocking)
struct OldTLSTests {
  /// Makes GnuTLS accept old versions.
  private static let allowed = [
    "G_TLS_GNUTLS_PRIORITY": "NORMAL:+VERS-TLS1.1:+VERS-TLS1.0:+SHA1:+SIGN-ALL:%COMPAT",
    "TOKENTRY_CLIENT_SECRET": "CANARY",
  ]

  /// Runs a login at OpenSSL's server, which answers once it has the request. Returns what the server has heard too.
  private func login(_ version: String, _ environment: [String: String]) throws -> (Outcome, String) {
    let identity = try TestAuthority().selfSigned("server")
    let folder = TemporaryFolder()
    let server = Command.process([
      "/usr/bin/openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", identity.certificate, "-key",
      identity.key, version, "-cipher", "ALL:@SECLEVEL=0",
    ])
    let answer = Pipe()
    server.standardInput = answer
    server.standardOutput = try FileHandle(forWritingTo: URL(filePath: folder.write("", to: "heard")))
    server.standardError = FileHandle.nullDevice
    try server.run()
    var heard: String { folder.text(of: "heard") }
    var port: Substring? { heard.firstMatch(of: /ACCEPT 127\.0\.0\.1:([0-9]+)\n/)?.output.1 }
    waitUntil { port != nil || !server.isRunning }
    let address = "127.0.0.1:\(try #require(port, "no server: \(heard)"))"
    let login = try RunningTokentry(
      [
        "login", "--grant", "client-credentials", "--endpoint", "token=https://\(address)/t", "--client-id",
        "c", "--trust", "127.0.0.1=\(identity.certificate)",
      ], environment: environment)
    waitUntil { heard.contains("POST /t") || !login.isRunning }
    let token = #"{"access_token":"T","token_type":"Bearer"}"#
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(token.utf8.count)"
    // The server sends what it reads.
    try answer.give("\(head)\r\n\r\n\(token)")
    let outcome = login.outcome()
    // SIGTERM may be blocked in a child of the test runner.
    kill(server.processIdentifier, SIGKILL)
    server.waitUntilExit()
    return (outcome, heard)
  }

  @Test("TLS 1.0 and 1.1 are refused before the request is sent", arguments: ["-tls1", "-tls1_1"])
  func refused(version: String) throws {
    let (outcome, heard) = try login(version, Self.allowed)
    #expect(outcome.status == 5, "\(outcome.output)")
    #expect(outcome.error == "tls_error")
    #expect(outcome.messages.contains("older than 1.2"), "there was a connection: \(outcome.messages)")
    #expect(!heard.contains("POST") && !heard.contains("Q0FOQVJZ") && !heard.contains("CANARY"))
  }

  @Test(
    "TLS 1.2 and 1.3 are accepted, and the session keys are not logged", arguments: ["-tls1_2", "-tls1_3"])
  func accepted(version: String) throws {
    let folder = TemporaryFolder()
    let (outcome, heard) = try login(
      version, Self.allowed.merging(["SSLKEYLOGFILE": folder.path + "/keys"]) { $1 })
    #expect(outcome.status == 0 && outcome.accessToken == "T", "\(outcome)")
    #expect(heard.contains("POST /t"))
    #expect(!folder.contains("keys"))
  }
}
