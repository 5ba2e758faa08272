import Testing

@testable import tokentry

@Suite("HelpText")
struct HelpTextTests {
  @Test("The help equals its snapshot", arguments: [nil] + Command.allCases)
  func snapshot(command: Command?) throws {
    try expectSnapshot(HelpText.text(for: command), "help\(command.map { "-\($0)" } ?? "").txt")
  }

  @Test("No line is wider than 80 columns", arguments: [nil] + Command.allCases)
  func width(command: Command?) {
    for line in HelpText.text(for: command).split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test("The help of a command fits on a screen of 50 lines", arguments: Command.allCases)
  func height(command: Command) {
    #expect(HelpText.text(for: command).count { $0 == "\n" } <= 50)
  }

  @Test("The help of a command names all its options", arguments: Command.allCases)
  func names(command: Command) {
    let words = Set(HelpText.text(for: command).split { " \n,".contains($0) }.map(String.init))
    #expect(words.isSuperset(of: command.options.map(\.flag)))
  }

  @Test("The help begins with three examples", arguments: [nil] + Command.allCases)
  func examples(command: Command?) {
    let lines = HelpText.text(for: command).split(separator: "\n").dropFirst()
    #expect(lines.first == "Examples:")
    #expect(lines.dropFirst().prefix(3).allSatisfy { $0.hasPrefix("  ") })
  }

  @Test("Every option is in one group, and belongs to a command")
  func everyOption() {
    let grouped = OptionGroup.allCases.flatMap(\.options)
    #expect(grouped.count == Option.allCases.count)
    #expect(Set(grouped) == Set(Option.allCases))
    let used = Set(Command.allCases.flatMap(\.options))
    #expect(Set(Option.allCases).subtracting(used) == [.version], "--version is used without a command")
  }
}
