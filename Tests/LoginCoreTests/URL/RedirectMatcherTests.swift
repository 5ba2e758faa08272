import Testing

@testable import LoginCore

@Suite("RedirectMatcher")
struct RedirectMatcherTests {
  /// Returns the index at which the added query begins in `uri`, or nil if `uri` is not at `address`.
  private func match(_ uri: String, _ address: String) throws -> Int? {
    let bytes = Array(uri.utf8)
    return try RedirectMatcher(address).match(bytes.span)
  }

  private func matches(_ uri: String, _ address: String) throws -> Bool { try match(uri, address) != nil }

  // Hostile spellings of https://oauth.vk.com/blank.html as WebKitGTK reports them, unchanged or normalised.
  @Test(
    "An address that only resembles the redirect URI does not match",
    arguments: [
      "https://oauth.vk.com.evil.test/blank.html", "https://oauth.vk.com/blank.html.evil",
      "https://oauth.vk.com/blank.htmlx", "https://oauth.vk.com//blank.html",
      "https://oauth.vk.com/blank.html/",
      "https://oauth.vk.com/blank.html;v=1", "https://oauth.vk.com/BLANK.html", "https://oauth.vk.com/evil",
      "https://oauth.vk.com/%62lank.html", "https://oauth.vk.com/blank%2ehtml",
      "https://oauth.vk.com/blank.html%00",
      "https://oauth.vk.com/blank.html%23access_token=a", "https://oauth.vk.com/blank.html%3Fcode=a",
      "https://oauth.vk.com@evil.test/blank.html", "https://evil.test/blank.html",
      "https://user:pw@oauth.vk.com/blank.html", "https://oauth.vk.com:8443/blank.html",
      "http://oauth.vk.com/blank.html", "https://oauth.vk.com./blank.html",
      "https://evil.test/@oauth.vk.com/blank.html",
      "https://oauth.vk.com/@evil.test/blank.html", "https://xn--auth-45d.vk.com/blank.html",
      "https://xn--34auth-owa5725d.vk.com/blank.html", "https://oauth.vk.com/blank.html%20#access_token=a",
      "https://oauth.vk.com/", "https://oauth.vk.com", "https://oauth.vk.com/blank.htm", "", "https:",
      "https://evil.test/?https://oauth.vk.com/blank.html",
      "https://evil.test/#https://oauth.vk.com/blank.html",
      "https://oauth.vk.com/blank.html\\", "https://oauth.vk.com/blank.html&access_token=a",
      " https://oauth.vk.com/blank.html",
      "https://oauth.vk.com/blank.html,%20https://evil.test/", "https://OAUTH.vk.com/blank.html",
      "https://oauth.vk.com/x/../blank.html", "https://oauth.vk.com/./blank.html",
      "httpsx://oauth.vk.com/blank.html",
    ])
  func elsewhere(uri: String) throws {
    #expect(try !matches(uri, "https://oauth.vk.com/blank.html"))
  }

  @Test(
    "The redirect URI matches with any query or fragment after it",
    arguments: [
      "https://oauth.vk.com/blank.html", "https://oauth.vk.com/blank.html?code=a",
      "https://oauth.vk.com/blank.html#a=b",
      "https://oauth.vk.com/blank.html?", "https://oauth.vk.com/blank.html#",
      "https://oauth.vk.com/blank.html?a#b",
      "HTTPS://oauth.vk.com/blank.html", "https://oauth.vk.com/blank.html#a=%FF%fe&b=%zz&c=%",
      "https://oauth.vk.com/blank.html#a=1#b=2", "https://oauth.vk.com/blank.html?https://evil.test/",
    ])
  func recognised(uri: String) throws {
    #expect(try match(uri, "https://oauth.vk.com/blank.html") == 31)
  }

  @Test("Bytes that are not UTF-8 may follow the address but not stand in it")
  func brokenBytes() throws {
    let matcher = try RedirectMatcher("https://h.test/cb")
    let after = Array("https://h.test/cb?".utf8) + [0xFF], inside = Array("https://h.test/c".utf8) + [0xFF]
    #expect(matcher.match(after.span) == 17)
    #expect(matcher.match(inside.span) == nil)
  }

  @Test(
    "An address is compared in the form in which a web engine reports it",
    arguments: [
      ("HTTPS://OAUTH.VK.COM:443/blank.html", "https://oauth.vk.com/blank.html#a"),
      ("https://h.test", "https://h.test/?code=a"), ("https://h.test:443", "https://h.test/"),
      ("http://localhost:80/cb", "http://localhost/cb?code=a"),
      ("VK7915193://vk.ru/x", "vk7915193://vk.ru/x?code=a"),
      ("vk7915193://vk.ru/x", "VK7915193://vk.ru/x?code=a"), ("vk7915193://VK.RU/x", "vk7915193://VK.RU/x"),
      ("vk7915193://", "vk7915193://?code=a"), ("com.example.app:/cb", "com.example.app:/cb?code=a"),
      ("urn:ietf:wg:oauth:2.0:oob", "urn:ietf:wg:oauth:2.0:oob#a"), ("vk1://vk.ru:80/x", "vk1://vk.ru:80/x"),
    ])
  func serialised(address: String, uri: String) throws {
    #expect(try matches(uri, address))
  }

  // A private scheme has an opaque host, which web engines do not normalise.
  @Test(
    "An address of a private scheme that differs in one byte does not match",
    arguments: [
      "vk7915193://VK.RU/blank.html", "vk7915193://vk.ru:80/blank.html", "vk7915193://vk%2eru/blank.html",
      "vk7915193://vk.ru./blank.html", "vk7915193:/blank.html", "vk7915193:blank.html",
      "vk7915193:///blank.html",
      "vk7915193://vk.ru/%62lank.html", "vk7915193://vk.ru/blank.html\\x",
      "vk7915193://user@vk.ru/blank.html",
      "vk79151930://vk.ru/blank.html", "vk791519://vk.ru/blank.html", "vk7915193://", "vk7915193://?code=a",
      "vk7915193://vk.ru", "vk7915193://vk.ru/", "https://vk.ru/blank.html",
    ])
  func privateSchemeElsewhere(uri: String) throws {
    #expect(try !matches(uri, "vk7915193://vk.ru/blank.html"))
  }

  @Test(
    "A deep link matches only its bare scheme",
    arguments: ["vk1://x", "vk1:///", "vk1:", "vk1:/?code=a", "vk1://x?code=a"])
  func deepLink(uri: String) throws {
    #expect(try !matches(uri, "vk1://"))
  }

  @Test(
    "A query of the redirect URI itself must come first and complete",
    arguments: [
      ("https://h.test/cb?x=1", 21), ("https://h.test/cb?x=1&code=a", 21), ("https://h.test/cb?x=1#a=b", 21),
      ("https://h.test/cb?x=1&", 21), ("https://h.test/cb", nil), ("https://h.test/cb?", nil),
      ("https://h.test/cb?x=", nil), ("https://h.test/cb?x=12", nil), ("https://h.test/cb?x=1;code=a", nil),
      ("https://h.test/cb?code=a&x=1", nil), ("https://h.test/cb#x=1", nil), ("https://h.test/cb?X=1", nil),
      ("https://h.test/cb?x=%31", nil), ("https://h.test/cb?x=1?code=a", nil),
    ] as [(String, Int?)])
  func ownQuery(uri: String, queryStart: Int?) throws {
    #expect(try match(uri, "https://h.test/cb?x=1") == queryStart)
  }

  // RFC 6749 section 3.1.2: parameters are added to an empty query as they are to an endpoint's.
  @Test(
    "An empty query of the redirect URI keeps its question mark",
    arguments: ["https://h.test/cb?code=a", "https://h.test/cb?"])
  func emptyOwnQuery(uri: String) throws {
    #expect(try matches(uri, "https://h.test/cb?"))
  }
}

@Suite("URIParts")
struct URIPartsTests {
  // RFC 3986 section 3 and appendix B.
  @Test("A URI is split into the components of RFC 3986")
  func components() throws {
    let parts = try URIParts("foo://example.com:8042/over/there?name=ferret#nose")
    #expect(parts.scheme == "foo")
    #expect(parts.authority == "example.com:8042")
    #expect(parts.path == "/over/there")
    #expect(parts.query == "name=ferret")
    #expect(parts.fragment == "nose")
  }

  @Test("A missing component differs from an empty one")
  func emptyComponents() throws {
    let bare = try URIParts("urn:example:animal:ferret:nose")
    #expect(bare.authority == nil)
    #expect(bare.path == "example:animal:ferret:nose")
    #expect(bare.query == nil)
    #expect(bare.fragment == nil)

    let empty = try URIParts("vk1://?#")
    #expect(empty.authority == "")
    #expect(empty.path == "")
    #expect(empty.query == "")
    #expect(empty.fragment == "")
  }

  @Test("The first # begins the fragment, and the first ? before it the query")
  func marks() throws {
    let parts = try URIParts("a://b/c?d?e#f?g#h")
    #expect(parts.query == "d?e")
    #expect(parts.fragment == "f?g#h")
    #expect(try URIParts("a://b#c?d").query == nil)
    #expect(try URIParts("a://b?c/d").authority == "b")
  }

  @Test("Only the scheme is lower-cased")
  func scheme() throws {
    let parts = try URIParts("COM.Example+App-1://Host/Path")
    #expect(parts.scheme == "com.example+app-1")
    #expect(parts.authority == "Host")
    #expect(parts.path == "/Path")
  }

  @Test(
    "A text without a scheme is refused",
    arguments: ["", ":", "://a", "a", "+a:b", "1a:b", "-a:b", ".a:b", "a_b:c", "é:a"])
  func noScheme(text: String) {
    #expect(throws: Message.notAbsolute) { _ = try URIParts(text) }
  }

  @Test(
    "A combining mark cannot hide a separator",
    arguments: ["a:/\u{338}/b", "a://\u{301}b", "a://b?\u{301}", "a:\u{301}//b"])
  func combiningMarks(text: String) {
    #expect(throws: Message.illegalCharacter) { _ = try URIParts(text) }
  }
}
