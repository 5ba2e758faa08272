import Foundation
import Testing

/// A story file: the unit that is run, in a directory of its own, and that a failure is reported for.
struct Story: Sendable, CustomTestStringConvertible {
  /// Where the file is.
  let file: URL

  /// The file's name, under which the test is shown.
  var testDescription: String { file.lastPathComponent }

  /// The directory with the stories, beside the one of this source file.
  static let directory = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Stories")
    .resolvingSymlinksInPath()

  /// All stories in the order of their names; none if the directory cannot be read, which a test notices.
  static let all: [Story] = {
    let files = try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
    return (files ?? [])
      .filter { $0.pathExtension == "story" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .map(Story.init(file:))
  }()

  /// Those that give the program few addresses, and the others.
  static let (poor, usual) = (all.filter(\.limitsMemory), all.filter { !$0.limitsMemory })

  private var limitsMemory: Bool {
    (try? String(contentsOf: file, encoding: .utf8))?.contains("ulimit -v") ?? false
  }

  /// Reads the file and parses its steps.
  func steps() throws -> [Step] {
    try StoryParser.steps(of: String(contentsOf: file, encoding: .utf8))
  }

  /// A line of the file as a place at which an issue can be recorded.
  func location(line: Int) -> SourceLocation {
    SourceLocation(
      fileID: "Stories/\(file.lastPathComponent)", filePath: file.path(percentEncoded: false), line: line,
      column: 1)
  }
}
