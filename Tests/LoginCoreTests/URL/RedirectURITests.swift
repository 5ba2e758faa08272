import Testing

@testable import LoginCore

/// What may be registered as a redirect URI, and what is sent of it.
@Suite("RedirectURI")
struct RedirectURITests {
  @Test(
    "a redirect URI is sent as it is registered",
    arguments: [
      "https://oauth.vk.com/blank.html", "https://H.test", "https://h.test:443/cb?x=1",
      "vk7915193://vk.ru/blank.html",
      "VK7915193://vk.ru/blank.html", "vk7915193://", "com.example.app:/oauth2redirect",
      "urn:ietf:wg:oauth:2.0:oob",
      "http://localhost", "http://127.0.0.1:49152/cb", "app://callback/%2Fx?a=b", "https://h.test/cb?",
    ])
  func unchanged(text: String) throws {
    #expect(try RedirectURI(text).description == text)
  }

  @Test(
    "a scheme to which nothing can be redirected is refused",
    arguments: [
      ("javascript:alert(1)", "javascript"), ("JavaScript:alert(1)", "javascript"),
      ("data:text/html,x", "data"),
      ("file:///tmp/x", "file"), ("about:blank", "about"), ("blob:https://h.test/x", "blob"),
      ("ws://h.test/", "ws"),
      ("wss://h.test/", "wss"), ("ftp://h.test/", "ftp"), ("mailto:a.test", "mailto"), ("tel:1", "tel"),
      ("view-source:https://h.test/", "view-source"), ("resource:///x", "resource"),
      ("inspector://x", "inspector"),
      ("intent://x", "intent"), ("filesystem:https://h.test/", "filesystem"),
    ])
  func forbiddenSchemes(text: String, scheme: String) {
    #expect(throws: AddressFault.forbiddenScheme(scheme)) { _ = try RedirectURI(text) }
    #expect(throws: AddressFault.forbiddenScheme(scheme)) { _ = try ErrorPage(text) }
  }

  @Test(
    "a private scheme is read as strictly as https",
    arguments: [
      ("vk7915193://vk.ru/blank.html#x", AddressFault.fragment), ("vk7915193://user@vk.ru/", .credentials),
      ("vk7915193://vk.ru/x/../blank.html", .dotSegment), ("vk7915193://vk.ru/%2e/", .dotSegment),
      ("vk7915193:\\\\vk.ru", .illegalCharacter), ("vk7915193://vk.ru/a b", .illegalCharacter),
      ("vk7915193://vk.ru/é", .illegalCharacter), ("vk7915193://вк.рф/", .illegalCharacter),
      ("7915193://vk.ru/", .notAbsolute), ("vk_1://vk.ru/", .notAbsolute),
    ])
  func privateSchemes(text: String, fault: AddressFault) {
    #expect(throws: fault) { _ = try RedirectURI(text) }
  }

  // URL Standard sections 3.5 and 4.4.
  @Test(
    "an authority that no web engine reports is refused",
    arguments: [
      ("sc://:12/", AddressFault.notAbsolute), ("urn://:443", .notAbsolute), ("sc://a[b/", .ambiguousHost),
      ("sc://a]b/", .ambiguousHost), ("sc://[::1]/", .ambiguousHost), ("sc://[::1]:80/", .ambiguousHost),
      ("sc://[0:0::1]/cb", .ambiguousHost), ("sc://[", .ambiguousHost), ("sc://a:1:2/", .portNumber),
      ("sc://a:[/", .portNumber), ("sc://a:+1/", .portNumber),
    ])
  func privateAuthority(text: String, fault: AddressFault) {
    #expect(throws: fault) { _ = try RedirectURI(text) }
    #expect(throws: fault) { _ = try ErrorPage(text) }
  }

  // URL Standard section 4.4: the special-query percent-encode set holds the apostrophe, and the port of any
  // scheme is written as a number without leading zeros, or not at all.
  @Test(
    "what a web engine would report in other bytes is refused",
    arguments: [
      "https://h.test/cb?x='1'", "vk7915193://vk.ru:/blank.html", "vk7915193://vk.ru:080/blank.html",
      "vk7915193://vk.ru:99999/blank.html", "vk7915193://vk.ru:x/blank.html",
    ])
  func rewritten(text: String) {
    #expect(throws: AddressFault.self) { _ = try RedirectURI(text) }
  }

  @Test("redirect URIs are the same if their texts are")
  func equality() throws {
    #expect(try RedirectURI("https://h.test/cb") == RedirectURI("https://h.test/cb"))
    #expect(try RedirectURI("https://h.test/cb") != RedirectURI("https://h.test/cb/"))
  }
}
