import Testing

@testable import LoginCore

@Suite("WebAddress")
struct WebAddressTests {
  private static let userName: Message = "a URL with a user name in it"
  private static let dotSegment: Message = "a URL with . or .. as a part of its path"
  private static let blockedPort: Message = "a URL with a port that browsers block"

  @Test(
    "Every type of address accepts a clear URL", arguments: AddressReader.allCases,
    [
      "https://oauth.vk.com/blank.html", "https://id.vk.ru", "HTTPS://OAUTH.VK.COM/x", "https://h.test:8443/",
      "https://h.test:443/", "https://h.test:00443/", "https://h.test:/", "https://xn--80ak6aa92e.com/",
      "https://under_score.test/", "https://h.test./", "https://h.test//double//", "https://h.test/a;b=c",
      "https://h.test/%2F%62%00", "https://h.test/@x:y", "https://h.test/.well-known/..x/...",
      "https://127.0.0.1/",
      "https://192.168.0.1:8443/", "https://[2001:db8::1]/x", "https://[2001:db8::1]:8443/x",
      "https://1.test/",
      "http://127.0.0.1/cb", "http://127.0.0.1:49152/cb", "http://127.255.255.254/cb",
      "http://localhost:8080/",
      "http://[::1]/cb", "http://[::1]:8080/cb", "http://LOCALHOST/",
    ])
  func accepted(reader: AddressReader, text: String) {
    #expect(throws: Never.self) { try reader.read(text) }
  }

  private static let unclear: [(String, Message)] = [
    // plain http elsewhere
    ("http://oauth.vk.com/blank.html", .notHTTPS), ("http://h.test:443/", .notHTTPS),
    ("http://localhost.evil.test/", .notHTTPS), ("http://127.0.0.1.evil.test/", .notHTTPS),
    ("http://128.0.0.1/", .notHTTPS), ("http://0.0.0.0/", .notHTTPS), ("http://[::]/", .notHTTPS),
    ("http://[::ffff:7f00:1]/", .notHTTPS), ("http://127.evil.test/", .notHTTPS),
    ("http://localhost./", .notHTTPS), ("http://1.127.0.0/", .notHTTPS), ("http://[::2]/", .notHTTPS),
    ("http://a.localhost/", .notHTTPS),
    // not absolute
    ("", .notAbsolute), ("blank.html", .notAbsolute), ("/blank.html", .notAbsolute),
    ("//h.test/", .notAbsolute),
    ("https", .notAbsolute), ("://h.test/", .notAbsolute), ("1https://h.test/", .notAbsolute),
    ("https:h.test/", .notAbsolute), ("https:/h.test/", .notAbsolute), ("https:///h.test/", .notAbsolute),
    ("https://", .notAbsolute), ("https://:443/", .notAbsolute), (" https://h.test/", .notAbsolute),
    ("ht\ttps://h.test/", .notAbsolute), ("hтtps://h.test/", .notAbsolute),
    ("?https://h.test/", .notAbsolute),
    ("#https://h.test/", .notAbsolute),
    // fragment: RFC 6749 sections 3.1 and 3.1.2
    ("https://h.test/#", .fragment), ("https://h.test/#x", .fragment), ("https://h.test#x?y", .fragment),
    // user names
    ("https://user@h.test/", userName), ("https://user:pw@h.test/", userName),
    ("https://oauth.vk.com@evil.test/blank.html", userName), ("https://@h.test/", userName),
    // characters
    ("https:\\\\h.test\\x", .illegalCharacter), ("https://h.test\\x", .illegalCharacter),
    ("https://evil.test\\@oauth.vk.com/", .illegalCharacter), ("https://h.test/a b", .illegalCharacter),
    ("https://h.test/ ", .illegalCharacter), ("https://h.test/\n", .illegalCharacter),
    ("https://h.te\tst/", .illegalCharacter), ("https://h.test/\u{0}", .illegalCharacter),
    ("https://h.test/\u{7F}", .illegalCharacter), ("https://h.test/é", .illegalCharacter),
    ("https://\u{43E}auth.vk.com/", .illegalCharacter),  // Cyrillic о
    ("https://oauth\u{3002}vk.com/", .illegalCharacter), ("https://oauth.vk.\u{FF43}om/", .illegalCharacter),
    ("https://oauth.v\u{212A}.com/", .illegalCharacter), ("https://o\u{AD}auth.vk.com/", .illegalCharacter),
    ("https://oa%75th.vk.com/", .illegalCharacter), ("https://h.test%40x/", .illegalCharacter),
    ("https://h.test/\"", .illegalCharacter), ("https://h.test/<>", .illegalCharacter),
    ("https://h.test/{x}", .illegalCharacter), ("https://h.test/a|b", .illegalCharacter),
    ("https://h.test/a^b", .illegalCharacter), ("https://h.test/`", .illegalCharacter),
    ("https://h,test/", .illegalCharacter), ("https://h:80:90/", .illegalCharacter),
    ("https://[::1/", blockedPort), ("https://::1]/", .illegalCharacter),
    ("https://[::1]x/", .ambiguousHost), ("https://[::g]/", .ambiguousHost),
    ("https://[fe80::1%25eth0]/", .ambiguousHost),
    // dot segments of the URL Standard
    ("https://h.test/./x", dotSegment), ("https://h.test/../x", dotSegment),
    ("https://h.test/x/..", dotSegment),
    ("https://h.test/x/.", dotSegment), ("https://h.test/%2e/x", dotSegment),
    ("https://h.test/%2E", dotSegment),
    ("https://h.test/%2e%2E/x", dotSegment), ("https://h.test/.%2e/x", dotSegment),
    ("https://h.test/%2E./x", dotSegment),
    // hosts that are numbers: URL Standard section 3.5
    ("https://127.1/", .ambiguousHost), ("https://0x7f.1/", .ambiguousHost),
    ("https://2130706433/", .ambiguousHost),
    ("https://127.0.0.01/", .ambiguousHost), ("https://0x7f.0.0.0x1/", .ambiguousHost),
    ("https://127.0.0.1./", .ambiguousHost), ("https://256.0.0.1/", .ambiguousHost),
    ("https://h.test.1/", .ambiguousHost), ("https://1.2.3.4.5/", .ambiguousHost),
    ("https://./", .ambiguousHost),
    ("http://127.1/", .ambiguousHost), ("http://017700000001/", .ambiguousHost),
    // ports: Fetch Standard section 2.9
    ("https://h.test:1/", blockedPort), ("https://h.test:22/", blockedPort),
    ("https://h.test:6667/", blockedPort),
    ("https://h.test:10080/", blockedPort), ("https://h.test:0/", .portNumber),
    ("https://h.test:65536/", .portNumber),
    ("https://h.test:99999999999999999999/", .portNumber), ("https://h.test:+80/", .portNumber),
    ("https://h.test:x/", .portNumber),
    ("https://h.test:-1/", .portNumber), ("https://[::1]:6000/", blockedPort),
    ("http://127.0.0.1:25/", blockedPort),
  ]

  @Test("Every type of address refuses a URL that could be understood in two ways", arguments: unclear)
  func refused(text: String, message: Message) {
    for reader in AddressReader.allCases {
      #expect(throws: message, "\(reader)") { try reader.read(text) }
    }
  }

  // URL Standard section 3.5: the parser compresses IPv6 addresses, and fails for invalid ones.
  @Test(
    "An IPv6 address that a web engine rewrites or refuses is refused",
    arguments: [
      "https://[0:0:0:0:0:0:0:1]/cb", "https://[0::1]/cb", "https://[2001:0db8::1]/cb", "https://[::0]/cb",
      "https://[]/cb", "https://[:]/cb", "https://[1]/cb", "https://[:::]/cb", "https://[1::2::3]/cb",
      "https://[1:2:3:4:5:6:7:8:9]/cb", "https://[12345::]/cb",
    ])
  func otherSpellingsOfIPv6(text: String) {
    #expect(throws: Message.self) { _ = try WebAddress(text) }
  }

  @Test(
    "An address is written as a web engine would write it",
    arguments: [
      ("HTTPS://OAUTH.VK.COM/Blank.HTML", "https://oauth.vk.com/Blank.HTML"),
      ("https://h.test", "https://h.test/"), ("https://h.test?a=B", "https://h.test/?a=B"),
      ("https://h.test:443/", "https://h.test/"), ("https://h.test:00443", "https://h.test/"),
      ("https://h.test:/", "https://h.test/"), ("http://localhost:80/", "http://localhost/"),
      ("http://127.0.0.1:443/", "http://127.0.0.1:443/"), ("https://h.test:08443/", "https://h.test:8443/"),
      ("https://[2001:DB8::A]/", "https://[2001:db8::a]/"), ("https://h.test/?", "https://h.test/?"),
      ("https://h.test/%7Ea%2f?b=%7E", "https://h.test/%7Ea%2f?b=%7E"),
    ])
  func serialisation(text: String, serialised: String) throws {
    #expect(try WebAddress(text).description == serialised)
  }

  @Test("The origin consists of scheme, host and port")
  func origin() throws {
    // RFC 6454 section 6.2.
    #expect(try WebAddress("https://H.test:443/a?b").origin == "https://h.test")
    #expect(try WebAddress("http://127.0.0.1:8080/a?b").origin == "http://127.0.0.1:8080")
  }
}

@Suite("WebAddress.Zone")
struct WebAddressZoneTests {
  @Test(
    "Every address of this machine is recognised",
    arguments: [
      "127.0.0.1", "127.8.9.10", "0.0.0.0", "0.1.2.3", "[::1]", "[::]", "[::ffff:7f00:1]", "[::7f00:1]",
      "[::ffff:0:0]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "localhost", "LocalHost", "localhost.",
      "a.localhost", "a.localhost.", "localhost.localdomain", "localhost6.localdomain6", "localhost4",
      "ip6-localhost", "ip6-loopback", "IP6-LocalHost.", "[::ffff:0:7f00:1]", "[64:ff9b:1::7f00:1]",
      // Teredo: the server's address, and the client's with its bits inverted
      "[2001:0:7f00:1:0:1:f7f7:f7f7]", "[2001:0:808:808:0:1:80ff:fffe]", "[ff01::1]", "[ff11::1]",
    ])
  func machine(host: String) throws {
    #expect(try WebAddress("https://\(host)/").zone == .machine)
  }

  @Test(
    "Every address of a private network is recognised",
    arguments: [
      "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "[fd00::1]",
      "[fc12:3::4]", "[fe80::1]", "[febf::1]", "[fec0::1]", "[::ffff:a00:1]", "[::ffff:c0a8:101]",
      "[64:ff9b::a9fe:a9fe]",
      "[2002:a00:1::]", "[::ffff:0:a00:1]", "[2001:0:808:808:0:1:f5ff:fffe]", "[ff02::1]", "[ff0e::1]",
      "[100::1]", "192.0.0.8", "198.18.0.1", "198.19.255.255", "224.0.0.1", "239.255.255.255", "240.0.0.1",
      "255.255.255.255", "x.local", "x.local.", "a.b.internal", "X.Home.ARPA", "home.arpa", "x.lan", "x.corp",
      "x.home", "x.intranet", "x.private", "x.localdomain", "intranet", "notlocalhost",
    ])
  func network(host: String) throws {
    #expect(try WebAddress("https://\(host)/").zone == .network)
  }

  @Test(
    "All other addresses and names count as reachable from everywhere",
    arguments: [
      "as.test", "localhost.as.test", "localhost.com", "xlocal.test", "local.test", "internal.test", "x.arpa",
      "x.home.test", "9.255.255.255", "11.0.0.1", "128.0.0.1", "172.15.0.1",
      "172.32.0.1", "192.167.1.1", "100.63.0.1", "100.128.0.1", "[2001:db8::1]", "[::ffff:808:808]",
      "[64:ff9b::808:808]", "[2002:808:808::]", "[::ffff:0:808:808]", "[2001:0:808:808:0:1:f7f7:f7f7]",
      "[2001:1:7f00:1::1]", "192.0.1.1", "192.1.0.1", "198.17.255.255", "198.20.0.1", "223.255.255.255",
    ])
  func everywhere(host: String) throws {
    #expect(try WebAddress("https://\(host)/").zone == .everywhere)
  }

  @Test(
    "The address of a connection has a zone, too",
    arguments: [
      ([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 127, 0, 0, 1], .machine),
      ([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 10, 0, 0, 1], .network),
      ([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 8, 8, 8, 8], .everywhere),
      // Some proxies give every name an address like this one.
      ([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 198, 18, 0, 1], .everywhere),
      ([UInt8](repeating: 0, count: 15) + [1], .machine),
      ([0xFD] + [UInt8](repeating: 0, count: 15), .network),
    ] as [([UInt8], WebAddress.Zone)])
  func connected(address: [UInt8], zone: WebAddress.Zone) {
    #expect(WebAddress.Zone(address: address) == zone)
  }

  @Test(
    "Unusual spellings are not addresses",
    arguments: [
      "127.1", "0x7f.0.0.1", "0177.0.0.1", "2130706433", "127.0.0.1.", "127.0.0.01", "[::ffff:127.0.0.1]",
      "[0::1]",
      "[::1%25eth0]", "%6cocalhost", "ⓛocalhost",
    ])
  func odd(host: String) {
    #expect(throws: Message.self) { _ = try WebAddress("https://\(host)/") }
  }

  @Test(
    "A server may not name an address nearer to this machine than itself",
    arguments: [
      ("https://as.test", "http://127.0.0.1/t", false), ("https://as.test", "https://10.0.0.1/t", false),
      ("https://as.test", "https://as.test/t", true), ("https://10.0.0.1", "https://192.168.0.1/t", true),
      ("https://10.0.0.1", "http://127.0.0.1/t", false), ("https://10.0.0.1", "https://as.test/t", true),
      ("https://localhost", "https://127.0.0.1/t", true), ("http://localhost", "http://127.0.0.1/t", true),
      ("https://localhost", "http://127.0.0.1/t", false), ("https://127.0.0.1", "http://127.0.0.1/t", false),
      ("https://as.test", "https://ip6-localhost/t", false), ("https://as.test", "https://x.local/t", false),
      ("https://x.internal", "https://y.internal/t", true), ("https://intranet", "https://as.test/t", true),
      ("http://127.0.0.1:8080", "http://[::1]/t", true),
      ("http://127.0.0.1", "https://10.0.0.1/t", true),
    ])
  func named(server: String, text: String, isAllowed: Bool) {
    let endpoint = try? Endpoint(text, namedBy: server)
    #expect((endpoint != nil) == isAllowed)
  }
}

/// The types that read an https address.
enum AddressReader: CaseIterable {
  case endpoint, issuer, redirectURI, errorPage

  func read(_ text: String) throws {
    switch self {
    case .endpoint: _ = try Endpoint(parsing: text)
    case .issuer: _ = try Issuer(parsing: text)
    case .redirectURI: _ = try RedirectURI(parsing: text)
    case .errorPage: _ = try ErrorPage(text)
    }
  }
}
