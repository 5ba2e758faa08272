import LoginCore
import TestSupport
import Testing

/// A token endpoint whose certificate nobody has vouched for (RFC 6749 section 10.9). What else can be wrong with
/// one is tried where certificates are judged.
@Suite("A hostile provider's certificate")
struct HostileCertificateTests {
  private static let token = #"{"access_token":"T","token_type":"Bearer"}"#

  private func login(trusting certificate: TestAuthority.Identity?, shown: TestAuthority.Identity) throws
    -> (outcome: Program.Outcome, heard: String)
  {
    let server = ScriptedServer(identity: shown) { wire in
      if wire.readRequest() { wire.answer("HTTP/1.1 200 OK\r\nContent-Type: application/json", Self.token) }
    }
    defer { server.stop() }
    let address = "https://127.0.0.1:\(server.port)/token"
    let provider = try HostileProvider { $0.metadata["token_endpoint"] = .string(address) }
    let trust = certificate.map { ["--trust", "127.0.0.1=\($0.certificate)"] } ?? []
    let outcome = try Program.run(provider.arguments(isForOpenID: false) + trust)
    return (outcome, server.heard)
  }

  @Test("A token endpoint that shows one learns nothing")
  func refused() async throws {
    try await onThread {
      let authority = try TestAuthority()
      let shown = try authority.selfSigned("shown")
      for trusted in [nil, try authority.selfSigned("other")] {
        let (outcome, heard) = try login(trusting: trusted, shown: shown)
        #expect(outcome.status == 5, "\(outcome.output)")
        #expect(outcome["error"] as? String == "tls_error")
        #expect(heard.isEmpty)
      }
    }
  }

  @Test("The one that is trusted is accepted")
  func trusted() async throws {
    try await onThread {
      let shown = try TestAuthority().selfSigned("shown")
      let (outcome, heard) = try login(trusting: shown, shown: shown)
      #expect(outcome.status == 0, "\(outcome.output)")
      #expect(heard.hasPrefix("POST /token"))
    }
  }
}
