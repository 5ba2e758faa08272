import Glibc
import LoginCore

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

  /// The same with an address behind it, which is of no use unless it is whole.
  func tell(_ text: String, address: String) { line("info", text + address, limit: 64 * 1_024) }

  /// Said with `-v`.
  func info(_ text: @autoclosure () -> String) {
    if level >= .verbose { line("info", text()) }
  }

  /// Said with `--trace`.
  func trace(_ text: @autoclosure () -> String) {
    if level >= .trace { line("info", text()) }
  }

  private func line(_ kind: String, _ text: String, limit: Int = 1_000) {
    let bytes = Array("tokentry: \(kind): \(text.forDisplay(limit: limit))\n".utf8)
    _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
