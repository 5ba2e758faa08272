import Foundation
import Synchronization
import Testing

/// What a test has started: its displays, its programs and its provider. They tell why the test fails.
final class Evidence: Sendable {
  @TaskLocal static var current: Evidence?

  private let name: String
  private let objects = Mutex<[@Sendable () -> (any AnyObject & Sendable)?]>([])
  private let isSaved = Atomic(false)
  /// The names of the tests with saved evidence. A test with several rows can be there more than once.
  private static let saved = Mutex<[String]>([])

  init(of test: Test) {
    name = test.sourceLocation.fileName.replacing(".swift", with: ".") + test.name.prefix { $0 != "(" }
  }

  /// Adds an object, without keeping it alive.
  func add(_ object: some AnyObject & Sendable) {
    objects.withLock { $0.append { [weak object] in object } }
  }

  /// Adds the words on the screen to the first issue of a test, and saves a picture and all outputs in Tests/results. Later
  /// issues are often consequences of the first.
  func explain(_ issue: Issue) -> Issue {
    let objects = objects.withLock { $0 }.compactMap { $0() }
    guard !objects.isEmpty, !isSaved.exchange(true, ordering: .relaxed) else { return issue }
    let count = Self.saved.withLock { names in
      names.append(name)
      return names.count { $0 == name }
    }
    let file = count == 1 ? name : "\(name)-\(count)"
    let programs = objects.compactMap { $0 as? Program }
    let seats = objects.compactMap { $0 as? any Seat }
    let words = words(of: programs, on: seats)
    let picture = seats.last { seat in (try? seat.capture(Screen.resultPath(file + ".png"))) != nil }
    let parts =
      [("\(issue)", ""), ("On the screen", words.joined(separator: "\n"))]
      + objects.compactMap { $0 as? Desk }.map { ("Requests", $0.requests.joined(separator: "\n")) }
      + programs.map { ($0.words.joined(separator: " "), "\($0.text)\n\($0.errors)") }
    let text = parts.map { "== \($0.0)\n\($0.1)\n" }.joined()
    try? text.write(toFile: Screen.resultPath(file + ".txt"), atomically: false, encoding: .utf8)
    let ours = programs.filter { $0.words[0].contains("/tokentry") }
    var issue = issue
    issue.comments += [
      "on the screen: \(words.joined(separator: ", "))",
      "programs: \(ours.map { $0.text.suffix(1_000) + $0.errors.suffix(1_000) }.joined(separator: "\n"))",
      "more in Tests/results/\(file).txt\(picture == nil ? "" : " and .png")",
    ]
    return issue
  }

  /// The words that a screen reader finds, or the titles of the windows if the programs do not speak to one.
  private func words(of programs: [Program], on seats: [any Seat]) -> [String] {
    // A page that hangs does not answer; the words before it count.
    let command = ["sh", "-c", "timeout 10 \"$0\" words || true", Desk.file("accessible.py")]
    let environment = programs.map(\.environment).last { $0["NO_AT_BRIDGE"] == "0" }
    let text = environment.flatMap { try? Screen.run(command, $0) } ?? ""
    return text.isEmpty ? seats.flatMap(\.titles) : text.split(separator: "\n").map(String.init)
  }
}

/// Saves evidence when a test fails.
struct SavesEvidence: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let evidence = Evidence(of: test)
    let trait = IssueHandlingTrait.compactMapIssues { evidence.explain($0) }
    try await Evidence.$current.withValue(evidence) {
      try await trait.provideScope(for: test, testCase: testCase, performing: function)
    }
  }
}

extension Trait where Self == SavesEvidence {
  /// For tests with a display. A failure shows the words on the screen, and leaves a picture, the outputs of the programs and
  /// the requests in Tests/results.
  static var pictured: Self { SavesEvidence() }
}
