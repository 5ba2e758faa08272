import Testing

@testable import LoginCore

@Suite("Endpoint")
struct EndpointTests {
  // RFC 6749 sections 3.1 and 3.2: a query of the endpoint is kept.
  @Test("An address that an application writes fails with a sentence that does not repeat it")
  func failures() {
    expectFailure(Failure(.invalidConfiguration, "the address is not an absolute URL")) {
      _ = try Endpoint("secret")
    }
    expectFailure(Failure(.invalidConfiguration, "the issuer is a URL with a query")) {
      _ = try Issuer("https://as.test?secret")
    }
    expectFailure(Failure(.invalidConfiguration, "the redirect URI is not an absolute URL")) {
      _ = try RedirectURI("secret")
    }
  }

  @Test(
    "Parameters are added after the endpoint's own query, which stays unchanged",
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
    "Without parameters the URL is the endpoint",
    arguments: ["https://h.test/auth", "https://h.test/auth?x=1"])
  func addingNothing(endpoint: String) throws {
    #expect(try Endpoint(endpoint).adding([]).description == endpoint)
  }

  @Test("The endpoint's own parameters are known by their decoded names")
  func ownParameters() throws {
    #expect(
      try Endpoint("https://h.test/auth?tenant=7&r%65source=a+b&flag").ownParameters
        == [Parameter("tenant", "7"), Parameter("resource", "a b"), Parameter("flag", "")])
    #expect(try Endpoint("https://h.test/auth").ownParameters.isEmpty)
    #expect(try Endpoint("https://h.test/auth?").ownParameters.isEmpty)
  }

  @Test("A trailing slash is part of the endpoint")
  func trailingSlash() throws {
    #expect(try Endpoint("https://h.test/authorize/") != Endpoint("https://h.test/authorize"))
    #expect(try Endpoint("https://h.test") == Endpoint("https://H.test:443/"))
  }

  @Test(
    "A scheme other than http and https is refused",
    arguments: [
      ("ftp://h.test/", Message.notHTTPS), ("vk1://vk.ru/", .notHTTPS),
      ("file:///etc/passwd", .notHTTPS),
      ("wss://h.test/", .notHTTPS), ("javascript:alert(1)", .notAbsolute), ("data:text/html,x", .notAbsolute),
    ])
  func otherSchemes(text: String, message: Message) {
    #expect(throws: message) { _ = try Endpoint(parsing: text) }
  }
}

@Suite("Issuer")
struct IssuerTests {
  // RFC 8414 section 2.
  @Test(
    "An issuer must not have a query, not even an empty one",
    arguments: ["https://h.test/?a", "https://h.test?"])
  func query(text: String) {
    #expect(throws: "a URL with a query" as Message) { _ = try Issuer(parsing: text) }
  }

  @Test("An issuer is kept as the server writes it", arguments: ["https://H.test:443", "https://h.test/t1/"])
  func unchanged(text: String) throws {
    #expect(try Issuer(text).description == text)
  }

  // RFC 9207 section 2.4: simple string comparison, RFC 3986 section 6.2.1.
  @Test(
    "Another spelling of an issuer is another issuer",
    arguments: [
      "https://h.test/t1/", "https://H.test/t1", "HTTPS://h.test/t1", "https://h.test:443/t1",
      "https://h.test/T1",
      "https://h.test/%741", "https://h.test/t1?", "https://h.test/t1#", " https://h.test/t1",
      "https://h.test/t1\u{0}",
      "https://h.test", "",
    ])
  func otherSpellings(received: String) throws {
    #expect(try !Issuer("https://h.test/t1").isIdentical(to: received))
  }

  @Test("Issuers are equal if their bytes are")
  func identical() throws {
    let issuer = try Issuer("https://h.test/t1")
    #expect(issuer.isIdentical(to: "https://h.test/t1"))
    #expect(try issuer == Issuer("https://h.test/t1"))
    #expect(try issuer != Issuer("https://h.test/t1/"))
  }
}

@Suite("Origin")
struct OriginTests {
  // RFC 6454 section 6.2.
  @Test(
    "An origin is written without its default port and without a path",
    arguments: [
      ("https://H.test:443/", "https://h.test"), ("https://h.test", "https://h.test"),
      ("https://h.test:8443", "https://h.test:8443"), ("http://127.0.0.1:80", "http://127.0.0.1"),
    ])
  func serialisation(text: String, origin: String) throws {
    #expect(try Origin(text).description == origin)
  }

  @Test(
    "An address with a path or a query is not an origin",
    arguments: ["https://h.test/api", "https://h.test//", "https://h.test/?", "https://h.test?a"])
  func notAnOrigin(text: String) {
    #expect(throws: "more than a scheme, a host and a port" as Message) { _ = try Origin(text) }
  }

  @Test(
    "An origin uses https, or http on this machine",
    arguments: ["http://h.test", "ftp://h.test", "vk1://vk.ru"])
  func notHTTPS(text: String) {
    #expect(throws: Message.notHTTPS) { _ = try Origin(text) }
  }
}
