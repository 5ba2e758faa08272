import Testing

@testable import LoginCore

@Suite("RedirectURI")
struct RedirectURITests {
  private static let userName: Message = "a URL with a user name in it"
  private static let dotSegment: Message = "a URL with . or .. as a part of its path"

  @Test(
    "A redirect URI is sent as it is registered",
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
    "A scheme to which no provider can redirect is refused",
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
    let message: Message = "a URL with the scheme \(scheme), to which no provider can redirect"
    #expect(throws: message) { _ = try RedirectURI(parsing: text) }
    #expect(throws: message) { _ = try ErrorPage(text) }
  }

  @Test(
    "A private scheme is read as strictly as https",
    arguments: [
      ("vk7915193://vk.ru/blank.html#x", .fragment), ("vk7915193://user@vk.ru/", userName),
      ("vk7915193://vk.ru/x/../blank.html", dotSegment), ("vk7915193://vk.ru/%2e/", dotSegment),
      ("vk7915193:\\\\vk.ru", .illegalCharacter), ("vk7915193://vk.ru/a b", .illegalCharacter),
      ("vk7915193://vk.ru/é", .illegalCharacter), ("vk7915193://вк.рф/", .illegalCharacter),
      ("7915193://vk.ru/", .notAbsolute), ("vk_1://vk.ru/", .notAbsolute),
    ] as [(String, Message)])
  func privateSchemes(text: String, message: Message) {
    #expect(throws: message) { _ = try RedirectURI(parsing: text) }
  }

  // URL Standard sections 3.5 and 4.4.
  @Test(
    "An authority that no web engine reports is refused",
    arguments: [
      ("sc://:12/", .notAbsolute), ("urn://:443", .notAbsolute), ("sc://a[b/", .ambiguousHost),
      ("sc://a]b/", .ambiguousHost), ("sc://[::1]/", .ambiguousHost), ("sc://[::1]:80/", .ambiguousHost),
      ("sc://[0:0::1]/cb", .ambiguousHost), ("sc://[", .ambiguousHost), ("sc://a:1:2/", .portNumber),
      ("sc://a:[/", .portNumber), ("sc://a:+1/", .portNumber),
    ] as [(String, Message)])
  func privateAuthority(text: String, message: Message) {
    #expect(throws: message) { _ = try RedirectURI(parsing: text) }
    #expect(throws: message) { _ = try ErrorPage(text) }
  }

  // URL Standard section 4.4: the special-query percent-encode set holds the apostrophe, and the port of any
  // scheme is written as a number without leading zeros, or not at all.
  @Test(
    "A URI that a web engine would report in other bytes is refused",
    arguments: [
      "https://h.test/cb?x='1'", "vk7915193://vk.ru:/blank.html", "vk7915193://vk.ru:080/blank.html",
      "vk7915193://vk.ru:99999/blank.html", "vk7915193://vk.ru:x/blank.html",
    ])
  func rewritten(text: String) {
    #expect(throws: Message.self) { _ = try RedirectURI(parsing: text) }
  }

  @Test("Redirect URIs are equal if their texts are")
  func equality() throws {
    #expect(try RedirectURI("https://h.test/cb") == RedirectURI("https://h.test/cb"))
    #expect(try RedirectURI("https://h.test/cb") != RedirectURI("https://h.test/cb/"))
  }
}

@Suite("RedirectURI.Kind")
struct RedirectURIKindTests {
  @Test(
    "The kind of a redirect URI follows from its text",
    arguments: [
      ("http://127.0.0.1/callback", .loopback(.ipv4, port: nil)),
      ("HTTP://127.0.0.1", .loopback(.ipv4, port: nil)),
      ("http://127.0.0.1:8080/", .loopback(.ipv4, port: 8080)),
      ("http://127.0.0.1:80/", .loopback(.ipv4, port: 80)),
      ("http://127.0.0.1:0080/", .loopback(.ipv4, port: 80)),
      ("http://[::1]:/cb", .loopback(.ipv6, port: nil)),
      ("http://[::1]/cb", .loopback(.ipv6, port: nil)),
      ("http://[::1]:1024/cb", .loopback(.ipv6, port: 1024)),
      ("http://LocalHost:3000/cb", .loopback(.name, port: 3000)),
      ("http://127.0.0.2/cb", .page),
      ("https://localhost/cb", .page),
      ("https://oauth.vk.com/blank.html", .page),
      ("com.example.app:/done", .privateScheme),
      ("vk7915193://vk.ru/blank.html", .privateScheme),
      ("urn:ietf:wg:oauth:2.0:oob", .codePage),
      ("urn:ietf:wg:oauth:2.0:oob:auto", .codePage),
    ] as [(String, RedirectURI.Kind)])
  func kind(text: String, kind: RedirectURI.Kind) throws {
    #expect(try RedirectURI(text).kind == kind)
  }

  @Test(
    "A port is put after the host in place of another, and the rest stays unchanged",
    arguments: [
      ("http://127.0.0.1/callback", "http://127.0.0.1:49152/callback"),
      ("http://127.0.0.1", "http://127.0.0.1:49152"),
      ("http://[::1]/a?b=c", "http://[::1]:49152/a?b=c"),
      ("HTTP://LocalHost?b", "HTTP://LocalHost:49152?b"),
      ("http://127.0.0.1:/cb", "http://127.0.0.1:49152/cb"),
      ("http://127.0.0.1:8080/cb:1", "http://127.0.0.1:49152/cb:1"),
      ("http://[::1]:8080", "http://[::1]:49152"),
    ])
  func port(before: String, after: String) throws {
    let redirect = try RedirectURI(before).with(port: 49_152)
    #expect(redirect.description == after)
    #expect(redirect.target?.authority.hasSuffix(":49152") == true)
  }

  @Test("A server sees the path with its escapes decoded and without the usual port")
  func target() throws {
    let target = try #require(try RedirectURI("http://127.0.0.1:80/a%20b/%zz%").target)
    #expect(target.path == "/a%20b/%zz%")
    #expect(target.decodedPath == "/a b/%zz%")
    #expect(target.origin == "http://127.0.0.1")
    #expect(target.authority == "127.0.0.1")
    #expect(try RedirectURI("com.example.app:/done").target == nil)
  }

  // Clients are registered with these addresses. A change breaks their logins wherever redirect URIs are compared exactly.
  @Test(
    "The default redirect URI has a port and a path of its provider, which never change",
    arguments: [
      ("https://as.test", nil, "http://127.0.0.1:63105/callback/as.test"),
      ("https://as.test/", nil, "http://127.0.0.1:63105/callback/as.test"),
      ("https://as.test/a", nil, "http://127.0.0.1:62849/callback/as.test/a"),
      ("https://as.test/a/", nil, "http://127.0.0.1:62849/callback/as.test/a"),
      ("https://as.test:8443/a", nil, "http://127.0.0.1:63604/callback/as.test:8443/a"),
      ("http://127.0.0.1:8414", nil, "http://127.0.0.1:64021/callback/127.0.0.1:8414"),
      (
        "https://accounts.google.com", "https://as.test/authorize",
        "http://127.0.0.1:64897/callback/accounts.google.com"
      ),
      (nil, "https://as.test/authorize", "http://127.0.0.1:63105/callback"),
      (nil, "https://as.test:8443/", "http://127.0.0.1:64424/callback"),
      (nil, nil, "http://127.0.0.1:62213/callback"),
    ] as [(String?, String?, String)])
  func usual(issuer: String?, page: String?, expected: String) throws {
    var provider = Provider()
    provider.issuer = try issuer.map { try Issuer($0) }
    let endpoint = try page.map { try Endpoint($0) }
    provider.endpoints[.authorization] = endpoint
    let redirect = try RedirectURI.onThisMachine(for: provider)
    #expect(redirect.description == expected)
    // A client that was registered is found without the page.
    provider.endpoints = [.registration: endpoint].compactMapValues(\.self)
    #expect(try RedirectURI.onThisMachine(for: provider) == redirect)
    #expect(redirect.isOnThisMachine)
  }

  @Test("Only a redirect URI without a port, or the default one, may have another port")
  func otherPort() throws {
    var provider = Provider()
    provider.issuer = try Issuer("https://as.test")
    let usual = try RedirectURI.onThisMachine(for: provider)
    for (redirect, isAllowed) in [
      (usual, true), (try RedirectURI("http://127.0.0.1/cb"), true), (try RedirectURI("http://[::1]"), true),
      (try usual.with(port: 8080), false), (try RedirectURI("http://127.0.0.1:8080/cb"), false),
      (try RedirectURI.onThisMachine(), false), (try RedirectURI("https://as.test/cb"), false),
    ] {
      #expect(provider.allowsOtherPort(for: redirect) == isAllowed, "\(redirect)")
    }
  }
}
