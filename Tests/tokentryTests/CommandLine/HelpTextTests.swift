import Foundation
import Testing

@testable import tokentry

@Suite("HelpText")
struct HelpTextTests {
  /// The texts by the names of their snapshots.
  static let texts: [(name: String, text: String)] =
    [("help", HelpText.start.text()), ("help-all", HelpText.all.text())]
    + Command.allCases.map { ("help-\($0)", HelpText.command($0).text()) }

  @Test("The help equals its snapshot", arguments: texts.map(\.name))
  func snapshot(name: String) throws {
    try expectSnapshot(try #require(Self.texts.first { $0.name == name }).text, "\(name).txt")
  }

  @Test("No line is wider than 80 columns", arguments: texts)
  func width(name: String, text: String) {
    for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test("On a narrow terminal, lines break between words", arguments: texts.map(\.name))
  func narrow(name: String) throws {
    let help: HelpText =
      switch name {
      case "help": .start
      case "help-all": .all
      default: .command(try #require(Command(rawValue: String(name.dropFirst(5)))))
      }
    let (wide, narrow) = (help.text(), help.text(width: 40))
    let words = { (text: String) in text.split(whereSeparator: \.isWhitespace) }
    #expect(words(narrow) == words(wide))
    for line in narrow.split(separator: "\n") where words(String(line)).count > 1 {
      #expect(line.count <= 40, "\(line)")
    }
  }

  @Test(
    "The way in fits below a prompt on a screen of 24 lines, the help of a command on one of 50 lines",
    arguments: texts)
  func height(name: String, text: String) {
    let lines = text.count { $0 == "\n" }
    let limit = ["help": 23, "help-all": 200][name] ?? 50
    #expect(
      lines <= limit, "\(name) has \(lines) lines: a rare wish is a member of the document of --options")
  }

  @Test("The help of a command explains each of its options in a line", arguments: Command.allCases)
  func names(command: Command) {
    let lines = HelpText.command(command).text().split(separator: "\n")
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
    #expect(helper.setUp.allSatisfy(help.text().contains))
    #expect(helper.arguments.allSatisfy { help.text().contains($0.help) })
  }

  @Test("Every option is in one group, and belongs to a command; there are not too many")
  func everyOption() {
    let names = Option.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(Option.all.count { !$0.isMemberOnly } <= 64)
    let used = Command.allCases.flatMap(\.options)
    #expect(
      Option.all.filter { !used.contains($0) }.map(\.name) == ["version"],
      "--version is used without a command")
  }

  @Test("Every option that the sources name by its name exists, in the group that they name")
  func namedOptions() throws {
    let groups: [any WishGroup.Type] =
      Wishes.groups + [
        SetUpWishes.self, KubernetesWishes.self, HeadersWishes.self, OpenConnectWishes.self,
        FortinetWishes.self,
      ]
    let names = Dictionary(uniqueKeysWithValues: groups.map { ("\($0)", $0.rows.map(\.name)) })
    let all = names.values.flatMap(\.self)
    let folder = URL(filePath: #filePath).appending(path: "../../../../Sources/tokentry").standardized
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var count = 0
    let folders = ["CommandLine", "Commands", "Helpers", "VPN"]
    for case let file as URL in files
    where file.pathExtension == "swift" && !Set(folders).isDisjoint(with: file.pathComponents) {
      let text = try String(contentsOf: file, encoding: .utf8)
      for call in text.matches(of: /(?:(\w+Wishes)\.)?(?:flag|options?|has)\((?:but: )?("[^()]*)\)/) {
        for name in call.2.matches(of: /"([\w-]+)"/).map({ String($0.1) }) {
          count += 1
          #expect(
            (call.1.map { names[String($0)] ?? [] } ?? all).contains(name),
            "\(file.lastPathComponent): \(call.0)")
        }
      }
      for comparison in text.matches(of: /option\.name [!=]= "([\w-]+)"/) {
        #expect(all.contains(String(comparison.1)), "\(file.lastPathComponent): \(comparison.0)")
      }
    }
    #expect(count > 100, "\(folder.path)")
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
      (["--help"], HelpText.start.text()), (["help"], HelpText.start.text()),
      (["help", "all"], HelpText.all.text()),
      (["--help", "login"], HelpText.command(.login).text()),
      (["help", "login"], HelpText.command(.login).text()),
      (["login", "-h"], HelpText.command(.login).text()),
    ])
  func habits(arguments: [String], text: String) throws {
    guard case .help(let help) = try Invocation(arguments).action else {
      Issue.record("no help")
      return
    }
    #expect(help.text() == text)
  }
}
