import LoginCore
import Testing

@testable import Wording

@Suite("What is not said")
struct RedactionTests {
  @Test(
    "Of the addresses in a text the parameters are shown that are known to be harmless",
    arguments: [
      ("get https://h.test/a?key=SECRET&scope=x now", "get https://h.test/a?key=[redacted]&scope=x now"),
      (
        "url=https://h.test/a?key=SECRET\nhost=h.test\n", "url=https://h.test/a?key=[redacted]\nhost=h.test\n"
      ),
      (
        #"{"uri":"ssh://h.test/a#SECRET","x":"?SECRET"}"#,
        #"{"uri":"ssh://h.test/a#[redacted]","x":"?SECRET"}"#
      ),
      ("https://h.test/a b?c", "https://h.test/a b?c"), ("h.test/?SECRET", "h.test/?SECRET"), ("", ""),
      ("\n", "\n"),
      ("to https://u:SECRET@h.test/a now", "to https://[redacted]@h.test/a now"),
      ("https://h.test/a@b", "https://h.test/a@b"),
      ("x://?k=SECRET", "x://?k=[redacted]"), ("://?k=SECRET", "://?k=[redacted]"),
    ])
  func addresses(text: String, shown: String) { #expect(Redaction.addresses(in: text) == shown) }

  @Test(
    "What somebody gives for an address is read as one to its end",
    arguments: [
      ("https://h.test/a?x y&access_token=SECRET", "https://h.test/a?[redacted]&access_token=[redacted]"),
      ("https://u:SECRET@h.test/a", "https://[redacted]@h.test/a"), ("no address", "no address"),
      ("https://h.test/a b", "https://h.test/a b"),
    ])
  func given(text: String, shown: String) { #expect(Redaction.given(text) == shown) }

  @Test("A page on which somebody would sign out is named without whom")
  func withoutIdentity() {
    #expect(
      Redaction.withoutIdentity("https://h.test/out?a=1&id_token_hint=SECRET&b=2#c")
        == "https://h.test/out?a=1&b=2#c")
    #expect(Redaction.withoutIdentity("https://h.test/out?id_token_hint=SECRET") == "https://h.test/out")
  }

  @Test(
    "Of an address only plain names are left, and values that are known to be harmless",
    arguments: [
      ("https://a.example/b?client_id=1&state=S", "https://a.example/b?client_id=1&state=[redacted]"),
      (
        "https://a.example/#access_token=T&expires_in=3",
        "https://a.example/#access_token=[redacted]&expires_in=3"
      ),
      ("https://a.example/?T0P53CR3T#T0P53CR3T", "https://a.example/?[redacted]#[redacted]"),
      ("https://user:pass@a.example/", "https://[redacted]@a.example/"),
      (
        "https://a.example/b/\(String(repeating: "x", count: 60))/\(String(repeating: "y", count: 61))",
        "https://a.example/b/\(String(repeating: "x", count: 60))/[redacted]"
      ),
      ("app:done?code=1", "app:done?code=[redacted]"),
      ("https://a.example/\u{1B}[31m", "https://a.example/[redacted]"),
      ("https://a.example/b;code=1", "https://a.example/[redacted]"),
      ("https://a.example/b%3Fcode=1", "https://a.example/[redacted]"),
      ("https://a.example/?scope=a?code=1", "https://a.example/?scope=[redacted]"),
      ("https://a.example/?scope=a;code=1", "https://a.example/?scope=a&code=[redacted]"),
      ("https://a.example/?scope=a%26code%3D1", "https://a.example/?scope=[redacted]"),
      ("https://a.example/?scope=a%2526code", "https://a.example/?scope=[redacted]"),
      ("https://a.example/?scope=openid+a:b https://x/y", "https://a.example/?scope=openid+a:b https://x/y"),
      (
        "https://a.example/?redirect_uri=http%3A%2F%2F127.0.0.1%3A81%2Fcb",
        "https://a.example/?redirect_uri=http%3A%2F%2F127.0.0.1%3A81%2Fcb"
      ),
      (
        "https://a.example/?redirect_uri=https%3A%2F%2Fx%2F%3Fcode%3D1",
        "https://a.example/?redirect_uri=[redacted]"
      ),
      (
        "https://a.example/?a%20b=1#iss=https://a.example#x",
        "https://a.example/?[redacted]=[redacted]#iss=[redacted]"
      ),
    ])
  func address(url: String, shown: String) {
    #expect(Redaction.address(url) == shown)
  }

  private static let secret = #"Zq3/é"+x Y7-_~k9"#
  private static let redaction = {
    var redaction = Redaction()
    redaction.hide(secret)
    redaction.hide("1234")
    redaction.hide("abc")
    return redaction
  }()

  @Test(
    "A secret is found in whatever spelling somebody repeats it",
    arguments: [
      secret, FormEncoding.encode(secret), FormEncoding.encode(FormEncoding.encode(secret)),
      secret.replacingAll(" ", with: "+"), JSONValue.string(secret).text,
      JSONValue.string(JSONValue.string(secret).text).text,
      FormEncoding.encode(JSONValue.string(secret).text), Base64.encode(secret.utf8),
      Base64.encodeURLSafe(secret.utf8),
      Base64.encode("me:\(secret)".utf8), Base64.encodeURLSafe("ann:\(secret):x".utf8),
      Base64.encode("a:\(secret)".utf8),
      FormEncoding.encode(Base64.encode("client:\(secret)".utf8)), #"Zq3\/\u00e9\"+x Y7-_~k9"#,
    ])
  func spellings(text: String) {
    for shown in ["it says \(text).", text, "a=\(text)&b=c"].map(Self.redaction.shown) {
      #expect(shown.contains("[redacted]"))
      let left = shown.replacingAll("%", with: "").lowercased()
      for part in ["zq3", "y7-_", "k9", Base64.encode(Self.secret.utf8).dropFirst(4).prefix(8).lowercased()] {
        #expect(!left.contains(part), "\(shown)")
      }
    }
  }

  @Test(
    "A secret with control characters, or with some beyond the first plane, is found in JSON",
    arguments: ["first\nsecond\tthird", "a\u{8}b\u{C}c\rdefgh", "key \u{1F600}\u{1F511} door"])
  func spellingsInJSON(secret: String) {
    var redaction = Redaction()
    redaction.hide(secret)
    let units = secret.utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
    for text in [JSONValue.string(secret).text, "\"\(units.joined())\""] {
      #expect(redaction.shown("{\"a\":\(text)}") == "{\"a\":\"[redacted]\"}")
      #expect(redaction.shown(JSONValue.string(text).text) == "\"\\\"[redacted]\\\"\"")
    }
    #expect(redaction.shown(#"half a pair \ud83d, \ud83d\ud83d, \ude00"#).contains("half a pair"))
  }

  @Test("A backslash that escapes nothing in JSON takes nothing away from the escape behind it")
  func backslash() {
    let secret = #"=first\"second"#
    var redaction = Redaction()
    redaction.hide(secret)
    #expect(redaction.shown(#"\"# + FormEncoding.encode(secret)) == #"\[redacted]"#)
  }

  @Test("Nor does one in front of a secret of which JSON has escaped every character")
  func backslashBeforeEscapes() {
    let secret = #"#="\first"s3cret"#
    var redaction = Redaction()
    redaction.hide(secret)
    let escaped = secret.utf8.map { "\\u00" + String($0, radix: 16) }.joined()
    #expect(redaction.shown(#"\"# + escaped + "x") == "[redacted]x")
  }

  @Test("A secret that looks encoded itself is found where it was encoded once more")
  func escapesInside() {
    let secret = "s3%25r\u{0}!\\u0041rET"
    var redaction = Redaction()
    redaction.hide(secret)
    for text in [secret, JSONValue.string(secret).text, FormEncoding.encode(secret)] {
      #expect(redaction.shown("a \(text)!").contains(/a "?\[redacted\]"?!/), "\(text)")
    }
  }

  @Test(
    "What is only the beginning of a secret is hidden where a text was cut, and nothing else is",
    arguments: [
      ("the code Zq3/é\"+…", "the code [redacted]…"), ("the code Zq3%2F%C3%A…", "the code [redacted]%A…"),
      ("the code Zq3/é and more", "the code Zq3/é and more"),
      ("port 51234, pin 1234.", "port 51234, pin [redacted]."),
      ("pin%201234.", "pin%20[redacted]."), ("abc", "abc"), ("nothing", "nothing"), ("", ""),
    ])
  func beginnings(text: String, shown: String) {
    #expect(Self.redaction.shown(text) == shown)
  }

  @Test("A secret that is put anywhere into an address never comes out")
  func fuzz() {
    var random = Random(state: 2_026)
    let pieces = [
      "https://", "as.example", "/", "a", "?", "&", ";", "#", "=", "code", "scope", "redirect_uri=", "state=",
      "%3F", "%26",
      "%25", "+", "@", ":", "iss=https://x/", "error", "%2", "\\", "\u{202E}", "é", "\"", "[", "..",
      "client_id=1",
    ]
    for round in 0..<1_000 {
      let secret = String((0..<Int.random(in: 8...40, using: &random)).map { _ in random.letter })
      var redaction = Redaction()
      redaction.hide(secret)
      var parts = (0..<Int.random(in: 1...30, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }
      let spelling = [
        secret, FormEncoding.encode(secret), FormEncoding.encode(FormEncoding.encode(secret)),
        PercentEncoding.encode(secret) { _ in false }, JSONValue.string(secret).text,
      ].randomElement(using: &random)
      parts.insert(spelling ?? secret, at: Int.random(in: 0...parts.count, using: &random))
      let url = parts.joined()
      for shown in [redaction.shown(Redaction.address(url)), redaction.shown(url.forDisplay(limit: 1_000))] {
        #expect(!Self.decodings(of: shown).contains { $0.contains(secret) }, "\(round): \(url)")
      }
    }
  }

  /// A text as it is, and as those read it who decode it.
  private static func decodings(of text: String) -> [String] {
    (0..<3).reduce(into: [text]) { texts, _ in
      let bytes = PercentEncoding.decode(texts.last ?? "", brokenEscapes: .kept) ?? []
      texts.append(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// The same numbers in every run.
  private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }

    var letter: Character {
      mutating get {
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~+/=".randomElement(using: &self)
          ?? "x"
      }
    }
  }
}
