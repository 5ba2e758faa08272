import Foundation
import TestSupport
import LoginCore
import SoupNetwork
import Testing

@Suite("Reading a certificate to trust")
struct TrustedCertificateTests {
  @Test("PEM and DER are the same certificate")
  func forms() async throws {
    let identity = try TestAuthority().identity("a")
    let pem = try identity.pem()
    let certificate = try await trusted(pem)
    #expect(try await trusted(try identity.der()) == certificate)
    #expect(try await trusted(Array("a comment\n".utf8) + pem) == certificate)
  }

  @Test("What is no certificate is refused", arguments: ["", "x", "-----BEGIN CERTIFICATE-----\nAAAA\n"])
  func noCertificate(text: String) async {
    await #expect(throws: CertificateFault.notACertificate) { try await trusted(Array(text.utf8)) }
  }

  @Test("A key is no certificate, and several certificates are not one")
  func others() async throws {
    let authority = try TestAuthority()
    let identity = try authority.identity("a")
    let both = try identity.pem() + authority.identity("b").pem()
    let key = Array(try Data(contentsOf: URL(filePath: identity.key)))
    await #expect(throws: CertificateFault.notACertificate) { try await trusted(key) }
    await #expect(throws: CertificateFault.several) { try await trusted(both) }
  }
}

/// A certificate that is read while no main loop runs: in the program one thread does both, and GLib loads what it needs for
/// certificates with the first of them.
func trusted(_ bytes: [UInt8]) async throws -> TrustedCertificate {
  try await besideNoMainLoop { Result { try TrustedCertificate(bytes) } }.get()
}
