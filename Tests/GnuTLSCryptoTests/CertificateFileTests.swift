import Foundation
import TestSupport
import Testing

@testable import GnuTLSCrypto

@Suite("Reading a client certificate")
struct CertificateFileTests {
  private let authority: TestAuthority
  private let anna: TestAuthority.Identity

  init() throws {
    authority = try TestAuthority()
    anna = try authority.identity("anna")
  }

  private func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

  @Test("PEM, with or without a passphrase, and PKCS#12 give the same certificate with its key")
  func forms() throws {
    let (certificate, key) = (try anna.pem(), try bytes(anna.key))
    let pem = try CertificateFile.pem(certificate + key)
    #expect(pem.contains("-----BEGIN CERTIFICATE-----") && pem.contains("-----BEGIN PRIVATE KEY-----"))
    let locked = try bytes(authority.locked(anna, "secret"))
    #expect(try CertificateFile.pem(certificate + locked, passphrase: "secret") == pem)
    let archive = try bytes(authority.archive(anna, "secret"))
    #expect(try CertificateFile.pem(archive, passphrase: "secret") == pem)
    #expect(CertificateFile.name(inPEM: certificate) == "anna")
  }

  @Test("A wrong passphrase and none are told from files that cannot be used")
  func errors() throws {
    let (certificate, key) = (try anna.pem(), try bytes(anna.key))
    let (locked, archive) = (
      try bytes(authority.locked(anna, "secret")), try bytes(authority.archive(anna, "secret"))
    )
    let other = try bytes(try authority.identity("ben").key)
    for (file, passphrase, error) in [
      (certificate + locked, nil, .locked), (certificate + locked, "wrong", .locked),
      (archive, nil, .locked), (archive, "wrong", .locked), (certificate, nil, .noKey),
      (certificate + other, nil, .otherKey), (key, nil, .noCertificate),
      (Array("x".utf8), nil, .noCertificate), ([], nil, .noCertificate),
    ] as [([UInt8], String?, CertificateFile.ReadError)] {
      #expect(throws: error) { try CertificateFile.pem(file, passphrase: passphrase) }
    }
  }

  @Test(
    "The key in a token has the certificate's identifier, or else its label",
    arguments: [
      ("pkcs11:token=card;id=%01;object=Login;type=cert", "pkcs11:token=card;id=%01;type=private"),
      ("pkcs11:token=card;object=Login;type=cert", "pkcs11:token=card;object=Login;type=private"),
    ])
  func key(uri: String, key: String) { #expect(TokenCertificate.keyURI(of: uri) == key) }
}
