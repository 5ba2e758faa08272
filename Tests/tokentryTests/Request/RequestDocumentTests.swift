import Wording
import LoginCore
import Testing

@testable import tokentry

@Suite("A login request as JSON")
struct RequestDocumentTests {
  @Test("Members have the names of the options, with underscores")
  func ownNames() throws {
    let settings = try read(
      """
      {"provider":"vk","client_id":"1","scope":"a b","timeout":5,"headless_test":true,"without_state":false,
       "param":{"display":"page","v":5.52},"resource":["https://a.example","https://b.example"],"login_hint":null}
      """)
    #expect(settings[.provider] == "vk")
    #expect(settings[.timeout] == "5")
    #expect(settings.has(.headlessTest))
    #expect(!settings.has(.withoutState))
    #expect(!settings.has(.loginHint))
    #expect(settings.pairs(.parameter) == [Parameter("display", "page"), Parameter("v", "5.52")])
    #expect(settings.all(.resource) == ["https://a.example", "https://b.example"])
  }

  @Test("The settings of p2/OAuth2 are understood")
  func otherNames() throws {
    let settings = try read(
      """
      {"client_id":"1","client_secret":"s","authorize_uri":"https://as.example/a","token_uri":"https://as.example/t",
       "redirect_uris":["app://done","app://other"],"scope":"a","secret_in_body":true,"parameters":{"x":"y"},
       "headers":{"Accept":"a/b"},"keychain":true,"verbose":true,"token_assume_unexpired":false,
       "registration_url":"https://as.example/r"}
      """)
    #expect(settings[.authorizationEndpoint] == "https://as.example/a")
    #expect(settings[.tokenEndpoint] == "https://as.example/t")
    #expect(settings[.registrationEndpoint] == "https://as.example/r")
    #expect(settings[.redirectURI] == "app://done")
    #expect(settings[.clientAuthentication] == "post")
    #expect(settings.clientSecret == ClientSecret("s"))
    #expect(settings.pairs(.parameter) == [Parameter("x", "y")])
    #expect(settings.pairs(.header) == [Parameter("Accept", "a/b")])
    #expect(!settings.has(.verbose))
  }

  @Test("What a command has no use for in the settings of p2/OAuth2 has no effect there")
  func unused() throws {
    let document =
      #"{"token_uri":"https://as.example/t","redirect_uris":["app://done"],"headers":{"Accept":"a/b"}}"#
    let settings = try RequestDocument(Array(document.utf8), for: .navigate).settings
    #expect(settings.given == [.redirectURI])
    let posted = try RequestDocument(Array(#"{"secret_in_body":true}"#.utf8), for: .token).settings
    #expect(posted.given == [])
  }

  @Test("A member that is null is none", arguments: [Command.login, .token, .navigate])
  func null(command: Command) throws {
    let names = [
      "client_secret", "password", "refresh_token", "initial_access_token", "token", "secret_in_body",
      "token_assume_unexpired", "keychain", "verbose", "token_uri", "redirect_uris", "headers",
    ]
    for name in names {
      let settings = try RequestDocument(Array("{\"\(name)\":null}".utf8), for: command).settings
      #expect(settings.given == [] && settings.token == nil && settings.clientSecret == nil, "\(name)")
    }
    #expect(throws: Failure.self) { try read(#"{"unknown":null}"#) }
  }

  @Test(
    "What is not a request is refused",
    arguments: [
      "", "[]", "null", "{\"client_id\":\"1\",}", "{\"client_id\":1}", "{\"clientid\":\"1\"}",
      "{\"client_id\":\"1\",\"client_id\":\"2\"}", "{\"timeout\":1.5}", "{\"timeout\":true}",
      "{\"headless_test\":\"yes\"}", "{\"param\":[\"a=b\"]}", "{\"param\":{\"a\":{}}}",
      "{\"param\":{\"\":\"a\"}}", "{\"param\":{\"a=b\":\"c\"}}", "{\"headers\":{\"X-A:b\":\"c\"}}",
      "{\"header\":{\"X-A=b\":\"c\"}}",
      "{\"resource\":[1]}", "{\"redirect_uris\":[]}", "{\"client_secret\":1}", "{\"keychain\":\"yes\"}",
      "{\"request\":\"-\"}", "{\"help\":true}", "{\"client_id\":\"\"}", "{\"output\":\"xml\"}",
      "{\"redirect_uri\":\"a://b\",\"redirect_uris\":[\"c://d\"]}", "{\"client_id\":\"1\"} x",
    ])
  func refused(document: String) {
    #expect { try read(document) } throws: { error in
      (error as? Failure)?.fault(as: CommandLineFault.self) != nil
    }
  }

  @Test("The line of an error is named, and the member that was meant")
  func helpful() {
    #expect { try read("{\n\"scope\":\n}") } throws: {
      guard case .document(let fault)? = ($0 as? Failure)?.fault(as: CommandLineFault.self) else {
        return false
      }
      return fault.line == 3
    }
    #expect { try read("{\"client_di\":\"1\"}") } throws: {
      $0 as? Failure == .commandLine(.unknownMember("client_di", nearest: "client_id"))
    }
  }

  @Test("A name that could be a value is not taken for one, and a colon is a part of other names")
  func pairNames() throws {
    #expect(throws: Failure.commandLine(.wants("--request: \"param\"", .pairNames))) {
      try read(#"{"param":{"a=b":"x"}}"#)
    }
    #expect(try read(#"{"param":{"a:b":"x=y"}}"#).pairs(.parameter) == [Parameter("a:b", "x=y")])
  }

  @Test("The command line comes before the document")
  func precedence() throws {
    var settings = try Invocation(["--scope", "mine"]).settings
    settings.fill(from: try read("{\"scope\":\"theirs\",\"client_id\":\"1\"}"))
    #expect(settings[.scope] == "mine")
    #expect(settings[.clientID] == "1")
  }

  @Test("Of pairs each name counts by itself, and none is given twice")
  func pairs() throws {
    var settings = try Invocation(["--param", "a=mine"]).settings
    settings.fill(from: try read(#"{"param":{"a":"theirs","b":"2","e\u0301":"3","\u00e9":"4"}}"#))
    let names = settings.pairs(.parameter).map { Array($0.name.utf8) }
    #expect(names == ["a", "b", "e\u{301}", "\u{E9}"].map { Array($0.utf8) })
    #expect(settings.pairs(.parameter).first?.value == "mine")
    for name in ["a", "b", "\u{E9}"] {
      #expect(throws: Failure.commandLine(.nameGivenTwice("--param", name: name))) {
        try settings.set(.parameter, "\(name)=5", as: "--param")
      }
    }
  }

  private func read(_ text: String) throws -> Settings {
    try RequestDocument(Array(text.utf8), for: .login).settings
  }

  @Test(
    "A secret is no member of a document for a command that has no use for it",
    arguments: ["client_secret", "password", "refresh_token", "initial_access_token", "token"])
  func uselessSecrets(member: String) {
    let document = Array(#"{"\#(member)":"s"}"#.utf8)
    #expect(throws: Failure.commandLine(.unknownMember(member, nearest: nil))) {
      try RequestDocument(document, for: .accounts)
    }
  }
}
