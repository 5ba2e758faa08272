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

  /// Why there is no result, and what can be done; for the log alone where the caller hears of it in another way.
  @discardableResult
  func report(_ failure: Failure, isSaid: Bool = true) -> Report {
    let report = Report(failure)
    line("error", report.message, isSaid: isSaid)
    if let hint = report.hint { line("hint", hint, isSaid: isSaid) }
    if report.lacksSession, case let missing = UserSession.missing, !missing.isEmpty {
      line("hint", Notice.clearedEnvironment(lacking: missing).words, isSaid: isSaid)
    }
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
    try? writeAll(lines.map { $0 + "\n" }.joined().utf8, to: STDERR_FILENO)
  }

  /// How wide the terminal is, where it says so.
  static var columns: Int? {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Said with `-v`.
  func info(_ notice: @autoclosure () -> Notice) { line("info", notice, from: .verbose) }

  /// Said with `--trace`.
  func trace(_ notice: @autoclosure () -> Notice) { line("info", notice, from: .trace) }

  /// Whether somebody reads all of it.
  var areTraced: Bool { level >= .trace || MessageLog.isOpen }

  private func line(_ kind: String, _ notice: () -> Notice, from level: Level) {
    if self.level >= level || MessageLog.isOpen { line(kind, notice(), isSaid: self.level >= level) }
  }

  private func line(_ kind: String, _ notice: Notice, isSaid: Bool = true) {
    // An address that the user has to open is of use only as a whole, and to nobody who reads the log.
    if notice.holdsAddress {
      write("\(kind): \(notice.words.text.forDisplay(limit: 64 * 1_024))")
      return line(kind, notice.words, isSaid: false)
    }
    line(kind, notice.words, isSaid: isSaid)
  }

  /// People read it in their language, and the log is in English.
  private func line(_ kind: String, _ words: Sentence, isSaid: Bool) {
    func line(_ words: String) -> String { "\(kind): \(Self.redacted(words.forDisplay(limit: 1_000)))" }
    if isSaid { write(line(words.text)) }
    if MessageLog.isOpen { MessageLog.write(line(words.source)) }
  }

  private func write(_ text: String) {
    try? writeAll("tokentry: \(text)\n".utf8, to: STDERR_FILENO)
  }
}
