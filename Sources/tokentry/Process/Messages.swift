import Glibc
import LoginCore
import PrivateFiles
import Synchronization
import Wording

/// Messages for people on standard error, each in one line: `tokentry: error: …`, `hint`, `warning`, `info`.
struct Messages: Sendable {
  /// How much is said.
  enum Level: Int, Comparable {
    case quiet, verbose, trace
    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  let level: Level
  /// The secrets of this run, which no message repeats, whoever has written it.
  private static let redaction = Mutex(Redaction())

  /// Keeps a secret out of all messages from now on.
  static func hide(_ secret: String) { redaction.withLock { $0.hide(secret) } }

  /// A text without the secrets of this run.
  static func redacted(_ text: String) -> String { redaction.withLock { $0.shown(text) } }

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

  /// The same with `--trace` alone.
  func traceWarning(_ notice: @autoclosure () -> Notice) { if level >= .trace { line("warning", notice()) } }

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
    // An address that the user has to open is of use only as a whole.
    if notice.holdsAddress {
      return write("tokentry: \(kind): \(notice.words.forDisplay(limit: 64 * 1_024))")
    }
    line(kind, notice.words)
  }

  private func line(_ kind: String, _ text: String) {
    write("tokentry: \(kind): \(Self.redacted(text.forDisplay(limit: 1_000)))")
  }

  private func write(_ text: String) {
    try? writeAll((text + "\n").utf8, to: STDERR_FILENO)
  }
}
