import Foundation
import GnuTLSCrypto
@testable import LoginCore
import Testing

@Suite("Random bytes and digests of GnuTLS")
struct GnuTLSCryptographyTests {
  private let cryptography = GnuTLSCryptography()

  @Test("Ten thousand random values differ and have the requested length")
  func random() throws {
    var seen: Set<[UInt8]> = []
    for _ in 0..<10_000 {
      let bytes = try cryptography.randomBytes(32)
      #expect(bytes.count == 32)
      #expect(seen.insert(bytes).inserted)
    }
  }

  @Test("Every bit of a random value is sometimes 0 and sometimes 1")
  func everyBit() throws {
    var ever = [UInt8](repeating: 0, count: 32), always = [UInt8](repeating: 0xFF, count: 32)
    for _ in 0..<200 {
      for (index, byte) in try cryptography.randomBytes(32).enumerated() {
        ever[index] |= byte
        always[index] &= byte
      }
    }
    #expect(ever.allSatisfy { $0 == 0xFF })
    #expect(always.allSatisfy { $0 == 0 })
  }

  // FIPS 180-4, examples of the Secure Hash Standard.
  @Test(
    "SHA-256 gives the published digests",
    arguments: [
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func sha256(text: String, digest: String) throws {
    #expect(digits(try cryptography.digest(.sha256, of: Array(text.utf8))) == digest)
  }

  // FIPS 180-4, examples of the Secure Hash Standard.
  @Test("SHA-384 and SHA-512 give the published digests")
  func longerDigests() throws {
    #expect(
      digits(try cryptography.digest(.sha384, of: Array("abc".utf8)))
        == "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
        + "8086072ba1e7cc2358baeca134c825a7")
    #expect(
      digits(try cryptography.digest(.sha512, of: Array("abc".utf8)))
        == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
  }

  // RFC 7636 appendix B.
  @Test("SHA-256 of the published PKCE verifier is the published challenge")
  func challenge() throws {
    let digest = try cryptography.digest(
      .sha256, of: Array("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk".utf8))
    #expect(Base64.encodeURLSafe(digest) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  private func digits(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

@Suite("Trusted authorities of this machine")
struct SystemTrustTests {
  @Test("They are counted as in the system's file")
  func count() {
    let file = try? String(contentsOfFile: "/etc/ssl/certs/ca-certificates.crt", encoding: .utf8)
    let count = (file ?? "").components(separatedBy: "BEGIN CERTIFICATE").count - 1
    #expect(SystemTrust.authorityCount == count)
  }
}
