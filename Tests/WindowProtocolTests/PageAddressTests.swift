import Testing

@testable import WindowProtocol

@Suite("PageAddress")
struct PageAddressTests {
  struct Row: Sendable {
    let uri: String
    let host: String
    let connection: PageAddress.Connection
    init(_ uri: String, _ host: String, _ connection: PageAddress.Connection) {
      (self.uri, self.host, self.connection) = (uri, host, connection)
    }
  }

  @Test(
    "The host is shown as the web engine reports it, with the security of the connection",
    arguments: [
      Row("https://as.example/login?next=https://evil.test/", "as.example", .secure),
      Row("https://as.example:8443/", "as.example:8443", .secure),
      Row("https://as.example", "as.example", .secure), Row("https://as.example?a", "as.example", .secure),
      Row("https://as.example#@evil.test/", "as.example", .secure),
      Row("https://google.com:pw@evil.test/", "evil.test", .secure),
      Row("https://a@b@evil.test/", "evil.test", .secure),
      Row("https://xn--pple-43d.com/", "xn--pple-43d.com", .secure),
      Row("http://as.example/", "as.example", .plain),
      Row("http://127.0.0.1:8080/a", "127.0.0.1:8080", .local),
      Row("http://localhost/", "localhost", .local), Row("http://[::1]:80/", "[::1]:80", .local),
      Row("http://127.0.0.1.evil.test/", "127.0.0.1.evil.test", .plain),
      Row("http://localhost.evil.test/", "localhost.evil.test", .plain),
      Row("https://127.0.0.1/", "127.0.0.1", .secure), Row("about:blank", "", .none),
      Row("data:text/html,https://as.example/", "", .none), Row("", "", .none),
      Row("https:as.example", "", .none),
      Row("https://as.\u{202E}elpmaxe/", "as.elpmaxe", .secure),
    ])
  func address(_ row: Row) {
    let address = PageAddress(row.uri)
    #expect(address.host == row.host)
    #expect(address.connection == row.connection)
  }

  @Test("A host that is too long loses its beginning, because its end tells whose it is")
  func longHost() {
    let host = String(repeating: "bank.example.", count: 30) + "evil.test:8443"
    let address = PageAddress("https://\(host)/a")
    #expect(address.host == "…" + host.suffix(260))
    #expect(address.hostName.hasSuffix(".evil.test"))
    let longest = String(host.suffix(260))
    #expect(PageAddress("https://\(longest)/a").host == longest)
    #expect(PageAddress("http://127.0.0.1.\(host)/a").connection == .plain)
    #expect(PageAddress("http://\(host)@127.0.0.1/a").host == "127.0.0.1")
  }

  @Test(
    "The name of a host has no port",
    arguments: [
      ("https://as.example:8443/", "as.example"), ("https://as.example/", "as.example"),
      ("http://[::1]:80/", "[::1]"), ("http://[::1]/", "[::1]"), ("about:blank", ""),
    ])
  func hostName(_ uri: String, _ name: String) {
    #expect(PageAddress(uri).hostName == name)
  }

  @Test("The origin is scheme and host, and empty for a page without an address")
  func origin() {
    #expect(PageAddress("https://u@as.example:8443/a?b#c").origin == "https://as.example:8443")
    #expect(PageAddress("about:blank").origin == "")
  }

  @Test("A page without an address is shown with the host that opened it, but never as secure")
  func inherited() {
    let bank = PageAddress("https://bank.example/")
    for uri in ["about:blank", "", "blob:https://other.example/1", "data:text/html,x", "about:srcdoc"] {
      let address = PageAddress(uri, from: bank)
      #expect(address.host == "bank.example")
      #expect(address.connection == .inherited)
      #expect(PageAddress(uri, from: address) == address)
      #expect(PageAddress(uri, from: nil).connection == .none)
    }
    #expect(PageAddress("http://other.example/", from: bank) == PageAddress("http://other.example/"))
  }
}

@Suite("EmbeddedRefusal")
struct EmbeddedRefusalTests {
  @Test(
    "Google's word is found in a parameter, plain or in Base64 of either alphabet",
    arguments: [
      // The beginning of the protobuf message on Google's page: field 1, 20 bytes long.
      "authError=ChRkaXNhbGxvd2VkX3VzZXJhZ2VudBJHWW91IGNhbid0",
      "authError=ChRkaXNhbGxvd2VkX3VzZXJhZ2VudA%3D%3D&client_id=me",
      "authError=++++ZGlzYWxsb3dlZF91c2VyYWdlbnQ", "authError=-_-_ZGlzYWxsb3dlZF91c2VyYWdlbnQ",
      "error=disallowed_useragent", "a=b&text=Error+403%3A+disallowed_useragent.",
    ])
  func named(query: String) {
    #expect(EmbeddedRefusal.isNamed(in: "https://accounts.example/signin/oauth/error?\(query)"))
  }

  @Test(
    "The word counts only in the value of a parameter",
    arguments: [
      "https://accounts.example/signin", "https://accounts.example/disallowed_useragent", "",
      "https://accounts.example/?error=access_denied", "https://accounts.example/?a=b#disallowed_useragent",
      "https://accounts.example/?authError=Q2hlY2s", "https://accounts.example/?disallowed_useragent=1",
    ])
  func unnamed(uri: String) { #expect(!EmbeddedRefusal.isNamed(in: uri)) }
}
