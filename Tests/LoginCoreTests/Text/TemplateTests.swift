import Testing

@testable import LoginCore

@Suite("Template")
struct TemplateTests {
  private func address(_ pattern: String, _ value: String) throws -> String {
    try Template(values: ["v": value, "other": "o"]).address(pattern)
  }

  @Test(
    "A fitting value is put in its place",
    arguments: [
      // a part of a host
      ("https://{v}.auth0.com/login/", "acme", "https://acme.auth0.com/login/"),
      ("https://{v}.auth0.com/", "acme.eu", "https://acme.eu.auth0.com/"),
      ("https://{v}.auth0.com/", "a-b_C1", "https://a-b_C1.auth0.com/"),
      ("https://login.{v}.test", "x", "https://login.x.test"),
      ("https://h.test:{v}/", "8443", "https://h.test:8443/"),
      // a whole authority
      ("https://{v}/authorize", "git.h.test", "https://git.h.test/authorize"),
      ("https://{v}/authorize", "h.test:8443", "https://h.test:8443/authorize"),
      ("https://{v}/authorize", "h.test/realms/a", "https://h.test/realms/a/authorize"),
      ("https://{v}/authorize", "h.test/", "https://h.test/authorize"),
      ("https://{v}", "h.test", "https://h.test"), ("http://{v}/", "127.0.0.1:1", "http://127.0.0.1:1/"),
      // a path, a query, a fragment
      ("https://h.test/{v}/x", "acme", "https://h.test/acme/x"),
      ("https://h.test/{v}", "a/b?c#d", "https://h.test/a%2Fb%3Fc%23d"),
      ("https://h.test/{v}", "../x", "https://h.test/..%2Fx"),
      ("https://h.test/?t={v}", "a&b=c d+e", "https://h.test/?t=a%26b%3Dc%20d%2Be"),
      ("https://h.test/{v}", "é\r\n%", "https://h.test/%C3%A9%0D%0A%25"),
      ("https://h.test?{v}", "a@b:c", "https://h.test?a%40b%3Ac"),
      ("vk1:/{v}", "a/b", "vk1:/a%2Fb"),
      // a scheme
      ("vk{v}://vk.ru/blank.html", "7915193", "vk7915193://vk.ru/blank.html"),
      ("{v}://x", "com.h.app+1-2", "com.h.app+1-2://x"),
      ("vk{v}:/cb", "1", "vk1:/cb"),
      // several
      ("https://{v}.{other}.test/{v}/{other}", "a", "https://a.o.test/a/o"),
      ("https://h.test/", "a", "https://h.test/"),
      ("https://{v}{other}/", "a", "https://ao/"),
    ])
  func fitting(pattern: String, value: String, filled: String) throws {
    #expect(try address(pattern, value) == filled)
  }

  @Test(
    "A value that would leave its part of the authority is refused",
    arguments: [
      "evil.test/", "evil.test/x", "evil.test?", "evil.test#", "a@b", "user:pw@evil.test", "evil.test:443",
      ":443", "a\\b", "evil.test\\", "a%2Fb", "a b", "",
      "é", "a\n", "a\u{0}", "{other}", "[::1]", "evil.test/\u{338}",
    ],
    [
      ("https://{v}.auth0.com/login/", "part of a host name"), ("https://{v}{other}/", "part of a host name"),
      ("https://h.test:{v}/", "a port"), ("https://login.{v}/", "part of a host name"),
      ("https://{v}?x=1", "part of a host name"),
    ])
  func hostPart(value: String, place: (pattern: String, noun: String)) {
    let message: Message = "the value of v is not \(place.noun)"
    #expect(throws: message) { try address(place.pattern, value) }
  }

  private static let notServer: Message = "the value of v is not a host with an optional port and path"
  private static let notScheme: Message = "the value of v is not a scheme"

  @Test(
    "A whole authority is a host with an optional port and path",
    arguments: [
      "", "/", "/x", "user@h.test", "user:pw@h.test", "h.test?x", "h.test#x", "h.test/x?y", "h.test/x#y",
      "h.test:x", "h.test:1:2", "h.test:80@evil.test",
      "h.test\\x", "h.test/%2e%2e", "h.test/a b", "é.test", ":443", "//evil.test",
      "h.test/\u{338}", "h.test/a@b", "[::1]",
    ])
  func wholeAuthority(value: String) {
    #expect(throws: Self.notServer) { try address("https://{v}/authorize", value) }
  }

  @Test("A whole URL is not an authority", arguments: ["https://h.test", "https://h.test/", "http://h.test"])
  func wholeURL(value: String) {
    #expect(throws: Self.notServer) { try address("https://{v}/authorize", value) }
  }

  @Test(
    "A value that would leave a scheme is refused",
    arguments: [
      "", "javascript:alert(1)//", "https://evil.test/", "a:b", "a/b", "a b", "é", "a?", "a#", "a@b", "a%3A",
      "a_b",
    ],
    ["vk{v}://vk.ru/blank.html", "{v}://x", "vk{v}:/x"])
  func scheme(value: String, pattern: String) {
    #expect(throws: Self.notScheme) { try address(pattern, value) }
  }

  @Test(
    "A variable without a value is refused in an address",
    arguments: [("https://h.test/{w}", "w"), ("https://{V}/", "V")])
  func unknownVariable(pattern: String, name: String) {
    let message: Message = "{\(name)} is not a variable of this preset"
    #expect(throws: message) { try address(pattern, "a") }
  }

  @Test(
    "Braces that do not enclose a name stay in an address",
    arguments: [
      "https://h.test/{", "https://h.test/}", "https://h.test/}{", "https://h.test/{v", "{}://x",
      "https://h.test/{a-b}",
    ])
  func braces(pattern: String) throws {
    #expect(try address(pattern, "a") == pattern)
  }

  @Test(
    "In a text a value stays unchanged and is not filled in again",
    arguments: [
      ("scope-{v}", "a b&c=é", "scope-a b&c=é"), ("{v}", "{other}", "{other}"), ("{v}{other}", "", "o"),
      ("plain", "a", "plain"), ("", "a", ""),
    ])
  func text(pattern: String, value: String, filled: String) throws {
    let text = try Template(values: ["v": value, "other": "o"]).text(pattern)
    #expect(text == filled)
  }

  @Test("A variable without a value is refused in a text, too")
  func unknownVariableInText() {
    #expect(throws: "{unknown} is not a variable of this preset" as Message) {
      try Template(values: ["v": "a"]).text("{v} {unknown}")
    }
  }

  @Test(
    "Braces that do not enclose a name stay in a text",
    arguments: [#"{"id":{"x":null}}"#, "{}", "{ v }", "{a-b}", "{é}", "{"])
  func bracesInText(text: String) throws {
    let filled = try Template(values: ["v": "a"]).text(text)
    #expect(filled == text)
  }
}
