import LoginCore
import Testing

@testable import tokentry

@Suite("Pages of programs elsewhere")
struct CarriedPageTests {
  /// Returns a page of a login whose answer goes to this address.
  private func page(_ redirectURI: String, _ more: String = "") throws -> CarriedPage {
    try CarriedPage("https://a.example/?redirect_uri=\(FormEncoding.encode(redirectURI))\(more)")
  }

  @Test(
    "The answer is awaited at a port of a user's program",
    arguments: [
      ("http://127.0.0.1:1024", 1_024), ("http://localhost:65535/a?b=c", 65_535),
      ("http://[::1]:4000/", 4_000),
    ] as [(String, UInt16)])
  func port(redirectURI: String, port: UInt16) throws {
    let page = try page(redirectURI)
    #expect(page.port == port && page.visit != nil && page.host == "a.example" && !page.isLocal)
  }

  @Test(
    "Other answers are the page's own business",
    arguments: ["https://b.example/done", "https://b.example:9443/", "urn:ietf:wg:oauth:2.0:oob"])
  func page(redirectURI: String) throws { #expect(try page(redirectURI).visit == nil) }

  @Test(
    "An answer that the program could not get is refused",
    arguments: [
      ("http://127.0.0.1:1023/", ""), ("http://localhost/", ""), ("http://localhost:80/", ""),
      ("http://127.0.0.2:4000/", ""), ("https://localhost:4000/", ""), ("app:done", ""), ("app://done", ""),
      ("http://localhost:4000/", "&redirect_uri=x"), ("http://localhost:4000/", "&response_type=token"),
      ("http://localhost:4000/", "&response_mode=fragment"),
      ("http://localhost:4000/", "&response_type=code&response_type=token"),
      ("http://localhost:4000/", "&response_mode=query&response_mode=fragment"),
      ("http://localhost:4000/", "&response_mode=query&response_mode"),
      ("http://localhost:4000/", "&response_type=code+x"), ("http://localhost:4000/", "&response_type=CODE"),
      ("http://localhost:4000/", "&response_mode=fragment.jwt"),
      ("http://localhost:4000/", "&response_mode=web_message"),
      ("http://localhost:4000/", "&client_id=a&client_id=b"), ("http://localhost:4000/", "&scope=a&scope=b"),
      ("http://localhost:4000/", "&prompt=login&prompt=none"), ("http://b.example:4000/", ""), ("x", ""),
    ])
  func refused(redirectURI: String, more: String) {
    let failure = #expect(throws: Failure.self) { try page(redirectURI, more) }
    #expect(failure?.code == .invalidConfiguration, "\(String(describing: failure))")
  }

  @Test("An empty redirect_uri does not hide another one")
  func emptyRedirect() {
    let url = "https://a.example/?redirect_uri=&redirect_uri=http%3A%2F%2Flocalhost%3A4000%2F"
    #expect(throws: Failure.self) { try CarriedPage(url) }
  }

  @Test(
    "A request that has one reading is accepted",
    arguments: [
      "", "&response_type=code", "&response_type=code&response_mode=query", "&response_mode=form_post",
      "&response_type=&response_mode=", "&resource=a&resource=b",
    ])
  func accepted(more: String) throws { #expect(try page("http://localhost:4000/", more).visit != nil) }

  @Test(
    "The client, the scope and a sign-in without a page are known, whether the page has an answer or not",
    arguments: ["http://localhost:4000/", nil])
  func wishes(redirectURI: String?) throws {
    let more = "&client_id=c+1&scope=mail%20files&prompt=none&state=S"
    let carried =
      try redirectURI.map { try page($0, more) } ?? CarriedPage("https://a.example/device?\(more)")
    #expect(carried.wishes == [.client("c 1"), .scope("mail files"), .silence])
    #expect(try CarriedPage("https://a.example/?prompt=login&scope=").wishes == [])
    #expect(
      try CarriedPage("https://a.example/?client_id=a&client_id=b").wishes == [.client("a"), .client("b")])
  }

  @Test(
    "An address that is no page of the web is refused",
    arguments: [
      "", "x", "file:///etc/passwd", "javascript:alert(1)", "http://a.example/", "https://a b.example/",
    ])
  func address(url: String) {
    let failure = #expect(throws: Failure.self) { try CarriedPage(url) }
    #expect(failure?.code == .invalidOption)
  }

  @Test(
    "A page of the browser's own machine is known",
    arguments: [
      "http://127.0.0.1:631/", "https://localhost/", "http://[::1]:5000/", "https://x.localhost/#a",
    ])
  func local(url: String) throws { #expect(try CarriedPage(url).isLocal) }
}
