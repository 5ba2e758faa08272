import Glibc
import LoginCore
import PrivateFiles
import Wording

/// Messages for people on standard error, each in one line: `tokentry: error: …`, `hint`, `warning`, `info`.
struct Messages: Sendable {
  /// How much is said.
  enum Level: Int, Comparable {
    case quiet, verbose, trace
    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  let level: Level

  /// Says only what has to be said.
  init() { level = .quiet }

  init(_ settings: Settings) {
    level = settings.has(.trace) ? .trace : settings.has(.verbose) ? .verbose : .quiet
  }

  /// Why there is no result, and what can be done.
  @discardableResult
  func report(_ failure: Failure) -> Report {
    let report = Report(failure)
    line("error", report.message)
    if let hint = report.hint { line("hint", hint) }
    return report
  }

  /// Something that the user should know although the login goes on.
  func warning(_ notice: Notice) { line("warning", notice) }

  /// Said whenever the user has to know or do something for the login to go on.
  func tell(_ notice: Notice) { line("info", notice) }

  /// Shows a picture made of lines, if somebody may see it.
  func show(_ lines: @autoclosure () -> [String]?) {
    guard isatty(STDERR_FILENO) == 1, let lines = lines() else { return }
    write(lines.joined(separator: "\n"))
  }

  /// Said with `-v`.
  func info(_ notice: @autoclosure () -> Notice) { if level >= .verbose { line("info", notice()) } }

  /// Said with `--trace`.
  func trace(_ notice: @autoclosure () -> Notice) { if level >= .trace { line("info", notice()) } }

  private func line(_ kind: String, _ notice: Notice) {
    line(kind, notice.words, limit: notice.holdsAddress ? 64 * 1_024 : 1_000)
  }

  private func line(_ kind: String, _ text: String, limit: Int = 1_000) {
    write("tokentry: \(kind): \(text.forDisplay(limit: limit))")
  }

  private func write(_ text: String) {
    try? writeAll((text + "\n").utf8, to: STDERR_FILENO)
  }
}
