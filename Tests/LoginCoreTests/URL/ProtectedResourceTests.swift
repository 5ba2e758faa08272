import Testing

@testable import LoginCore

@Suite("ProtectedResource")
struct ProtectedResourceTests {
  // RFC 9728 section 3.1.
  @Test(
    "The metadata of an API are at its path, then at the whole server",
    arguments: [
      (
        "https://h.test/mcp/",
        [
          "https://h.test/.well-known/oauth-protected-resource/mcp",
          "https://h.test/.well-known/oauth-protected-resource",
        ]
      ),
      ("https://h.test", ["https://h.test/.well-known/oauth-protected-resource"]),
      (
        "https://H.test:8443/a?t=1",
        [
          "https://h.test:8443/.well-known/oauth-protected-resource/a?t=1",
          "https://h.test:8443/.well-known/oauth-protected-resource",
        ]
      ),
    ])
  func places(address: String, places: [String]) throws {
    #expect(try ProtectedResource(address).metadataAddresses == places)
  }
}

@Suite("Destination")
struct DestinationTests {
  @Test(
    "A destination includes addresses of the same server, at its path or below it",
    arguments: [
      ("https://h.test", "https://H.test:443/a/b?c", true),
      ("https://h.test/mcp", "https://h.test/mcp", true), ("https://h.test/mcp", "https://h.test/mcp/", true),
      ("https://h.test/mcp/", "https://h.test/mcp/a", true),
      ("https://h.test/mcp/", "https://h.test/mcp", true),
      ("https://h.test/mcp", "https://h.test/mcp-x", false),
      ("https://h.test/mcp", "https://h.test/", false), ("https://h.test/mcp", "https://h.test/a/mcp", false),
      ("https://h.test/mcp", "https://h.test/MCP", false), ("https://h.test", "https://h.test:8443", false),
      ("https://h.test", "https://a.h.test", false), ("https://h.test", "https://h.test.evil.test", false),
      ("https://127.0.0.1", "http://127.0.0.1", false), ("https://h.test", "https://h.test./", false),
      ("https://h.test/a//b", "https://h.test/a/b", false),
      ("https://h.test/mcp", "https://h.test/mcp?t=a", true),
      ("https://h.test/mcp?t=a", "https://h.test/mcp?t=a", true),
      ("https://h.test/mcp?t=a", "https://h.test/mcp/x?t=a", true),
      ("https://h.test/mcp?t=a", "https://h.test/mcp?t=b", false),
      ("https://h.test/mcp?t=a", "https://h.test/mcp?T=a", false),
      ("https://h.test/mcp?t=a", "https://h.test/mcp?t=a&u=b", false),
      ("https://h.test/mcp?t=a", "https://h.test/mcp", false),
      ("https://h.test/a", "https://h.test/a/b;c=d/100%25/e%20f/%C3%A4/..e/f..%3Fg", true),
    ])
  func includes(own: String, other: String, isIncluded: Bool) throws {
    #expect(try Destination(own).includes(try Destination(other)) == isIncluded)
  }

  @Test(
    "An ambiguous address is not a destination, and neither is plain http to another machine",
    arguments: [
      "http://h.test/", "https://h.test/a/../b", "https://h.test/%2e%2e/b", "https://h.test/a%2Fb",
      "https://h.test/a%2fb", "https://h.test/a%5cb", "https://h.test\\@evil.test/", "https://u@h.test/",
      "https://u:p@h.test/", "https://h.test/#a", "h.test", "//h.test", "ssh://h.test", "https://", "",
      "https://h.test/a b", "https://127.1/", "https://h.test/a/..;/b", "https://h.test/a/..;c=d/b",
      "https://h.test/a/.;/b", "https://h.test/a/%252e%252e/b", "https://h.test/a/.%252E/b",
      "https://h.test/a/%25252e%25252e/b", "https://h.test/a/..%00/b", "https://h.test/a/b%00",
      "https://h.test/a/..%09/b", "https://h.test/a/..%20/b", "https://h.test/a/..%3Bx/b",
      "https://h.test/a/%2e%2e%3b/b", "https://h.test/a/..%3F/b", "https://h.test/a/..%23b",
      "https://h.test/a/%c0%ae%c0%ae/b", "https://h.test/a/.%ff./b", "https://h.test/a%252fb",
      "https://h.test/a%255cb", "https://h.test/a%C2%85/b", "https://h.test/a/...",
    ])
  func none(text: String) {
    #expect(throws: Message.self) { _ = try Destination(text) }
  }

  @Test("A server is given with or without a scheme")
  func servers() {
    func origins(_ server: String) -> [String] { Destination.all(ofServer: server).map(\.origin) }
    #expect(origins("h.test/v2/") == ["https://h.test"])
    #expect(origins("h.test:8443") == ["https://h.test:8443"])
    #expect(origins("localhost:5000/x") == ["https://localhost:5000", "http://localhost:5000"])
    #expect(origins("https://h.test/v2/") == ["https://h.test"])
    for path in ["/../x", "/./x", "/%2e%2e/x", "/a%2fb", "/a%5Cb", "/\\x", "/#x", "\\x"] {
      #expect(origins("h.test" + path) == [], "\(path)")
      #expect(origins("https://h.test" + path) == [], "\(path)")
    }
    for server in ["", "/", "u@h.test/x", "https://u@h.test/x", "http://h.test/"] {
      #expect(origins(server) == [], "\(server)")
    }
  }

  @Test("A host is reached over https, and on this machine over http as well")
  func hosts() {
    func origins(_ host: String) -> [String] { Destination.all(ofHost: host).map(\.origin) }
    #expect(origins("h.test:8443") == ["https://h.test:8443"])
    #expect(origins("127.0.0.1:5000") == ["https://127.0.0.1:5000", "http://127.0.0.1:5000"])
    for host in ["u@h.test", "h.test/a", "h.test?", "h.test#", "", "h test"] { #expect(origins(host) == []) }
  }
}
