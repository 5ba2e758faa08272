import Testing

@testable import LoginCore

@Suite("Base64")
struct Base64Tests {
  // RFC 4648 section 10.
  private static let vectors = [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ]

  @Test("The standard alphabet is padded", arguments: vectors)
  func standard(text: String, encoded: String) {
    #expect(Base64.encode(text.utf8) == encoded)
  }

  @Test("The URL-safe alphabet is not padded", arguments: vectors)
  func urlSafe(text: String, encoded: String) {
    #expect(Base64.encodeURLSafe(text.utf8) == String(encoded.prefix { $0 != "=" }))
  }

  @Test("The alphabets differ only in their last two digits")
  func alphabets() {
    let bytes: [UInt8] = [0xFB, 0xEF, 0xBE, 0xFF, 0xFF, 0xFF]
    #expect(Base64.encode(bytes) == "++++////")
    #expect(Base64.encodeURLSafe(bytes) == "----____")
  }

  @Test("Every digit of the alphabet stands for its own number")
  func allDigits() {
    // Four digits of six bits are three bytes: 0, 1, 2, 3, and so on to 63.
    let bytes = stride(from: UInt32(0), to: 64, by: 4).flatMap { digit in
      let bits = digit << 18 | (digit + 1) << 12 | (digit + 2) << 6 | (digit + 3)
      return [UInt8(bits >> 16), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
    }
    #expect(
      Base64.encode(bytes) == "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  }

  @Test("A long input is encoded completely")
  func long() {
    let encoded = Base64.encode([UInt8](repeating: 0, count: 30_000))
    #expect(encoded == String(repeating: "A", count: 40_000))
  }

  @Test("32 bytes become 43 characters, the shortest code verifier")
  func thirtyTwoBytes() {
    // RFC 7636 appendix B.
    let bytes: [UInt8] = [
      116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105,
      214, 191, 240, 91, 88, 5, 88, 83, 132, 141, 121,
    ]
    #expect(Base64.encodeURLSafe(bytes) == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
  }

  @Test("Decoding returns the bytes that were encoded", arguments: vectors)
  func decode(text: String, encoded: String) throws {
    let bytes = try #require(Base64.decodeURLSafe(String(encoded.prefix { $0 != "=" })))
    #expect(bytes == Array(text.utf8))
  }

  @Test("Every byte survives encoding and decoding in every place")
  func decodeAll() {
    for byte in UInt8.min...UInt8.max {
      for bytes in [[byte], [0, byte], [0xFF, 0, byte], [byte, byte, byte, byte]] {
        #expect(Base64.decodeURLSafe(Base64.encodeURLSafe(bytes)) == bytes)
      }
    }
  }

  @Test(
    "Decoding refuses any text that encoding does not write",
    arguments: [
      "Zg==", "Zg=", "Zm8=", "=", "====", "Z", "Zm9vY", "Zm9v\n", " Zm9v", "Zm 9v", "Zm9v\u{0}", "Zm+v",
      "Zm/v",
      "Zm.v", "Zm9é", "Zm9\u{301}", "Zm9ⅴ", "Zm9v?", "####",
    ])
  func refused(text: String) {
    #expect(Base64.decodeURLSafe(text) == nil)
  }

  @Test(
    "Decoding refuses stray bits after the last byte, so that no two texts mean the same",
    arguments: ["", "Zm9v"])
  func trailingBits(start: String) {
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for (value, digit) in digits.enumerated() {
      #expect((Base64.decodeURLSafe("\(start)Z\(digit)") != nil) == (value % 16 == 0))
      #expect((Base64.decodeURLSafe("\(start)Zm\(digit)") != nil) == (value % 4 == 0))
    }
  }
}
