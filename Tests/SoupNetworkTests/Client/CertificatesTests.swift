import Foundation
import LoginCore
import TestSupport
import Testing

@testable import SoupNetwork

@Suite("Reading a trusted certificate")
struct TrustedCertificateTests {
  @Test("PEM and DER give the same certificate")
  func forms() async throws {
    let identity = try TestAuthority().identity("a")
    let pem = try identity.pem()
    let certificate = try await trusted(pem)
    #expect(try await trusted(try identity.der()) == certificate)
    #expect(try await trusted(Array("a comment\n".utf8) + pem) == certificate)
  }

  @Test("Text without a certificate is refused", arguments: ["", "x", "-----BEGIN CERTIFICATE-----\nAAAA\n"])
  func noCertificate(text: String) async {
    await #expect(throws: TrustedCertificate.ReadError.notACertificate) {
      try await trusted(Array(text.utf8))
    }
  }

  @Test("A key and a file with several certificates are refused")
  func others() async throws {
    let authority = try TestAuthority()
    let identity = try authority.identity("a")
    let both = try identity.pem() + authority.identity("b").pem()
    let key = Array(try Data(contentsOf: URL(filePath: identity.key)))
    await #expect(throws: TrustedCertificate.ReadError.notACertificate) { try await trusted(key) }
    await #expect(throws: TrustedCertificate.ReadError.several) { try await trusted(both) }
  }
}

/// Reads a certificate while no main loop runs. The program does both on one thread, and GLib loads its TLS module with
/// the first certificate.
func trusted(_ bytes: [UInt8]) async throws -> TrustedCertificate {
  try await whileNoMainLoopRuns { Result { try TrustedCertificate(bytes) } }.get()
}

@Suite("Trusted and refused certificates", .limited(toMinutes: 5))
struct TLSTests {
  private let authority: TestAuthority

  init() throws { authority = try TestAuthority() }

  @Test("A certificate of a trusted authority is accepted")
  func accepted() async throws {
    let server = answering(try authority.identity("good"))
    defer { server.stop() }
    let request = HTTPRequest(post: [Parameter("code", "C")], to: try endpoint(of: server))
    let result = await exchange(request, authorities: .file(authority.certificate))
    #expect(result.answer?.body == Array("{}".utf8), "\(result)")
    #expect(server.heard.hasSuffix("code=C"))
  }

  @Test("A second request uses the same TLS connection")
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

  @Test("A certificate of an unknown issuer is refused before the request is sent")
  func unknownIssuer() async throws {
    for identity in [try authority.identity("good"), try authority.selfSigned("self")] {
      try await refused(identity, "it has an issuer that is unknown", "its issuer is unknown")
    }
  }

  @Test("An expired certificate is refused before the request is sent")
  func expired() async throws {
    let identity = try authority.identity("expired", days: -1)
    try await refused(
      identity, "expired", authorities: authority.certificate, "it has expired", isOfWrongDate: true)
  }

  @Test("A certificate of another host is refused before the request is sent")
  func wrongHost() async throws {
    let identity = try authority.identity("other", for: "DNS:other.example")
    try await refused(identity, "host", authorities: authority.certificate, "it belongs to another host")
  }

  @Test("A host's pinned certificate is accepted even if it is self-signed, expired or for another name")
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

  @Test("A host with a pinned certificate may use no other, even a valid one")
  func anotherThanPinned() async throws {
    let good = try authority.identity("good")
    let pin = try await trusted(try authority.identity("second").pem())
    try await refused(
      good, "pin", authorities: authority.certificate, trusted: ["localhost": pin], Self.notThePinned)
  }

  @Test("An authority that is trusted for a host vouches for the host's valid certificates alone")
  func authorityOfHost() async throws {
    let root = ["localhost": try await trusted(authority.root.pem())]
    let server = answering(try authority.identity("good"))
    defer { server.stop() }
    let result = await exchange(HTTPRequest(get: try endpoint(of: server)), trusted: root)
    #expect(result.answer?.status == 200, "\(result)")
    let others = [
      try authority.identity("expired", days: -1), try authority.identity("other", for: "DNS:other.example"),
      try TestAuthority().identity("strange"),
    ]
    for identity in others {
      try await refused(
        identity, "other", authorities: authority.certificate, trusted: root, Self.notThePinned)
    }
  }

  @Test("A pinned certificate does not apply to other hosts")
  func otherHosts() async throws {
    let identity = try authority.selfSigned("self")
    let pin = try await trusted(try identity.pem())
    try await refused(
      identity, "other", trusted: ["127.0.0.1": pin, "example.com": pin], "its issuer is unknown")
  }

  @Test("A server without TLS is refused")
  func plain() async throws {
    let server = ScriptedServer { wire in
      wire.write("HTTP/1.1 200 OK\r\n\r\n")
      wire.waitForEnd()
    }
    defer { server.stop() }
    let result = await exchange(HTTPRequest(post: [Parameter("code", "C")], to: try endpoint(of: server)))
    #expect(result.failure == .insecureConnection("localhost", "the server does not speak TLS"))
    #expect(!server.heard.contains("code"))
  }

  @Test("A TLS connection that breaks off is a failed connection")
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
      #expect(result.failure?.isUnreachable == true, "\(begin.debugDescription)")
    }
  }

  @Test("A silent TLS handshake ends with the deadline")
  func silent() async throws {
    let server = ScriptedServer { $0.waitForEnd() }
    defer { server.stop() }
    let result = await exchange(HTTPRequest(get: try endpoint(of: server)), limits: .init(seconds: 1))
    #expect(result.failure == .noAnswer("localhost", seconds: 1))
  }

  private static let notThePinned: Message = "it is not the one that is trusted for this host"

  private func answering(_ identity: TestAuthority.Identity) -> ScriptedServer {
    ScriptedServer(identity: identity) { wire in
      if wire.readRequest() { wire.answer("HTTP/1.1 200 OK", "{}") }
    }
  }

  private func endpoint(of server: ScriptedServer) throws -> Endpoint {
    try server.endpoint(scheme: "https", host: "localhost")
  }

  /// Expects the certificate to be refused before the request is sent.
  private func refused(
    _ identity: TestAuthority.Identity, _ what: Comment, authorities: String? = nil,
    trusted: [String: TrustedCertificate] = [:], _ reason: Message, isOfWrongDate: Bool = false
  ) async throws {
    let server = answering(identity)
    defer { server.stop() }
    let request = HTTPRequest(post: [Parameter("code", "C")], to: try endpoint(of: server))
    let result = await exchange(
      request, trusted: trusted, authorities: authorities.map { .file($0) } ?? .system)
    let failure = Failure.untrustedCertificate(
      "localhost", reason, fingerprint: try identity.fingerprint(), isOfWrongDate: isOfWrongDate)
    #expect(result.failure == failure, what)
    #expect(server.heard.isEmpty)
  }
}
