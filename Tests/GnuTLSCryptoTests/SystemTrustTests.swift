import Foundation
import GnuTLSCrypto
import TestSupport
import Testing

@Suite("The authorities that this machine trusts")
struct SystemTrustTests {
  @Test("They are those of the system's file, where it has one")
  func count() async {
    let file = try? String(contentsOfFile: "/etc/ssl/certs/ca-certificates.crt", encoding: .utf8)
    let count = (file ?? "").components(separatedBy: "BEGIN CERTIFICATE").count - 1
    // One thread does all of this in the program. With others that load the same certificates there were none now and then.
    #expect(await besideNoMainLoop { SystemTrust.authorityCount } == count)
  }
}
