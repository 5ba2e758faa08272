import Glibc
import LoginCore
import PrivateFiles

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
  func report(_ failure: Failure) {
    line("error", failure.message)
    if let hint = failure.hint { line("hint", hint) }
  }

  /// Something that the user should know although the login goes on.
  func warning(_ text: String) { line("warning", text) }

  /// Said whenever the user has to know or do something for the login to go on.
  func tell(_ text: String) { line("info", text) }

  /// The same with an address in it, which is of no use unless it is whole.
  func tell(_ text: String, address: String, _ rest: String = "") {
    line("info", text + address + rest, limit: 64 * 1_024)
  }

  /// Shows a picture made of lines, if somebody may see it.
  func show(_ lines: @autoclosure () -> [String]?) {
    guard isatty(STDERR_FILENO) == 1, let lines = lines() else { return }
    write(lines.joined(separator: "\n"))
  }

  /// Said with `-v`.
  func info(_ text: @autoclosure () -> String) {
    if level >= .verbose { line("info", text()) }
  }

  /// Said with `--trace`.
  func trace(_ text: @autoclosure () -> String) {
    if level >= .trace { line("info", text()) }
  }

  private func line(_ kind: String, _ text: String, limit: Int = 1_000) {
    write("tokentry: \(kind): \(text.forDisplay(limit: limit))")
  }

  private func write(_ text: String) {
    try? writeAll((text + "\n").utf8, to: STDERR_FILENO)
  }
}
