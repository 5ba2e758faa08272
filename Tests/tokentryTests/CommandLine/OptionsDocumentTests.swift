import LoginCore
import Testing

@testable import tokentry

@Suite("OptionsDocument")
struct OptionsDocumentTests {
  private func read(_ text: String, for command: Command = .login) throws -> Wishes {
    var wishes = Wishes()
    try wishes.take(try OptionsDocument.wishes(in: Array(text.utf8), for: command))
    return wishes
  }

  @Test("The members are the options, with underscores in their names")
  func ownNames() throws {
    let wishes = try read(
      """
      {"provider":"vk","client_id":"1","scope":"a b","timeout":5,"headless_test":true,"without_state":false,
       "param":{"display":"page","v":5.52},"resource":["https://a.example","https://b.example"],"login_hint":null}
      """)
    #expect(wishes.provider.preset == "vk")
    #expect(wishes.asking.timeout == 5)
    #expect(wishes.asking.isTest)
    #expect(!wishes.request.omitsState)
    #expect(wishes.request.loginHint == nil)
    #expect(wishes.request.parameters == [Parameter("display", "page"), Parameter("v", "5.52")])
    #expect(wishes.request.resources == ["https://a.example", "https://b.example"])
  }

  @Test("The settings of p2/OAuth2 are understood")
  func otherNames() throws {
    let wishes = try read(
      """
      {"client_id":"1","client_secret":"s","authorize_uri":"https://as.example/a","token_uri":"https://as.example/t",
       "redirect_uris":["app://done","app://other"],"scope":"a","secret_in_body":true,"parameters":{"x":"y"},
       "headers":{"Accept":"a/b"},"keychain":true,"verbose":true,"token_assume_unexpired":false,
       "registration_url":"https://as.example/r"}
      """)
    #expect(
      wishes.provider.addresses.mapValues(\.description) == [
        .authorization: "https://as.example/a", .token: "https://as.example/t",
        .registration: "https://as.example/r",
      ])
    #expect(wishes.provider.redirectURI?.description == "app://done")
    #expect(wishes.request.clientAuthentication == .post)
    #expect(wishes.provider.clientSecret == ClientSecret("s"))
    #expect(wishes.request.parameters == [Parameter("x", "y")])
    #expect(wishes.request.headers == [Parameter("Accept", "a/b")])
    #expect(wishes.account.assumesUnexpired == false)
    #expect(wishes.place.verbosity == 0)
  }

  @Test("Settings of p2/OAuth2 that the command does not use are ignored")
  func unused() throws {
    let document =
      #"{"token_uri":"https://as.example/t","redirect_uris":["app://done"],"headers":{"Accept":"a/b"}}"#
    #expect(try read(document, for: .navigate).given.map(\.option.name) == ["redirect-uri"])
    #expect(try read(#"{"secret_in_body":true}"#, for: .token).given.isEmpty)
  }

  @Test("A member that is null counts as missing", arguments: [Command.login, .token, .navigate])
  func null(command: Command) throws {
    let names = [
      "client_secret", "password", "refresh_token", "initial_access_token", "token", "secret_in_body",
      "token_assume_unexpired", "keychain", "verbose", "token_uri", "redirect_uris", "headers",
    ]
    for name in names {
      #expect(try read("{\"\(name)\":null}", for: command).given.isEmpty, "\(name)")
    }
    #expect(throws: Failure.self) { try read(#"{"unknown":null}"#) }
  }

  @Test(
    "A wrong document is refused with invalid_option",
    arguments: [
      "", "[]", "null", "{\"client_id\":\"1\",}", "{\"client_id\":1}", "{\"clientid\":\"1\"}",
      "{\"client_id\":\"1\",\"client_id\":\"2\"}", "{\"timeout\":1.5}", "{\"timeout\":true}",
      "{\"headless_test\":\"yes\"}", "{\"param\":[\"a=b\"]}", "{\"param\":{\"a\":{}}}",
      "{\"param\":{\"\":\"a\"}}", "{\"param\":{\"a=b\":\"c\"}}", "{\"headers\":{\"X-A:b\":\"c\"}}",
      "{\"header\":{\"X-A=b\":\"c\"}}",
      "{\"resource\":[1]}", "{\"redirect_uris\":[]}", "{\"client_secret\":1}", "{\"keychain\":\"yes\"}",
      "{\"options\":\"-\"}", "{\"help\":true}", "{\"endpoint\":{\"token\":\"https://a.test\"}}",
      "{\"authorization_details\":{}}", "{\"authorization_details\":[{}]}",
      "{\"token_uri\":\"https://a.test\",\"token_endpoint\":\"https://b.test\"}", "{\"client_id\":\"\"}",
      "{\"output\":\"xml\"}",
      "{\"redirect_uri\":\"a://b\",\"redirect_uris\":[\"c://d\"]}", "{\"client_id\":\"1\"} x",
    ])
  func refused(document: String) {
    let failure = #expect(throws: Failure.self) { try read(document) }
    #expect(failure?.code == .invalidOption)
  }

  @Test("The failure names the line of a syntax error, and the member that was probably meant")
  func helpful() {
    let failure = #expect(throws: Failure.self) { try read("{\n\"scope\":\n}") }
    #expect(failure?.description.hasPrefix("--options: line 3: ") == true)
    #expect(
      throws: Failure(
        .invalidOption, "--options: unknown member \"client_di\"", hint: "did you mean client_id?")
    ) {
      try read("{\"client_di\":\"1\"}")
    }
  }

  @Test("The name of a parameter may contain a colon, but no equals sign")
  func pairNames() throws {
    #expect(throws: Failure.takes("--options: \"param\"", "names without = and :")) {
      try read(#"{"param":{"a=b":"x"}}"#)
    }
    #expect(try read(#"{"param":{"a:b":"x=y"}}"#).request.parameters == [Parameter("a:b", "x=y")])
  }

  @Test("The command line overrides the document")
  func precedence() throws {
    var wishes = try Invocation(["--scope", "mine"]).wishes
    try wishes.take(try read("{\"scope\":\"theirs\",\"client_id\":\"1\"}").given)
    #expect(wishes.request.scope == "mine")
    #expect(wishes.provider.clientID == "1")
  }

  @Test("The command line overrides single names of pairs, and a name cannot be given twice")
  func pairs() throws {
    var wishes = try Invocation(["--param", "a=mine"]).wishes
    try wishes.take(try read(#"{"param":{"a":"theirs","b":"2","e\u0301":"3","\u00e9":"4"}}"#).given)
    let names = wishes.request.parameters.map { Array($0.name.utf8) }
    #expect(names == ["a", "b", "e\u{301}", "\u{E9}"].map { Array($0.utf8) })
    #expect(wishes.request.parameters.first?.value == "mine")
    #expect(throws: Failure(.invalidOption, "--param gives \"\u{E9}\" twice")) {
      try Invocation(["--param", "\u{E9}=1", "--param", "e\u{301}=2", "--param", "\u{E9}=3"])
    }
  }

  @Test(
    "A secret that the command does not use is an unknown member",
    arguments: ["client_secret", "password", "refresh_token", "initial_access_token", "token"])
  func uselessSecrets(member: String) {
    #expect(throws: Failure(.invalidOption, "--options: unknown member \"\(member)\"")) {
      try read(#"{"\#(member)":"s"}"#, for: .accounts)
    }
  }
}
