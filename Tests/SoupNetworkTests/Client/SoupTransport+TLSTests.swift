import LoginCore
import TestSupport
import Testing

@testable import SoupNetwork

@Suite("Whose certificates are trusted", .limited(toMinutes: 5))
struct TLSTests {
  private let authority: TestAuthority

  init() throws { authority = try TestAuthority() }

  @Test("A certificate of an authority that is trusted is accepted")
  func accepted() async throws {
    let server = answering(try authority.identity("good"))
    defer { server.stop() }
    let request = HTTPRequest(post: [Parameter("code", "C")], to: try endpoint(of: server))
    let result = await exchange(request, authorities: .file(authority.certificate))
    #expect(result.answer?.body == Array("{}".utf8), "\(result)")
    #expect(server.heard.hasSuffix("code=C"))
  }

  @Test("A second request on the same connection is an answer of the same server")
  func reused() async throws {
    let identity = try authority.identity("good")
    let server = ScriptedServer(identity: identity) { wire in
      while wire.readRequest() { wire.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}") }
    }
    defer { server.stop() }
    let request = HTTPRequest(get: try endpoint(of: server))
    let results = await exchanges([request, request], authorities: .file(authority.certificate))
    #expect(results.map { $0.answer?.status } == [200, 200], "\(results)")
    #expect(server.connections == 1)
  }

  @Test("This system trusts none of the authorities of the tests, and the server hears nothing")
  func unknownIssuer() async throws {
    for identity in [try authority.identity("good"), try authority.selfSigned("self")] {
      try await refused(identity, "it has an issuer that is unknown") { $0.has(.unknownIssuer) }
    }
  }

  @Test("A certificate that has expired is refused, and the server hears nothing")
  func expired() async throws {
    let identity = try authority.identity("expired", days: -1)
    try await refused(identity, "expired", authorities: authority.certificate) { $0.has(.expired) }
  }

  @Test("A certificate of another host is refused, and the server hears nothing")
  func wrongHost() async throws {
    let identity = try authority.identity("other", for: "DNS:other.example")
    try await refused(identity, "host", authorities: authority.certificate) {
      $0 == .certificate([.otherHost])
    }
  }

  @Test("The certificate that is trusted for a host is accepted whatever is wrong with it")
  func pinned() async throws {
    let identities = [
      try authority.selfSigned("self"), try authority.identity("expired", days: -1),
      try authority.identity("other", for: "DNS:other.example"),
    ]
    for identity in identities {
      let server = answering(identity)
      defer { server.stop() }
      for bytes in [try identity.pem(), try identity.der()] {
        let result = await exchange(
          HTTPRequest(get: try endpoint(of: server)), trusted: ["LOCALHOST": try await trusted(bytes)])
        #expect(result.answer?.status == 200, "\(result)")
      }
    }
  }

  @Test("Any other certificate of that host is refused, also one that would pass without the pin")
  func anotherThanPinned() async throws {
    let good = try authority.identity("good")
    let pin = try await trusted(try authority.identity("second").pem())
    try await refused(good, "pin", authorities: authority.certificate, trusted: ["localhost": pin]) {
      $0 == .notThePinned
    }
    // An authority as the pin is no authority any more.
    let root = try await trusted(
      authority.root.pem())
    try await refused(good, "root", authorities: authority.certificate, trusted: ["localhost": root]) {
      $0 == .notThePinned
    }
  }

  @Test("For other hosts nothing changes")
  func otherHosts() async throws {
    let identity = try authority.selfSigned("self")
    let pin = try await trusted(try identity.pem())
    try await refused(identity, "other", trusted: ["127.0.0.1": pin, "example.com": pin]) {
      $0.has(.unknownIssuer)
    }
  }

  @Test("A server without TLS is refused")
  func plain() async throws {
    let server = ScriptedServer { wire in
      wire.write("HTTP/1.1 200 OK\r\n\r\n")
      wire.waitForEnd()
    }
    defer { server.stop() }
    let result = await exchange(HTTPRequest(post: [Parameter("code", "C")], to: try endpoint(of: server)))
    guard case .tls(host: "localhost", .notTLS, fingerprint: nil) = result.fault else {
      Issue.record("\(result)")
      return
    }
    #expect(!server.heard.contains("code"))
  }

  @Test("A connection that breaks inside TLS is a connection that failed")
  func broken() async throws {
    let identity = try authority.identity("good")
    for begin in ["", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"] {
      let server = ScriptedServer(identity: identity) { wire in
        wire.readRequest()
        wire.write(begin)
        wire.reset()
      }
      defer { server.stop() }
      let result = await exchange(
        HTTPRequest(get: try endpoint(of: server)), authorities: .file(authority.certificate))
      guard case .connection(host: "localhost", _) = result.fault else {
        Issue.record("\(begin.debugDescription): \(result)")
        continue
      }
    }
  }

  @Test("The deadline counts for the handshake as well")
  func silent() async throws {
    let server = ScriptedServer { $0.waitForEnd() }
    defer { server.stop() }
    let result = await exchange(HTTPRequest(get: try endpoint(of: server)), limits: .init(seconds: 1))
    #expect(result.fault == .timeout(host: "localhost", seconds: 1))
  }

  private func answering(_ identity: TestAuthority.Identity) -> ScriptedServer {
    ScriptedServer(identity: identity) { wire in
      if wire.readRequest() { wire.answer("HTTP/1.1 200 OK", "{}") }
    }
  }

  private func endpoint(of server: ScriptedServer) throws -> Endpoint {
    try server.endpoint(scheme: "https", host: "localhost")
  }

  /// Expects that a certificate is refused before anything is sent.
  private func refused(
    _ identity: TestAuthority.Identity, _ what: Comment, authorities: String? = nil,
    trusted: [String: TrustedCertificate] = [:], _ isExpected: (TLSFault) -> Bool
  ) async throws {
    let server = answering(identity)
    defer { server.stop() }
    let request = HTTPRequest(post: [Parameter("code", "C")], to: try endpoint(of: server))
    let result = await exchange(
      request, trusted: trusted, authorities: authorities.map { .file($0) } ?? .system)
    guard case .tls(host: "localhost", let reason, let fingerprint) = result.fault else {
      Issue.record("\(what): \(result)")
      return
    }
    #expect(isExpected(reason), "\(what): \(reason)")
    #expect(fingerprint == (try identity.fingerprint()))
    #expect(server.heard.isEmpty)
  }
}

extension TLSFault {
  /// Whether the certificate has this flaw.
  fileprivate func has(_ flaw: CertificateFlaw) -> Bool {
    if case .certificate(let flaws) = self { flaws.contains(flaw) } else { false }
  }
}
