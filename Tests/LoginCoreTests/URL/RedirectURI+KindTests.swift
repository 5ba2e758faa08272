import Testing

@testable import LoginCore

@Suite("RedirectURI+Place")
struct RedirectURIPlaceTests {
  @Test(
    "What stands at a redirect URI is seen from it",
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
    "A port is put behind the host, and nothing else is changed",
    arguments: [
      ("http://127.0.0.1/callback", "http://127.0.0.1:49152/callback"),
      ("http://127.0.0.1", "http://127.0.0.1:49152"),
      ("http://[::1]/a?b=c", "http://[::1]:49152/a?b=c"),
      ("HTTP://LocalHost?b", "HTTP://LocalHost:49152?b"),
      ("http://127.0.0.1:/cb", "http://127.0.0.1:49152/cb"),
    ])
  func port(before: String, after: String) throws {
    let redirect = try RedirectURI(before).with(port: 49_152)
    #expect(redirect.description == after)
    #expect(redirect.target?.authority.hasSuffix(":49152") == true)
  }

  @Test("A server sees the path without its escapes, and the usual port goes without saying")
  func target() throws {
    let target = try #require(try RedirectURI("http://127.0.0.1:80/a%20b/%zz%").target)
    #expect(target.path == "/a%20b/%zz%")
    #expect(target.decodedPath == "/a b/%zz%")
    #expect(target.origin == "http://127.0.0.1")
    #expect(target.authority == "127.0.0.1")
    #expect(try RedirectURI("com.example.app:/done").target == nil)
  }

  @Test("Where nobody says so, answers go to this machine, at any port")
  func usual() throws {
    #expect(try RedirectURI.onThisMachine().description == "http://127.0.0.1/callback")
    #expect(try RedirectURI.onThisMachine().isOnThisMachine)
  }

  // RFC 9700 section 4.4.2.
  @Test("Each issuer can have a path of its own there")
  func perIssuer() throws {
    let issuers = ["https://as.test", "https://as.test/", "https://as.test:8443/a", "https://as.test/a"]
    let redirects = try issuers.map { try RedirectURI.onThisMachine(for: Issuer($0)) }
    #expect(redirects[2].description == "http://127.0.0.1/callback/as.test:8443/a")
    #expect(Set(redirects.map(\.description)).count == issuers.count)
    #expect(redirects.allSatisfy { $0.isOnThisMachine })
  }
}
