import Testing

@testable import LoginCore

/// Where requests go, and what they add to it.
@Suite("Endpoint")
struct EndpointTests {
  // RFC 6749 sections 3.1 and 3.2: a query of the endpoint is kept.
  @Test(
    "parameters are added after the endpoint's own query, which stays as it is",
    arguments: [
      ("https://h.test/auth", "https://h.test/auth?a=1&b=%26"),
      ("https://h.test", "https://h.test/?a=1&b=%26"),
      ("https://h.test/auth?", "https://h.test/auth?a=1&b=%26"),
      ("https://h.test/auth?tenant=7", "https://h.test/auth?tenant=7&a=1&b=%26"),
      ("https://h.test/auth?t=%41+x&u", "https://h.test/auth?t=%41+x&u&a=1&b=%26"),
    ])
  func adding(endpoint: String, url: String) throws {
    #expect(try Endpoint(endpoint).adding([Parameter("a", "1"), Parameter("b", "&")]).description == url)
  }

  @Test(
    "without parameters the URL is the endpoint",
    arguments: ["https://h.test/auth", "https://h.test/auth?x=1"])
  func addingNothing(endpoint: String) throws {
    #expect(try Endpoint(endpoint).adding([]).description == endpoint)
  }

  @Test("the endpoint's own parameters are known by their decoded names")
  func ownParameters() throws {
    #expect(
      try Endpoint("https://h.test/auth?tenant=7&r%65source=a+b&flag").ownParameters
        == [Parameter("tenant", "7"), Parameter("resource", "a b"), Parameter("flag", "")])
    #expect(try Endpoint("https://h.test/auth").ownParameters.isEmpty)
    #expect(try Endpoint("https://h.test/auth?").ownParameters.isEmpty)
  }

  @Test("a trailing slash is part of the endpoint")
  func trailingSlash() throws {
    #expect(try Endpoint("https://h.test/authorize/") != Endpoint("https://h.test/authorize"))
    #expect(try Endpoint("https://h.test") == Endpoint("https://H.test:443/"))
  }

  @Test(
    "another scheme than http and https is refused",
    arguments: [
      ("ftp://h.test/", AddressFault.notHTTPS), ("vk1://vk.ru/", .notHTTPS),
      ("file:///etc/passwd", .notHTTPS),
      ("wss://h.test/", .notHTTPS), ("javascript:alert(1)", .notAbsolute), ("data:text/html,x", .notAbsolute),
    ])
  func otherSchemes(text: String, fault: AddressFault) {
    #expect(throws: fault) { _ = try Endpoint(text) }
  }
}
