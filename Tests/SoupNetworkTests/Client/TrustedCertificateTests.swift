import Foundation
import TestSupport
import LoginCore
import SoupNetwork
import Testing

@Suite("Reading a certificate to trust")
struct TrustedCertificateTests {
  @Test("PEM and DER are the same certificate")
  func forms() throws {
    let identity = try TestAuthority().identity("a")
    let pem = try identity.pem()
    #expect(try TrustedCertificate(pem) == TrustedCertificate(try identity.der()))
    #expect(try TrustedCertificate(Array("a comment\n".utf8) + pem) == TrustedCertificate(pem))
  }

  @Test("What is no certificate is refused", arguments: ["", "x", "-----BEGIN CERTIFICATE-----\nAAAA\n"])
  func noCertificate(text: String) {
    #expect(throws: CertificateFault.notACertificate) { try TrustedCertificate(Array(text.utf8)) }
  }

  @Test("A key is no certificate, and several certificates are not one")
  func others() throws {
    let authority = try TestAuthority()
    let identity = try authority.identity("a")
    let second = try authority.identity("b").pem()
    let key = Array(try Data(contentsOf: URL(filePath: identity.key)))
    #expect(throws: CertificateFault.notACertificate) { try TrustedCertificate(key) }
    #expect(throws: CertificateFault.several) { try TrustedCertificate(try identity.pem() + second) }
  }
}
