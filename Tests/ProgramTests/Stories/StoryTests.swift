import Foundation
import Testing

@testable import TestSupport

@Suite("Stories")
struct StoryTests {
  @Test("There are stories")
  func storiesAreFound() { #expect(!Story.usual.isEmpty && !Story.poor.isEmpty) }

  @Test("The program does what the story tells", arguments: Story.usual)
  func story(_ story: Story) async throws { try await tell(story) }

  /// A separate test, because sanitizers map terabytes and cannot run it.
  @Test("With little memory the program does what the story tells", arguments: Story.poor)
  func poorStory(_ story: Story) async throws { try await tell(story) }

  private func tell(_ story: Story) async throws {
    let shell = try StoryShell()
    for step in try story.steps() {
      guard let outcome = try await shell.run(step.command) else {
        Issue.record("not ended: \(step.command)", sourceLocation: story.location(line: step.line))
        return
      }
      if let report = step.report(on: outcome) {
        Issue.record("\(report)", sourceLocation: story.location(line: step.line))
      }
    }
  }
}

/// A shell with an empty home, in which `tokentry` is the program under test.
private struct StoryShell {
  private let folder = TemporaryFolder()
  private let environment: [String: String]
  private var home: String { folder.path + "/home" }

  init() throws {
    let home = folder.path + "/home"
    for name in ["home", "bin"] { mkdir("\(folder.path)/\(name)", 0o700) }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/bin/tokentry", withDestinationPath: Tokentry.path())
    // The usual XDG_DATA_DIRS would lead to the presets of an installed tokentry.
    environment = [
      "PATH": "\(folder.path)/bin:/usr/bin:/bin", "HOME": home, "TMPDIR": home, "LC_ALL": "C.UTF-8",
      "XDG_CONFIG_HOME": home + "/config", "XDG_DATA_HOME": home + "/data", "XDG_DATA_DIRS": home + "/share",
      "XDG_CACHE_HOME": home + "/cache",
    ]
  }

  /// Runs a command, and ends the programs that it has left running. Returns nil if the command itself does
  /// not end in time.
  func run(_ command: String, within seconds: Double = Double(20 * slowness)) async throws -> Outcome? {
    let start = #"cd -- "$0" && unset OLDPWD && exec /bin/sh -c "$1" </dev/null"#
    let shell = try Program(
      "/bin/sh", ["-c", start, home, command], environment: environment, errorPath: folder.path + "/messages")
    let status = await shell.end(within: seconds)
    shell.end(SIGKILL)
    return status.map { Outcome(status: $0, output: shell.text, messages: folder.text(of: "messages")) }
  }
}

@Suite("How stories are told")
struct StoryToolTests {
  @Test("A step has a command, its output, its messages and its status")
  func steps() throws {
    let step = try #require(
      try Story.steps(of: "# Title\nProse.\n  $ cat <<END\n  > one\n  > END\n  one\n  \n  ! oh*\n  [3]\n")
        .first)
    #expect(step.line == 3 && step.command == "cat <<END\none\nEND" && step.status == 3)
    #expect(step.output == ["one", ""] && step.messages == ["oh*"])
  }

  @Test(
    "A line that fits nowhere is refused",
    arguments: [
      ("# T\n", 1), ("\t$ x\n", 1), (" $ x\n", 1), ("  output\n", 1), ("  > more\n", 1),
      ("  $ x\n\n  a\n", 3),
      ("  $ x\n  out\n  > more\n", 3), ("  $ x\n  [1]\n  out\n", 3), ("  $ x\n  [256]\n", 2),
    ])
  func refused(_ text: String, line: Int) {
    #expect { try Story.steps(of: text) } throws: { ($0 as? Story.Mistake)?.line == line }
  }

  private static let step = "  $ x\n  one\n  t?o* (glob)\n  ! oh\n  [2]\n"

  @Test("A run that agrees with its step has no report", arguments: ["one\ntwo!\n", "one\nt[o\\\n"])
  func agrees(output: String) throws {
    let step = try #require(try Story.steps(of: Self.step).first)
    #expect(step.report(on: Outcome(status: 2, output: output, messages: "oh\n")) == nil)
  }

  @Test(
    "Every difference is reported",
    arguments: [
      ("one\ntwo\n", "oh\n", 0), ("one\ntwo\n", "oh\n", -9), ("one\ntwo\n", "", 2),
      ("one\ntwo\n", "oh\noh\n", 2), ("one\n", "oh\n", 2), ("one\ntwo", "oh\n", 2),
      ("one\ntwo\nthree\n", "oh\n", 2), ("two\none\n", "oh\n", 2), ("One\ntwo\n", "oh\n", 2),
      ("one \ntwo\n", "oh\n", 2), ("one\r\ntwo\n", "oh\n", 2), ("\u{1B}one\ntwo\n", "oh\n", 2),
      ("one\nto\n", "oh\n", 2), ("one\ntwo\noh\n", "", 2),
    ] as [(String, String, Int32)])
  func differs(output: String, messages: String, status: Int32) throws {
    let step = try #require(try Story.steps(of: Self.step).first)
    #expect(step.report(on: Outcome(status: status, output: output, messages: messages)) != nil)
  }

  @Test(
    "The shell starts in an empty home with the program, and without input, other files or ignored signals")
  func environment() async throws {
    let inheritable = FilledPipe()
    defer {
      inheritable.closeWriting()
      inheritable.closeReading()
    }
    let outcome = try #require(
      try await StoryShell().run(
        #"""
        ls -A; cat; command -v tokentry; echo $(ls /proc/self/fd)
        sed -nE 's/^Sig(Ign|Blk):.*(.{7})$/\2/p' /proc/self/status; pwd >&2; exit 7
        """#))
    #expect(outcome.status == 7 && outcome.messages.hasSuffix("/home\n"))
    // Descriptor 3 is the folder that ls reads. Seven digits are the signals up to 28: glibc ignores 32 and
    // 33 in children for its own use.
    #expect(outcome.output.contains(/^[^\n]*\/bin\/tokentry\n0 1 2 3\n0000000\n0000000\n$/), "\(outcome)")
  }

  @Test(
    "A command that does not end, or leaves its output open, is ended",
    arguments: ["sleep 60", "sleep 60 & exit 0", "trap '' TERM; sleep 60"])
  func ended(command: String) async throws {
    #expect(try await StoryShell().run(command, within: 0.5) == nil)
  }
}
