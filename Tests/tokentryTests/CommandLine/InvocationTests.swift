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
    #expect(try Invocation([]).wishes.asking.patience == 300)
    #expect(try Invocation(["--timeout", "0"]).wishes.asking.patience == 0)
  }

  @Test("A value follows its option or is attached to it")
  func values() throws {
    let wishes = try Invocation(["--client-id=a=b", "--scope", "", "--state", "-S", "-v"]).wishes
    #expect(wishes.provider.clientID == "a=b")
    #expect(wishes.request.scope == "")
    #expect(wishes.request.state == OAuthState("-S"))
    #expect(wishes.place.verbosity == 1)
  }

  @Test("The first equals sign splits a pair, and an option with pairs can be repeated")
  func pairs() throws {
    let wishes = try Invocation(["--param", "a=1=2", "--param", "b="]).wishes
    #expect(wishes.request.parameters == [Parameter("a", "1=2"), Parameter("b", "")])
  }

  @Test("A short option takes the rest of its word as its value, or the next word")
  func short() throws {
    let words = ["request", "-XPUT", "-H", "A: b=c", "-H", "B=d:e", "-da=b\nc", "-v", "https://api.test/"]
    let wishes = try Invocation(words).wishes
    #expect(wishes.operand == "https://api.test/")
    #expect(wishes[APIWishes.self].method == "PUT")
    #expect(wishes.request.headers == [Parameter("A", "b=c"), Parameter("B", "d:e")])
    guard case .text("a=b\nc") = wishes[APIWishes.self].data else {
      Issue.record("not the text")
      return
    }
    #expect(wishes.place.verbosity == 1)
    #expect(throws: Failure.self) { try Invocation(["-vx"]) }
  }

  @Test(
    "An option that would put a secret on the command line is refused with another way to pass it",
    arguments: [
      ("--client-secret", "use --client-secret-file, --options or TOKENTRY_CLIENT_SECRET"),
      ("--password", "use --options or TOKENTRY_PASSWORD"),
      ("--refresh-token", "--options - reads a secret from standard input"),
      ("--access-token", "--options - reads a secret from standard input"),
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
    let given = try Invocation(["helper", "kubernetes", "--access-token"]).wishes.given
    #expect(given.map(\.option.name) == ["access-token"])
  }

  @Test(
    "Wrong arguments are refused with invalid_option",
    arguments: [
      ["--nonsense"], ["logn"], ["login", "a", "b"], ["providers", "a", "b"], ["--client-id"],
      ["--client-id", "--scope", "x"], ["--client-id", "--silent"], ["--scope", "a\nb"],
      ["--scope", "a\u{7F}"], ["--scope", "a\u{FFFD}"], ["--client-id", "a", "--client-id", "b"],
      ["--client-id="], ["--headless-test=yes"], ["--timeout", "soon"], ["--timeout", "-1"],
      ["--timeout", "99999999999"], ["--output", "xml"], ["--param", "novalue"], ["--param", "=x"],
      ["--param", "a=1", "--param", "a=2"], ["providers", "--scope", "x"], ["navigate", "--provider", "vk"],
      ["login", "--version"], ["-x"], ["--endpoint", "tokn=https://a.test"],
      ["--endpoint", "token=https://a.test", "--endpoint", "token=https://b.test"], ["--nonce", "N"],
      ["--client-secret", "s"], ["git-credential", "get"],
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
        ["--way", "chrome"],
        "--way browser opens your default browser, and --browser COMMAND another one"
      ),
      (["gitlab"], "did you mean `tokentry login gitlab`?"),
      (["login", "https://as.example"], "did you mean --issuer https://as.example?"),
      (["request", "https://a.test", "work"], "did you mean --account work?"),
      (
        ["login", "--scope", "openid", "offline_access"],
        "a value with spaces needs quotes; see `tokentry login --help`"
      ),
      (["list"], "did you mean `tokentry accounts`?"), (["status"], "did you mean `tokentry accounts`?"),
      (["refresh"], "did you mean `tokentry token`?"), (["configure"], "did you mean `tokentry login`?"),
      (["auth", "login"], "did you mean `tokentry login`?"),
      (["--token-endpoint", "https://a.test"], "did you mean --endpoint token=URL?"),
      (["--agent", "window"], "did you mean --way?"),
      (["accounts", "--json"], "did you mean --output json?"),
      (["--prompt", "login"], "\"prompt\" belongs into the document of --options"),
      (["--endpoint", "tokn=https://a.test"], "did you mean token?"),
      (["--endpoint", "auth=https://a.test"], "did you mean authorization?"),
      (["--store", "/tmp/x"], "did you mean file:/tmp/x?"),
      (["token", "work", "extra"], "a value with spaces needs quotes; see `tokentry token --help`"),
    ])
  func nearest(arguments: [String], hint: String) {
    let failure = #expect(throws: Failure.self) { try Invocation(arguments) }
    #expect(failure?.hint?.text?.description == hint)
  }

  @Test(
    "The version has a short option, and is a word as in other programs",
    arguments: [["--version"], ["-V"], ["version"], ["version", "--output", "json"]])
  func version(arguments: [String]) throws {
    guard case .version(let asJSON) = try Invocation(arguments).action else {
      Issue.record("not the version")
      return
    }
    #expect(asJSON == arguments.contains("--output"))
  }

  @Test(
    "A word is the preset of a login, and the account of commands that use one",
    arguments: [
      (["login", "gitlab"], "--provider", "gitlab"), (["explain", "./own.json"], "--provider", "./own.json"),
      (["token", "work"], "--account", "work"), (["logout", "work"], "--account", "work"),
      (["whoami", "work"], "--account", "work"),
      (["keep", "https://api.test/mcp", "--file", "f"], "--account", "https://api.test/mcp"),
    ])
  func word(arguments: [String], flag: String, value: String) throws {
    #expect(try Invocation(arguments).wishes.given.first { $0.option.flag == flag }?.text == value)
  }

  @Test(
    "A second word is one too many", arguments: [["token", "work", "extra"], ["login", "vk", "gitlab"]])
  func extra(arguments: [String]) {
    let failure = #expect(throws: Failure.self) { try Invocation(arguments) }
    #expect(
      failure
        == Failure(
          .invalidOption, "unexpected argument \"\(arguments[2])\"",
          hint: "a value with spaces needs quotes; see `tokentry \(arguments[0]) --help`"))
  }

  @Test(
    "The logout of an account takes no provider from the command line",
    arguments: ["--endpoint token=https://a.test", "--var a=b", "--header A:b", "--resource https://a.test"])
  func logout(words: String) throws {
    let words = words.split(separator: " ").map(String.init)
    let failure = #expect(throws: Failure.self) { try Invocation(["logout", "work"] + words) }
    #expect(failure?.message == "--account and \(words[0]) contradict each other")
    let resource = #expect(throws: Failure.self) {
      try Invocation(["logout", "--resource", "https://b.test", "--header", "A:b"])
    }
    #expect(resource?.message == "--resource and --header contradict each other")
    for provider in [["--issuer", "https://a.test"], ["--session", "a"]] {
      _ = try Invocation(["logout"] + provider + words)
    }
  }

  @Test("--no-prompt is --silent, and -vv is more than -v")
  func otherNames() throws {
    #expect(try Invocation(["token", "work", "--no-prompt"]).wishes.asking.isSilent)
    for words in [["-vv"], ["-v", "-v"], ["--verbose", "--verbose"], ["-vvv"], ["-v", "-vv"]] {
      #expect(try Invocation(words).wishes.place.messages.areTraced)
    }
    #expect(try !Invocation(["-v"]).wishes.place.messages.areTraced)
  }

  @Test(
    "Wrong arguments, too, can ask for a format other than JSON",
    arguments: [
      (["--output", "token"], true), (["--output=header", "--nonsense"], true),
      (["--output", "json"], false), (["request", "--output", "json"], true), (["helper", "git"], true),
      ([], false), (["--output"], false), (["--output=json"], false), (["--output", "tokn"], true),
      (["-o", "token"], true),
    ])
  func asksForText(arguments: [String], expected: Bool) {
    #expect(Invocation.asksForText(arguments) == expected)
  }
}
