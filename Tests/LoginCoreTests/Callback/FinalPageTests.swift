import LoginCore
import Testing

@Suite("FinalPage")
struct FinalPageTests {
  private let page: FinalPage

  init() throws {
    page = try FinalPage(
      uri: RedirectURI("https://vpn.example/done"), cookies: ["token"], headers: ["Saml-Username"])
  }

  private static func page(_ uri: String) throws -> FinalPage {
    try FinalPage(uri: RedirectURI(parsing: uri), cookies: ["token"], headers: [])
  }

  @Test("The final page loads over https, or over http on this machine")
  func encrypted() throws {
    for uri in [
      "https://vpn.example/done", "https://127.0.0.1:8443/", "http://127.0.0.1:8080/", "http://localhost/",
    ] {
      #expect(throws: Never.self, "\(uri)") { try Self.page(uri) }
    }
    for uri in ["http://vpn.example/done", "com.example.app:/done"] {
      #expect(throws: Message.self, "\(uri)") { try Self.page(uri) }
    }
  }

  @Test("Another address is another page, however similar it is")
  func address() {
    let good = ["https://vpn.example/done", "https://vpn.example/done?x=1", "https://vpn.example/done#x"]
    let bad = [
      "https://vpn.example/done/", "https://vpn.example/don%65", "https://vpn.example:8443/done", "",
    ]
    for uri in good + bad {
      #expect((page.callback(at: uri, PageValues()) != nil) == good.contains(uri), "\(uri)")
    }
  }

  @Test(
    "Only the wanted values are taken, the first cookie of a name counts, and fields of one name are a list")
  func wanted() throws {
    let values = page.values(
      cookies: [
        Parameter("Token", "0"), Parameter("token", "1"), Parameter("token", "2"), Parameter("b", "3"),
      ],
      headers: [Parameter("saml-username", "ann"), Parameter("SAML-USERNAME", "bob"), Parameter("x", "y")])
    #expect(
      values
        == PageValues(cookies: [Parameter("token", "1")], headers: [Parameter("Saml-Username", "ann, bob")]))
    let callback = try #require(
      page.callback(
        at: "https://vpn.example/done", PageValues(cookies: values.cookies + [Parameter("b", "3")])))
    #expect(throws: Failure.self) { try page.values(of: callback) }
  }

  @Test("Missing and empty values are named")
  func missing() throws {
    let found = page.values(cookies: [Parameter("token", "")], headers: [])
    let callback = try #require(page.callback(at: "https://vpn.example/done", found))
    let failure = #expect(throws: Failure.self) { try page.values(of: callback) }
    #expect(failure?.code == .malformedCallback)
    #expect(failure?.details["missing"] == ["token", "Saml-Username"])
    #expect(failure?.message.description == "the callback is malformed: it lacks token, Saml-Username")
  }

  @Test(
    "A value with control characters, or with bytes that are not text, is refused",
    arguments: ["a\nb", "a\u{FFFD}"])
  func text(_ value: String) throws {
    let values = PageValues(
      cookies: [Parameter("token", value)], headers: [Parameter("Saml-Username", "ann")])
    let callback = try #require(page.callback(at: "https://vpn.example/done", values))
    let failure = #expect(throws: Failure.self) { try page.values(of: callback) }
    #expect(failure?.code == .malformedCallback)
    #expect(failure?.message.description.contains(value) == false)
  }

  @Test("Values are never printed")
  func hidden() { #expect("\(PageValues(cookies: [Parameter("token", "secret")]))" == "[redacted]") }
}
