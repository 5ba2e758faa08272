import Testing

@testable import LoginCore

@Suite("Bytes")
struct BytesTests {
  @Test("Canonically equivalent texts are not identical")
  func normalisationForms() {
    let composed = "caf\u{E9}", decomposed = "cafe\u{301}"
    #expect(composed == decomposed)  // Swift's own comparison
    #expect(!composed.isIdentical(to: decomposed))
    #expect(composed.isIdentical(to: "caf\u{E9}"))
    #expect(!"\u{212A}".isIdentical(to: "K"))  // KELVIN SIGN
  }

  @Test(
    "Texts of different length or bytes are not identical",
    arguments: [("a", "A"), ("a", "a "), ("a", ""), ("a\u{0}", "a"), ("ab", "aab"), ("a", "aa")])
  func different(first: String, second: String) {
    #expect(!first.isIdentical(to: second))
    #expect(!second.isIdentical(to: first))
  }

  @Test("Letters, digits and unreserved characters are those of ASCII")
  func classes() {
    let all = (UInt8.min...UInt8.max)
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    #expect(all.filter(\.isLetter) == Array(letters.utf8))
    #expect(all.filter(\.isDigit) == Array("0123456789".utf8))
    // RFC 3986 section 2.3.
    #expect(Set(all.filter(\.isUnreserved)) == Set((letters + "0123456789-._~").utf8))
    #expect(all.filter(\.isVisible) == Array(0x21...0x7E))
  }

  @Test("Lower-casing changes only upper-case ASCII letters")
  func lowercasing() {
    let changed = (UInt8.min...UInt8.max).filter { $0.lowercased != $0 }
    #expect(changed == Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8))
    #expect(UInt8(ascii: "Z").lowercased == UInt8(ascii: "z"))
  }

  @Test("Hexadecimal digits are read in either case and written in upper case")
  func hexadecimal() {
    let digits = (UInt8.min...UInt8.max).filter { $0.hexadecimalValue != nil }
    #expect(digits == Array("0123456789ABCDEFabcdef".utf8))
    #expect(digits.compactMap(\.hexadecimalValue) == Array(0...15) + Array(10...15))
    #expect(String(decoding: UInt8(0xAF).hexadecimalDigits, as: UTF8.self) == "AF")
    #expect(String(decoding: UInt8(0x09).hexadecimalDigits, as: UTF8.self) == "09")
  }

  @Test(
    "A text is split at the first separator only",
    arguments: [
      ("name=value", "name", "value"), ("a=b=c", "a", "b=c"), ("=value", "", "value"), ("name=", "name", ""),
      ("name", "name", nil), ("", "", nil),
    ] as [(String, String, String?)])
  func splitting(text: String, before: String, after: String?) {
    let (first, second) = text.splitOnce(at: "=")
    #expect(first == before)
    #expect(second == after)
  }

  @Test("A combining mark after the separator belongs to the second part")
  func splittingBeforeCombiningMark() throws {
    let (name, value) = "name=\u{301}x".splitOnce(at: "=")
    #expect(name == "name")
    #expect(try #require(value).isIdentical(to: "\u{301}x"))
  }

  @Test(
    "Every occurrence is replaced",
    arguments: [("a'b'c", "a--b--c"), ("'", "--"), ("''", "----"), ("abc", "abc"), ("", "")])
  func replacing(text: String, replaced: String) {
    #expect(text.replacingAll("'", with: "--") == replaced)
  }

  @Test("A character is replaced even if a combining mark follows it")
  func replacingBeforeCombiningMark() {
    #expect("a'\u{301}b".replacingAll("'", with: "--").isIdentical(to: "a--\u{301}b"))
  }

  @Test(
    "The authority begins after the first :// of a URL",
    arguments: [
      ("https://host/path", "host/path"), ("vk1://", ""), ("a:b://c", "c"), ("https:https://x", "x"),
      ("://", ""), ("a://b://c", "b://c"),
    ])
  func authority(text: String, rest: String) throws {
    let start = try #require(text.startOfAuthority)
    #expect(text[start...] == rest)
  }

  @Test(
    "A text without :// has no authority",
    arguments: ["", "https", "https:/host", "mailto:a@b", "//host", ":"])
  func noAuthority(text: String) {
    #expect(text.startOfAuthority == nil)
  }
}
