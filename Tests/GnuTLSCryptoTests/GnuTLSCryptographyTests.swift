import GnuTLSCrypto
import LoginCore
import Testing

@Suite("Cryptography from GnuTLS")
struct GnuTLSCryptographyTests {
  private let cryptography = GnuTLSCryptography()

  @Test("Ten thousand random values are all different and of the length that was asked for")
  func random() throws {
    var seen: Set<[UInt8]> = []
    for _ in 0..<10_000 {
      let bytes = try cryptography.randomBytes(32)
      #expect(bytes.count == 32)
      #expect(seen.insert(bytes).inserted)
    }
  }

  @Test("Every bit of a random value is sometimes set and sometimes not")
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
    "SHA-256 of the published examples",
    arguments: [
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func sha256(text: String, digest: String) throws {
    let bytes = try cryptography.sha256(Array(text.utf8))
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(digits == digest)
  }
}
