import Testing

@testable import LoginWays

@Suite("Whose page is shown")
struct PageAddressTests {
  /// An address, and what a person is told of it.
  struct Row: Sendable {
    let uri: String
    let host: String
    let connection: PageAddress.Connection
    init(_ uri: String, _ host: String, _ connection: PageAddress.Connection) {
      (self.uri, self.host, self.connection) = (uri, host, connection)
    }
  }

  @Test(
    "The host is what the web engine reports, and the connection is called what it is",
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

  @Test("Of a host that is too long the end is shown, which says whose it is")
  func long() {
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

  @Test("The origin is scheme and host, and nothing for a page that comes from nowhere")
  func origin() {
    #expect(PageAddress("https://u@as.example:8443/a?b#c").origin == "https://as.example:8443")
    #expect(PageAddress("about:blank").origin == "")
  }

  @Test("What has no address has the host that it came from, and never its lock")
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
