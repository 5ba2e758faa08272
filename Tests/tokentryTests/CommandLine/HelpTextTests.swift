import Testing

@testable import tokentry

@Suite("HelpText")
struct HelpTextTests {
  /// The texts by the names of their snapshots.
  static let texts: [(name: String, text: String)] =
    [("help", HelpText.start.text), ("help-all", HelpText.all.text)]
    + Command.allCases.map { ("help-\($0)", HelpText.command($0).text) }

  @Test("The help equals its snapshot", arguments: texts)
  func snapshot(name: String, text: String) throws { try expectSnapshot(text, "\(name).txt") }

  @Test("No line is wider than 80 columns", arguments: texts)
  func width(name: String, text: String) {
    for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test("The help of a command fits on a screen of 50 lines, and the way in is shorter", arguments: texts)
  func height(name: String, text: String) {
    let lines = text.count { $0 == "\n" }
    #expect(name == "help" ? lines <= 28 : lines <= 50 || name == "help-all")
  }

  @Test("The help of a command explains each of its options in a line", arguments: Command.allCases)
  func names(command: Command) {
    let lines = HelpText.command(command).text.split(separator: "\n")
    for option in command.options
    where !option.isMemberOnly && option.name != "help" && Option.all.contains(option) {
      #expect(
        lines.contains { $0.contains("\(option.flag) ") && $0.hasSuffix(option.help) }, "\(option.flag)")
    }
  }

  @Test(
    "The help of a helper has its set-up, and its own options", arguments: HelperProtocols.all.map { $0.name }
  )
  func helper(name: String) throws {
    let helper = try #require(HelperProtocols.named(name))
    guard case .help(let help) = try Invocation(["helper", name, "--help"]).action else {
      Issue.record("no help")
      return
    }
    #expect(helper.setUp.allSatisfy(help.text.contains))
    #expect(helper.arguments.allSatisfy { help.text.contains($0.help) })
  }

  @Test("Every option is in one group, and belongs to a command; there are not too many")
  func everyOption() {
    let names = Option.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(Option.all.count { !$0.isMemberOnly } <= 60)
    let used = Command.allCases.flatMap(\.options)
    #expect(
      Option.all.filter { !used.contains($0) }.map(\.name) == ["version"],
      "--version is used without a command")
  }

  @Test("Every command is in one group")
  func everyCommand() {
    #expect(
      Command.groups.flatMap(\.commands).sorted { $0.rawValue < $1.rawValue }
        == Command.allCases.sorted { $0.rawValue < $1.rawValue })
  }

  @Test(
    "Help has its habits from other programs",
    arguments: [
      (["--help"], HelpText.start.text), (["help"], HelpText.start.text),
      (["help", "all"], HelpText.all.text),
      (["--help", "login"], HelpText.command(.login).text),
      (["help", "login"], HelpText.command(.login).text),
      (["login", "-h"], HelpText.command(.login).text),
    ])
  func habits(arguments: [String], text: String) throws {
    guard case .help(let help) = try Invocation(arguments).action else {
      Issue.record("no help")
      return
    }
    #expect(help.text == text)
  }
}
