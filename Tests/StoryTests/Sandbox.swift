import Foundation
import TestSupport

/// The fresh directory in which one story runs: its home, and a `PATH` on which `tokentry` is the program
/// under test.
struct Sandbox {
  /// Time that one command may take.
  static let limit = Double(20 * slowness)

  private let root: URL
  private let shell: Shell

  /// Makes the directories; the story's own one, `home`, is empty.
  init(executable: String) throws {
    let files = FileManager.default
    root = files.temporaryDirectory.appending(path: "tokentry-story-\(UUID().uuidString)")
    let home = root.appending(path: "home")
    let programs = root.appending(path: "bin")
    let pipes = root.appending(path: "pipes")
    for directory in [home, programs, pipes] {
      try files.createDirectory(at: directory, withIntermediateDirectories: true)
    }
    try files.createSymbolicLink(
      atPath: programs.appending(path: "tokentry").path(percentEncoded: false),
      withDestinationPath: executable)
    shell = Shell(
      directory: home.path(percentEncoded: false), pipes: pipes.path(percentEncoded: false),
      environment: Self.environment(
        home: home.path(percentEncoded: false), programs: programs.path(percentEncoded: false)))
  }

  /// Runs one command of the story.
  func run(_ command: String) throws -> CommandRun {
    try shell.run(command, limit: Self.limit)
  }

  /// Removes everything that the story left.
  func remove() {
    try? FileManager.default.removeItem(at: root)
  }

  /// Nothing of the environment of the tests reaches a story: no display, no bus, no settings of the user.
  ///
  /// `XDG_DATA_DIRS` is set because its default would find the presets of an installed Tokentry.
  private static func environment(home: String, programs: String) -> [String: String] {
    [
      "PATH": "\(programs):/usr/bin:/bin",
      "HOME": home,
      "TMPDIR": home,
      "LC_ALL": "C.UTF-8",
      "XDG_CONFIG_HOME": "\(home)/config",
      "XDG_DATA_HOME": "\(home)/data",
      "XDG_DATA_DIRS": "\(home)/share",
      "XDG_CACHE_HOME": "\(home)/cache",
    ]
  }
}
