import LoginCore
import TestSupport
import Testing

/// A token endpoint whose certificate nobody has vouched for (RFC 6749 section 10.9). What else can be wrong with
/// one is tried where certificates are judged.
@Suite("A hostile provider's certificate", .blocking)
struct HostileCertificateTests {
  private static let token = #"{"access_token":"T","token_type":"Bearer"}"#

  /// What the program comes to, and what the token endpoint has heard.
  private struct Ending {
    let outcome: Program.Outcome
    let heard: String
  }

  private func login(
    trusting certificate: TestAuthority.Identity?, shown: TestAuthority.Identity
  ) async throws -> Ending {
    try await onThread {
      let server = ScriptedServer(identity: shown) { wire in
        if wire.readRequest() { wire.answer("HTTP/1.1 200 OK\r\nContent-Type: application/json", Self.token) }
      }
      defer { server.stop() }
      let address = "https://127.0.0.1:\(server.port)/token"
      let provider = try HostileProvider { $0.metadata["token_endpoint"] = .string(address) }
      let trust = certificate.map { ["--trust", "127.0.0.1=\($0.certificate)"] } ?? []
      let outcome = try Program.run(provider.arguments(isForOpenID: false) + trust)
      return Ending(outcome: outcome, heard: server.heard)
    }
  }

  @Test("A token endpoint that shows one learns nothing")
  func refused() async throws {
    let authority = try TestAuthority()
    let shown = try authority.selfSigned("shown")
    for trusted in [nil, try authority.selfSigned("other")] {
      let ending = try await login(trusting: trusted, shown: shown)
      #expect(ending.outcome.status == 5, "\(ending.outcome.output)")
      #expect(ending.outcome["error"] as? String == "tls_error")
      #expect(ending.heard.isEmpty)
    }
  }

  @Test("The one that is trusted is accepted")
  func trusted() async throws {
    let shown = try TestAuthority().selfSigned("shown")
    let ending = try await login(trusting: shown, shown: shown)
    #expect(ending.outcome.status == 0, "\(ending.outcome.output)")
    #expect(ending.heard.hasPrefix("POST /token"))
  }
}
