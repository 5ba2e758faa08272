import Wording
import LoginCore
import Testing

@testable import tokentry

@Suite("The command line")
struct InvocationTests {
  @Test("Without a command it is a login", arguments: [[], ["--provider", "vk"], ["login"]])
  func defaultCommand(arguments: [String]) throws {
    guard case .run(.login) = try Invocation(arguments).action else {
      Issue.record("not a login")
      return
    }
  }

  @Test("A login that is told no time ends after five minutes")
  func time() throws {
    #expect(try Invocation([]).settings.timeout == 300)
    #expect(try Invocation(["--timeout", "0"]).settings.timeout == 0)
  }

  @Test("A value may follow its option or be attached to it")
  func values() throws {
    let settings = try Invocation(["--client-id=a=b", "--scope", "", "--state", "-S", "-v"]).settings
    #expect(settings[.clientID] == "a=b")
    #expect(settings[.scope] == "")
    #expect(settings[.state] == "-S")
    #expect(settings.has(.verbose))
  }

  @Test("Pairs may be given again with other names, and keep everything behind the first equals sign")
  func pairs() throws {
    let settings = try Invocation(["--param", "a=1=2", "--param", "b="]).settings
    #expect(settings.pairs(.parameter) == [Parameter("a", "1=2"), Parameter("b", "")])
  }

  @Test("A short option has its value attached, or behind it")
  func short() throws {
    let words = ["request", "-XPUT", "-H", "A: b=c", "-H", "B=d:e", "-da=b\nc", "-v", "https://api.test/"]
    let invocation = try Invocation(words)
    #expect(invocation.settings.operand == "https://api.test/")
    #expect(invocation.settings[.method] == "PUT")
    #expect(invocation.settings.pairs(.header) == [Parameter("A", "b=c"), Parameter("B", "d:e")])
    #expect(invocation.settings[.data] == "a=b\nc")
    #expect(invocation.settings.has(.verbose))
    #expect(throws: Failure.self) { try Invocation(["-vx"]) }
  }

  @Test(
    "A secret is refused as one, and an option that only some helpers have is one where they have it",
    arguments: ["--client-secret", "--password", "--refresh-token", "--access-token"])
  func secrets(flag: String) throws {
    for words in [[flag, "hunter2"], ["token", flag + "=hunter2"], ["helper", "docker", flag]] {
      #expect(throws: Failure.commandLine(.secretOption(flag))) { try Invocation(words) }
    }
    #expect(try Invocation(["helper", "kubernetes", "--access-token"]).settings.has(.accessToken))
  }

  @Test(
    "What cannot be meant is an invalid option",
    arguments: [
      ["--nonsense"], ["logn"], ["login", "extra"], ["providers", "a", "b"], ["--client-id"],
      ["--client-id", "--scope", "x"], ["--client-id", "--silent"], ["--title", "a\nb"],
      ["--title", "a\u{7F}"],
      ["--title", "a\u{FFFD}"], ["--client-id", "a", "--client-id", "b"],
      ["--client-id="],
      ["--headless-test=yes"], ["--timeout", "soon"], ["--timeout", "-1"], ["--timeout", "99999999999"],
      ["--output", "xml"], ["--param", "novalue"], ["--param", "=x"], ["--param", "a=1", "--param", "a=2"],
      ["providers", "--scope", "x"], ["navigate", "--provider", "vk"], ["login", "--version"], ["-x"],
      ["--client-secret", "s"],
    ])
  func invalid(arguments: [String]) {
    #expect { try Invocation(arguments) } throws: { error in
      (error as? Failure)?.fault(as: CommandLineFault.self) != nil
    }
  }

  @Test(
    "A slip of the pen is told what was meant",
    arguments: [
      (["--provder", "vk"], "did you mean --provider?"), (["--clientid", "1"], "did you mean --client-id?"),
      (["provider"], "did you mean providers?"), (["--output", "jsn"], "did you mean json?"),
      (["--headless-tets"], "did you mean --headless-test?"),
    ])
  func nearest(arguments: [String], hint: String) {
    #expect { try Invocation(arguments) } throws: { error in
      (error as? Failure).flatMap { Report($0).hint?.source } == hint
    }
  }

  @Test(
    "Arguments that ask for something other than JSON are noticed even if they are wrong",
    arguments: [
      (["--output", "token"], true), (["--output=header", "--nonsense"], true),
      (["--output", "json"], false),
      (["request", "--output", "json"], true), (["git-credential", "get"], true),
      ([], false), (["--output"], false), (["--output=json"], false), (["--output", "tokn"], true),
    ])
  func asksForText(arguments: [String], expected: Bool) {
    #expect(Invocation.asksForText(arguments) == expected)
  }
}
