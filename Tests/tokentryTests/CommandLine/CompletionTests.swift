import TestSupport
import Testing

@testable import tokentry

@Suite("Completion")
struct CompletionTests {
  /// The words that complete a line, whose last word is being typed. Words that are looked up are in capitals.
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

  @Test("The first word is a command, offered with its summary")
  func commands() {
    #expect(Self.words([""]) == Command.allCases.map(\.rawValue))
    let candidates = Command.allCases.map { Completion.Candidate($0.rawValue, $0.summary) }
    #expect(Completion([""]).sources == [.candidates(candidates)])
  }

  @Test("After `help`, the commands are offered, and `all`")
  func help() { #expect(Self.words(["help", ""]) == Command.allCases.map(\.rawValue) + ["all"]) }

  @Test(
    "The options of the command are offered, without those that are given already",
    arguments: Command.allCases)
  func options(command: Command) {
    #expect(Self.words([command.rawValue, "-"]) == command.options.filter { !$0.isMemberOnly }.map(\.flag))
    #expect(!Self.words([command.rawValue, "-h", "--"]).contains("--help"))
    #expect(Self.words(["--"]).contains("--version"))
    #expect(Self.words(["login", "--param", "a=b", "--"]).contains("--param"))
  }

  @Test(
    "After an option, its values are offered",
    arguments: [
      (["login", "--way", ""], ["auto", "window", "browser", "device", "paste"]),
      (["login", "--provider", ""], ["PRESETS", ":files"]),
      (["token", "--account", "wo"], ["ACCOUNTS"]),
      (["--session", ""], ["SESSIONS"]),
      (["login", "--client-secret-file", ""], [":files"]),
      (["login", "--navigations", ""], [":files"]),
      (["token", "--store", ""], ["keyring", "file:", "agent:"]),
      (["login", "--client-id", ""], []),
      (["login", "--timeout", ""], []),
      // "--form" is the value of --scope.
      (["login", "--scope", "--form", "--way", "d"], ["auto", "window", "browser", "device", "paste"]),
      (["providers", ""], ["PRESETS", ":files"]), (["login", ""], ["PRESETS", ":files"]),
      (["token", ""], ["ACCOUNTS"]),
    ])
  func values(line: [String], words: [String]) {
    #expect(Self.words(line) == words)
  }

  @Test("After the command helper, the names of helpers are offered")
  func helpers() {
    #expect(Self.words(["helper", ""]) == HelperProtocols.all.map { $0.name })
  }

  @Test("After the name of a helper, its own options are offered")
  func optionsOfHelper() {
    let offered = Set(Self.words(["helper", "headers", ""]))
    #expect(offered.isSuperset(of: ["--check", "--lines", "--account", "--min-valid"]))
    #expect(!Self.words(["helper", "docker", "--"]).contains("--check"))
    #expect(Self.words(["helper", "docker", "--"]).contains("--account"))
    #expect(!Self.words(["helper", "openconnect", "--"]).contains("--account"))
    #expect(!Self.words(["helper", "headers", "--check", ""]).contains("--check"))
    #expect(Self.words(["helper", "keyring", "--"]) == ["--help"])
  }

  @Test("Completions of an attached value contain the option")
  func attached() async {
    let completion = Completion(["login", "--way=w"])
    #expect(completion.prefix == "--way=")
    let text = await whileNoMainLoopRuns { completion.text() }
    #expect(text.hasPrefix("--way=auto\n--way=window\n"))
  }

  @Test("Accounts are looked up in the store of the command line")
  func store() {
    #expect(Completion(["token", "--store", "file:a", "--account", ""]).store == "file:a")
    #expect(Completion(["token", "--store=file:b", "--account", ""]).store == "file:b")
  }
}
