import LoginCore
import Testing

@testable import tokentry

@Suite("Invocation")
struct InvocationTests {
  @Test("The default command is login", arguments: [[], ["--provider", "vk"], ["login"]])
  func defaultCommand(arguments: [String]) throws {
    guard case .run(.login) = try Invocation(arguments).action else {
      Issue.record("not a login")
      return
    }
  }

  @Test("The default timeout is five minutes, and zero can be set")
  func time() throws {
    #expect(try Invocation([]).settings.timeout == 300)
    #expect(try Invocation(["--timeout", "0"]).settings.timeout == 0)
  }

  @Test("A value follows its option or is attached to it")
  func values() throws {
    let settings = try Invocation(["--client-id=a=b", "--scope", "", "--state", "-S", "-v"]).settings
    #expect(settings[.clientID] == "a=b")
    #expect(settings[.scope] == "")
    #expect(settings[.state] == "-S")
    #expect(settings.has(.verbose))
  }

  @Test("The first equals sign splits a pair, and an option with pairs can be repeated")
  func pairs() throws {
    let settings = try Invocation(["--param", "a=1=2", "--param", "b="]).settings
    #expect(settings.pairs(.parameter) == [Parameter("a", "1=2"), Parameter("b", "")])
  }

  @Test("A short option takes the rest of its word as its value, or the next word")
  func short() throws {
    let words = ["request", "-XPUT", "-H", "A: b=c", "-H", "B=d:e", "-da=b\nc", "-v", "https://api.test/"]
    let settings = try Invocation(words).settings
    #expect(settings.operand == "https://api.test/")
    #expect(settings[.method] == "PUT")
    #expect(settings.pairs(.header) == [Parameter("A", "b=c"), Parameter("B", "d:e")])
    #expect(settings[.data] == "a=b\nc")
    #expect(settings.has(.verbose))
    #expect(throws: Failure.self) { try Invocation(["-vx"]) }
  }

  @Test(
    "An option that would put a secret on the command line is refused with another way to pass it",
    arguments: [
      ("--client-secret", "use --client-secret-file, --request or TOKENTRY_CLIENT_SECRET"),
      ("--password", "use --password-file, --request or TOKENTRY_PASSWORD"),
      ("--refresh-token", "--request - reads a secret from standard input"),
      ("--access-token", "--request - reads a secret from standard input"),
    ])
  func secrets(flag: String, hint: String) {
    let failure = Failure(
      .invalidOption, "\(flag) does not exist: every user of the machine can read a command line",
      hint: .text(Message(verbatim: hint)))
    for words in [[flag, "hunter2"], ["token", flag + "=hunter2"], ["helper", "docker", flag]] {
      #expect(throws: failure) { try Invocation(words) }
    }
  }

  @Test("--access-token is an option of the helpers that can hand out an id_token")
  func accessToken() throws {
    #expect(try Invocation(["helper", "kubernetes", "--access-token"]).settings.has(.accessToken))
  }

  @Test(
    "Wrong arguments are refused with invalid_option",
    arguments: [
      ["--nonsense"], ["logn"], ["login", "extra"], ["providers", "a", "b"], ["--client-id"],
      ["--client-id", "--scope", "x"], ["--client-id", "--silent"], ["--title", "a\nb"],
      ["--title", "a\u{7F}"], ["--title", "a\u{FFFD}"], ["--client-id", "a", "--client-id", "b"],
      ["--client-id="], ["--headless-test=yes"], ["--timeout", "soon"], ["--timeout", "-1"],
      ["--timeout", "99999999999"], ["--output", "xml"], ["--param", "novalue"], ["--param", "=x"],
      ["--param", "a=1", "--param", "a=2"], ["providers", "--scope", "x"], ["navigate", "--provider", "vk"],
      ["login", "--version"], ["-x"], ["--client-secret", "s"], ["git-credential", "get"],
    ])
  func invalid(arguments: [String]) {
    let failure = #expect(throws: Failure.self) { try Invocation(arguments) }
    #expect(failure?.code == .invalidOption)
  }

  @Test(
    "The hint about a misspelled word is the nearest one",
    arguments: [
      (["--provder", "vk"], "did you mean --provider?"), (["--clientid", "1"], "did you mean --client-id?"),
      (["provider"], "did you mean providers?"), (["--output", "jsn"], "did you mean json?"),
      (["--headless-tets"], "did you mean --headless-test?"), (["--timeout", "5m"], "did you mean 300?"),
      (
        ["--agent", "chrome"],
        "--agent browser opens your default browser, and --browser COMMAND another one"
      ),
      (["login", "gitlab"], "did you mean --provider gitlab?"),
      (["gitlab"], "did you mean `tokentry login --provider gitlab`?"),
      (["explain", "https://as.example"], "did you mean --issuer https://as.example?"),
      (["token", "work"], "did you mean --account work?"),
      (
        ["login", "offline_access"],
        "a value with spaces needs quotes; see `tokentry login --help`"
      ),
    ])
  func nearest(arguments: [String], hint: String) {
    let failure = #expect(throws: Failure.self) { try Invocation(arguments) }
    #expect(failure?.hint?.text?.description == hint)
  }

  @Test(
    "The version has a short option, and is a word as in other programs",
    arguments: [["--version"], ["-V"], ["version"], ["version", "--json"]])
  func version(arguments: [String]) throws {
    guard case .version(let asJSON) = try Invocation(arguments).action else {
      Issue.record("not the version")
      return
    }
    #expect(asJSON == arguments.contains("--json"))
  }

  @Test(
    "Wrong arguments, too, can ask for a format other than JSON",
    arguments: [
      (["--output", "token"], true), (["--output=header", "--nonsense"], true),
      (["--output", "json"], false), (["request", "--output", "json"], true), (["helper", "git"], true),
      ([], false), (["--output"], false), (["--output=json"], false), (["--output", "tokn"], true),
    ])
  func asksForText(arguments: [String], expected: Bool) {
    #expect(Invocation.asksForText(arguments) == expected)
  }
}
