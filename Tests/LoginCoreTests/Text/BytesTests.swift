import Testing

@testable import LoginCore

/// Texts compared as bytes, and the classes of single bytes.
@Suite("Bytes")
struct BytesTests {
  @Test("canonically equivalent texts are not identical")
  func normalisationForms() {
    let composed = "caf\u{E9}", decomposed = "cafe\u{301}"
    #expect(composed == decomposed)  // what the function is there to avoid
    #expect(!composed.isIdentical(to: decomposed))
    #expect(composed.isIdentical(to: "caf\u{E9}"))
    #expect(!"\u{212A}".isIdentical(to: "K"))  // KELVIN SIGN
  }

  @Test(
    "texts of different length or bytes are not identical",
    arguments: [("a", "A"), ("a", "a "), ("a", ""), ("a\u{0}", "a"), ("ab", "aab"), ("a", "aa")])
  func different(first: String, second: String) {
    #expect(!first.isIdentical(to: second))
    #expect(!second.isIdentical(to: first))
  }

  @Test("letters, digits and unreserved characters are those of ASCII alone")
  func classes() {
    let all = (UInt8.min...UInt8.max)
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    #expect(all.filter(\.isLetter) == Array(letters.utf8))
    #expect(all.filter(\.isDigit) == Array("0123456789".utf8))
    // RFC 3986 section 2.3.
    #expect(Set(all.filter(\.isUnreserved)) == Set((letters + "0123456789-._~").utf8))
    #expect(all.filter(\.isVisible) == Array(0x21...0x7E))
  }

  @Test("only upper-case ASCII letters are lower-cased")
  func lowercasing() {
    let changed = (UInt8.min...UInt8.max).filter { $0.lowercased != $0 }
    #expect(changed == Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8))
    #expect(UInt8(ascii: "Z").lowercased == UInt8(ascii: "z"))
  }

  @Test("hexadecimal digits are read in either case and written in upper case")
  func hexadecimal() {
    let digits = (UInt8.min...UInt8.max).filter { $0.hexadecimalValue != nil }
    #expect(digits == Array("0123456789ABCDEFabcdef".utf8))
    #expect(digits.compactMap(\.hexadecimalValue) == Array(0...15) + Array(10...15))
    #expect(String(decoding: UInt8(0xAF).hexadecimalDigits, as: UTF8.self) == "AF")
    #expect(String(decoding: UInt8(0x09).hexadecimalDigits, as: UTF8.self) == "09")
  }

  @Test(
    "C0, DEL and C1 are control characters",
    arguments: ["\u{0}", "\u{9}", "\u{A}", "\u{1B}", "\u{1F}", "\u{7F}", "\u{80}", "\u{85}", "\u{9F}"])
  func controls(scalar: Unicode.Scalar) {
    #expect(scalar.isControl)
  }

  @Test("visible characters and spaces are no control characters", arguments: [" ", "~", "\u{A0}", "é"])
  func noControls(scalar: Unicode.Scalar) {
    #expect(!scalar.isControl)
  }

  @Test(
    "the controls of Unicode TR9 are known",
    arguments: [
      "\u{61C}", "\u{200E}", "\u{200F}", "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}",
      "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}",
    ])
  func bidirectionalControls(scalar: Unicode.Scalar) {
    #expect(scalar.isBidirectionalControl)
  }

  @Test("letters that are written from the right are no controls", arguments: ["א", "ب", "\u{200D}", "a"])
  func noBidirectionalControls(scalar: Unicode.Scalar) {
    #expect(!scalar.isBidirectionalControl)
  }
}
