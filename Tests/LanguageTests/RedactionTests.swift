import LoginCore
import Testing

@testable import Language

@Suite("Redaction")
struct RedactionTests {
  @Test(
    "Each address in a text keeps only its plain names and the values of harmless parameters",
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
    "A text that the user gave as an address is one to its end, even with spaces",
    arguments: [
      ("https://h.test/a?x y&access_token=SECRET", "https://h.test/a?[redacted]&access_token=[redacted]"),
      ("https://u:SECRET@h.test/a", "https://[redacted]@h.test/a"), ("no address", "no address"),
      ("https://h.test/a b", "https://h.test/a b"),
    ])
  func given(text: String, shown: String) { #expect(Redaction.given(text) == shown) }

  @Test(
    "An address keeps its plain names and the values of harmless parameters",
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
  private static let redaction = redaction(hiding: secret, "1234", "abc")

  private static func redaction(hiding secrets: String...) -> Redaction {
    secrets.reduce(into: Redaction()) { $0.hide($1) }
  }

  @Test(
    "A secret is hidden in every common encoding, and if it was encoded twice",
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
  func encodings(text: String) {
    for shown in ["it says \(text).", text, "a=\(text)&b=c"].map(Self.redaction.shown) {
      #expect(shown.contains("[redacted]"))
      let left = shown.replacingAll("%", with: "").lowercased()
      for part in ["zq3", "y7-_", "k9", Base64.encode(Self.secret.utf8).dropFirst(4).prefix(8).lowercased()] {
        #expect(!left.contains(part), "\(shown)")
      }
    }
  }

  @Test(
    "A secret is hidden in JSON, whether its characters are escaped or not",
    arguments: ["first\nsecond\tthird", "a\u{8}b\u{C}c\rdefgh", "key \u{1F600}\u{1F511} door"])
  func json(secret: String) {
    let redaction = Self.redaction(hiding: secret)
    let units = secret.utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
    let plain = JSONValue.string(secret).text
    for text in [plain, "\"\(units.joined())\""] {
      #expect(redaction.shown("{\"a\":\(text)}") == "{\"a\":\"[redacted]\"}")
    }
    #expect(redaction.shown(JSONValue.string(plain).text) == "\"\\\"[redacted]\\\"\"", "JSON in JSON")
    let halves = #"half a pair \ud83d, \ud83d\ud83d, \ude00"#
    #expect(redaction.shown(halves) == halves)
  }

  @Test("A backslash before an encoded secret does not protect the secret")
  func backslash() {
    let secret = #"=first\"second"#
    #expect(Self.redaction(hiding: secret).shown(#"\"# + FormEncoding.encode(secret)) == #"\[redacted]"#)
    let other = #"#="\first"s3cret"#
    let escaped = other.utf8.map { "\\u00" + String($0, radix: 16) }.joined()
    #expect(Self.redaction(hiding: other).shown(#"\"# + escaped + "x") == #"\[redacted]x"#)
  }

  @Test("A secret that looks encoded is hidden, as it is and encoded once more")
  func escapesInside() {
    let secret = "s3%25r\u{0}!\\u0041rET"
    let redaction = Self.redaction(hiding: secret)
    for text in [secret, JSONValue.string(secret).text, FormEncoding.encode(secret)] {
      #expect(redaction.shown("a \(text)!").contains(/a "?\[redacted\]"?!/), "\(text)")
    }
  }

  @Test(
    "The beginning of a secret is hidden where a text was cut, and short secrets only as whole words",
    arguments: [
      ("the code Zq3/é\"+…", "the code [redacted]…"), ("the code Zq3%2F%C3%A…", "the code [redacted]…"),
      ("the code Zq3/é and more", "the code Zq3/é and more"),
      ("port 51234, pin 1234.", "port 51234, pin [redacted]."),
      ("pin%201234.", "pin%20[redacted]."), ("abc", "abc"), ("nothing", "nothing"), ("", ""),
    ])
  func beginnings(text: String, shown: String) {
    #expect(Self.redaction.shown(text) == shown)
  }

  @Test("A secret in any part of an address is hidden, in 1,000 random addresses")
  func random() {
    var random = Random(state: 2_026)
    let pieces = [
      "https://", "as.example", "/", "a", "?", "&", ";", "#", "=", "code", "scope", "redirect_uri=", "state=",
      "%3F", "%26", "%25", "+", "@", ":", "iss=https://x/", "error", "%2", "\\", "\u{202E}", "é", "\"", "[",
      "..", "client_id=1",
    ]
    for round in 0..<1_000 {
      let secret = String((0..<Int.random(in: 8...40, using: &random)).map { _ in random.letter })
      let redaction = Self.redaction(hiding: secret)
      var parts = (0..<Int.random(in: 1...30, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }
      let encoded = [
        secret, FormEncoding.encode(secret), FormEncoding.encode(FormEncoding.encode(secret)),
        PercentEncoding.encode(secret) { _ in false }, JSONValue.string(secret).text,
      ].randomElement(using: &random)
      parts.insert(encoded ?? secret, at: Int.random(in: 0...parts.count, using: &random))
      let url = parts.joined()
      for shown in [redaction.shown(Redaction.address(url)), redaction.shown(url.forDisplay(limit: 1_000))] {
        #expect(!Self.decodings(of: shown).contains { $0.contains(secret) }, "\(round): \(url)")
      }
    }
  }

  @Test(
    "A secret of a request is forgotten after many others, unless it is used again; a secret of the run is kept"
  )
  func passing() {
    var redaction = Redaction()
    redaction.hide("the-run's-secret")
    for secret in ["first-token", "second-token"] { redaction.hide(passing: secret) }
    for number in 2...Redaction.maximumPassing {
      redaction.hide(passing: "token-\(number)")
      redaction.hide(passing: "second-token")
    }
    let shown = redaction.shown("the-run's-secret first-token second-token")
    #expect(shown == "[redacted] first-token [redacted]")
  }

  /// Returns the text as it is, and decoded up to three times.
  private static func decodings(of text: String) -> [String] {
    (0..<3).reduce(into: [text]) { texts, _ in
      let bytes = PercentEncoding.decode(texts.last ?? "", brokenEscapes: .kept) ?? []
      texts.append(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// Yields the same numbers in every run.
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

/// The two lists of names, each name with the value that an address shows of it.
@Suite("Names in addresses")
struct RedactionNamesTests {
  @Test(
    "The values of these parameters are for one program only",
    arguments: [
      "access_token", "assertion", "client_assertion", "client_secret", "code", "code_verifier",
      "device_code",
      "id_token", "id_token_hint", "nonce", "password", "refresh_token", "registration_access_token",
      "request", "request_uri", "response", "state", "subject_token", "token",
    ])
  func secret(name: String) {
    #expect(Redaction.secretNames.contains(name))
    for separator in ["?", "#"] {
      let shown = Redaction.address("https://a.test/\(separator)\(name)=value-of-it")
      #expect(shown.contains(name) && !shown.contains("value-of-it"), "\(shown)")
    }
  }

  @Test(
    "The values of these parameters help, and are shown; those of unknown names are not",
    arguments: [
      "client_id", "error", "expires_in", "grant_type", "iss", "prompt", "redirect_uri", "response_mode",
      "response_type", "scope", "token_type",
    ])
  func harmless(name: String) {
    #expect(Redaction.address("https://a.test/?\(name)=value-of-it").contains("value-of-it"))
    #expect(!Redaction.address("https://a.test/?x\(name)=value-of-it").contains("value-of-it"))
  }
}
