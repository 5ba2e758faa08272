import TestSupport
import Testing

@testable import tokentry

@Suite("What a shell may complete")
struct CompletionTests {
  private static func words(_ line: [String]) -> [String] {
    Completion(line[...]).sources.flatMap { source -> [String] in
      switch source {
      case .candidates(let candidates): candidates.map(\.word)
      case .presets: ["PRESETS"]
      case .accounts: ["ACCOUNTS"]
      case .sessions: ["SESSIONS"]
      }
    }
  }

  @Test("The first word is a command, with what it does")
  func commands() {
    #expect(Self.words([""]) == Command.allCases.map(\.rawValue))
    let candidates = Command.allCases.map { Completion.Candidate($0.rawValue, $0.summary) }
    #expect(Completion([""]).sources == [.candidates(candidates)])
  }

  @Test(
    "Options are those of the command, and none twice that may be given once", arguments: Command.allCases)
  func options(command: Command) {
    #expect(Self.words([command.rawValue, "-"]) == command.options.map(\.flag))
    #expect(!Self.words([command.rawValue, "-v", "--"]).contains("--verbose"))
    #expect(Self.words(["--"]).contains("--version"))
    #expect(Self.words(["login", "--param", "a=b", "--"]).contains("--param"))
  }

  @Test(
    "What follows an option is what it takes",
    arguments: [
      (["login", "--agent", ""], ["auto", "window", "browser", "device", "paste"]),
      (["login", "--provider", ""], ["PRESETS", ":files"]),
      (["token", "--account", "wo"], ["ACCOUNTS"]),
      (["--session", ""], ["SESSIONS"]),
      (["login", "--client-secret-file", ""], [":files"]),
      (["login", "--navigations", ""], [":files"]),
      (["token", "--store", ""], ["keyring", "file:"]),
      (["login", "--client-id", ""], []),
      (["login", "--timeout", ""], []),
      // A value that looks like an option.
      (["login", "--title", "--form", "--agent", "d"], ["auto", "window", "browser", "device", "paste"]),
      (["providers", ""], ["PRESETS", ":files"]),
    ])
  func values(line: [String], words: [String]) {
    #expect(Self.words(line) == words)
  }

  @Test("Helpers are offered, and what git asks its own for")
  func operands() {
    #expect(Self.words(["git-credential", ""]) == ["get", "store", "erase", "capability"])
    #expect(Self.words(["helper", ""]) == HelperProtocols.all.map { $0.name })
  }

  @Test("Behind the name of a helper its own options are offered, if it takes any")
  func optionsOfHelper() {
    let offered = Set(Self.words(["helper", "headers", ""]))
    #expect(offered.isSuperset(of: ["--check", "--lines", "--account", "--min-valid"]))
    #expect(!Self.words(["helper", "docker", "--"]).contains("--check"))
    #expect(!Self.words(["helper", "headers", "--check", ""]).contains("--check"))
    #expect(Self.words(["helper", "keyring", "--"]) == ["--help"])
  }

  @Test("A value that is attached to its option brings the option along")
  func attached() async {
    let completion = Completion(["login", "--agent=w"])
    #expect(completion.prefix == "--agent=")
    let text = await besideNoMainLoop { completion.text() }
    #expect(text.hasPrefix("--agent=auto\n--agent=window\n"))
  }

  @Test("Accounts are looked for where the command line keeps them")
  func store() {
    #expect(Completion(["token", "--store", "file:a", "--account", ""]).store == "file:a")
    #expect(Completion(["token", "--store=file:b", "--account", ""]).store == "file:b")
  }
}
