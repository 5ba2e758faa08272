import Foundation
import Testing

/// A file in `Tests/Stories`: a transcript of shell commands and what they print.
///
/// Two spaces of indentation make a line part of a step. After them, `$ ` begins a command, `> ` continues
/// it, `! ` is a line of standard error, `[N]` is the exit status, and anything else is a line of standard
/// output. In a line that ends in ` (glob)`, `*` stands for any text and `?` for one character. Lines that
/// are not indented are prose.
struct Story: Sendable, CustomTestStringConvertible {
  let file: URL

  var testDescription: String { file.lastPathComponent }

  /// The stories that limit the program's memory, and the others.
  static let (poor, usual) = (all.filter(\.limitsMemory), all.filter { !$0.limitsMemory })

  private static let all: [Story] = {
    let tests = (1...3).reduce(URL(filePath: #filePath)) { path, _ in path.deletingLastPathComponent() }
    let folder = tests.appending(path: "Stories")
    let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == "story" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }.map(Story.init)
  }()

  private var limitsMemory: Bool {
    (try? String(contentsOf: file, encoding: .utf8))?.contains("ulimit -v") ?? false
  }

  func steps() throws -> [Step] { try Self.steps(of: String(contentsOf: file, encoding: .utf8)) }

  /// A line of the file, at which an issue can be recorded.
  func location(line: Int) -> SourceLocation {
    SourceLocation(
      fileID: "Stories/\(testDescription)", filePath: file.path(percentEncoded: false), line: line, column: 1)
  }
}

extension Story {
  /// A line that cannot be read as part of a story.
  struct Mistake: Error, Equatable {
    let line: Int
    let reason: String
  }

  /// A command, and everything that it is expected to print.
  struct Step: Equatable {
    let line: Int
    fileprivate(set) var command: String
    fileprivate(set) var output: [String] = []
    fileprivate(set) var messages: [String] = []
    fileprivate(set) var status: Int32?
  }

  /// Reads the steps of a text. A line that fits nowhere is an error, so that no expectation is lost.
  static func steps(of text: String) throws(Mistake) -> [Step] {
    var (steps, isInStep) = ([Step](), false)
    // By scalars: as a Character, CR LF is not a line feed.
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in zip(1..., lines.map { String($0) }) {
      guard line.hasPrefix("  ") else {
        if line.hasPrefix(" ") || line.hasPrefix("\t") {
          throw Mistake(line: number, reason: "indent by two spaces, or not at all")
        }
        isInStep = false
        continue
      }
      let content = String(line.dropFirst(2))
      if let command = rest(of: content, after: "$") {
        steps.append(Step(line: number, command: command))
        isInStep = true
      } else if isInStep {
        try add(content, number, to: &steps[steps.count - 1])
      } else {
        throw Mistake(line: number, reason: "the line belongs to no command")
      }
    }
    if steps.isEmpty { throw Mistake(line: 1, reason: "there is no command") }
    return steps
  }

  private static func add(_ content: String, _ number: Int, to step: inout Step) throws(Mistake) {
    if let more = rest(of: content, after: ">") {
      guard step.output.isEmpty, step.messages.isEmpty, step.status == nil else {
        throw Mistake(line: number, reason: "a command continues before its output")
      }
      step.command += "\n" + more
    } else if step.status != nil {
      throw Mistake(line: number, reason: "the exit status comes last")
    } else if let match = content.wholeMatch(of: /\[([0-9]+)\]/) {
      guard let status = Int32(match.1), status < 256 else {
        throw Mistake(line: number, reason: "an exit status is at most 255")
      }
      step.status = status
    } else if let message = rest(of: content, after: "!") {
      step.messages.append(message)
    } else {
      step.output.append(content)
    }
  }

  /// The text after a mark and a space. A mark alone stands for an empty text.
  private static func rest(of line: String, after mark: String) -> String? {
    if line == mark { return "" }
    return line.hasPrefix(mark + " ") ? String(line.dropFirst(mark.count + 1)) : nil
  }
}

extension Story.Step {
  /// Returns the differences between the expected and the actual result, or nil if they match.
  func report(on outcome: Outcome) -> String? {
    var differences = [
      Self.difference("standard output", output, outcome.output),
      Self.difference("standard error", messages, outcome.messages),
    ].compactMap(\.self)
    if outcome.status != status ?? 0 {
      differences.insert("exit status: expected \(status ?? 0), was \(outcome.status)", at: 0)
    }
    if differences.isEmpty { return nil }
    return (["$ " + command.replacing("\n", with: "\n> ")] + differences).joined(separator: "\n")
  }

  private static func difference(_ stream: String, _ expected: [String], _ printed: String) -> String? {
    let lines = Self.lines(of: printed)
    if expected.count == lines.count, zip(expected, lines).allSatisfy(matches) { return nil }
    return (["\(stream) (- expected, + printed):"] + expected.map { "  - " + $0 } + lines.map { "  + " + $0 })
      .joined(separator: "\n")
  }

  /// The lines of a text, with control characters spelt out and a mark if the last line has no line feed.
  private static func lines(of text: String) -> [String] {
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.map { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format: "\\u{\(String(scalar.value, radix: 16))}"
        default: String(scalar)
        }
      }.joined()
    }
    let last = lines.removeLast()
    if !last.isEmpty { lines.append(last + " (no-eol)") }
    return lines
  }

  /// Compares bytes: letters that look alike are different.
  private static func matches(_ expected: String, _ line: String) -> Bool {
    let mark = " (glob)"
    guard expected.hasSuffix(mark) else { return expected.utf8.elementsEqual(line.utf8) }
    let pattern = expected.dropLast(mark.count).replacing("\\", with: "\\\\").replacing("[", with: "\\[")
    return fnmatch(String(pattern), line, 0) == 0
      && pattern.hasSuffix(" (no-eol)") == line.hasSuffix(" (no-eol)")
  }
}
