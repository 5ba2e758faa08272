import Foundation
import GnuTLSCrypto
import Testing

@Suite("The authorities that this machine trusts")
struct SystemTrustTests {
  @Test("They are those of the system's file, where it has one")
  func count() {
    let file = try? String(contentsOfFile: "/etc/ssl/certs/ca-certificates.crt", encoding: .utf8)
    let count = (file ?? "").components(separatedBy: "BEGIN CERTIFICATE").count - 1
    #expect(SystemTrust.authorityCount == count)
  }
}
