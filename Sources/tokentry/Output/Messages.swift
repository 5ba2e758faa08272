import Glibc
import Language
import LoginCore
import Platform
import Synchronization

/// Prints messages for people on standard error, one line each: `tokentry: error: …`, `hint`, `warning` or `info`.
///
/// People read them in their language. ``MessageLog`` gets them in English.
struct Messages: Sendable {
  enum Level: Int, Comparable {
    case quiet, verbose, trace
    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  private let level: Level
  /// The secrets of this run. No message repeats them, not even the text of a library or a server.
  private static let redaction = Mutex(Redaction())

  /// Prints the messages of a level, and by default only those that everyone gets.
  init(_ level: Level = .quiet) { self.level = level }

  /// Hides a secret in all messages from now on.
  static func hide(_ secret: String) { redaction.withLock { $0.hide(secret) } }

  /// Hides a secret of a request or an answer, as long as it is in use.
  static func hide(passing secret: String) { redaction.withLock { $0.hide(passing: secret) } }

  /// Returns a text without the secrets of this run.
  static func redacted(_ text: String) -> String { redaction.withLock { $0.shown(text) } }

  /// Prints why the command failed, and what to do about it. If the caller learns it in another way, `isSaid` is false
  /// and only the log gets it.
  @discardableResult
  func report(_ failure: Failure, isSaid: Bool = true) -> Report {
    let report = Report(failure)
    line("error", failure.message, isSaid: isSaid)
    if let hint = report.hint { line("hint", hint, isSaid: isSaid) }
    let needsSession = [.noDisplay, .noUserAgent, .storeUnavailable].contains(failure.code)
    if needsSession, case let missing = UserSession.missing, !missing.isEmpty {
      let names = missing.map(\.verbatim.alternatives).conjunction
      line(
        "hint", "let the program that starts tokentry pass on \(names)",
        isSaid: isSaid)
    }
    return report
  }

  /// Prints a problem that does not end the command.
  func warning(_ message: Message, hint: Failure.Hint? = nil) {
    line("warning", message, isSaid: true)
    if let hint = hint?.words { line("hint", hint, isSaid: true) }
  }

  /// Prints something that the user has to know or do. An address that the user has to open `holdsAddress`: it is
  /// printed whole, and cut in the log.
  func tell(_ message: Message, holdsAddress: Bool = false) {
    if holdsAddress { write("info: \(message.text.forDisplay(limit: 64 * 1_024))") }
    line("info", message, isSaid: !holdsAddress)
  }

  /// Prints an address that the user can open, for the user alone: only at a terminal, and not in the log.
  func tellReader(_ message: Message) {
    show(["tokentry: info: \(message.text.forDisplay(limit: 64 * 1_024))"])
  }

  /// Prints with `-v`, and at a terminal.
  func note(_ message: Message) {
    line("info", message, isSaid: level >= .verbose || Self.areRead)
  }

  /// Prints with `-v`.
  func info(_ message: @autoclosure () -> Message) { line("info", message, from: .verbose) }

  /// Prints with `-vv`.
  func trace(_ message: @autoclosure () -> Message) { line("info", message, from: .trace) }

  /// Prints a warning with `-vv`.
  func traceWarning(_ message: @autoclosure () -> Message) {
    if level >= .trace { line("warning", message(), isSaid: true) }
  }

  /// True if messages of ``trace(_:)`` are printed or logged.
  var areTraced: Bool { level >= .trace || MessageLog.isOpen }

  /// Prints lines as they are, if standard error is a terminal.
  func show(_ lines: @autoclosure () -> [String]?) {
    guard Self.areRead, let lines = lines() else { return }
    try? writeAll(lines.map { $0 + "\n" }.joined().utf8, to: STDERR_FILENO)
  }

  /// True if standard error is a terminal.
  static var areRead: Bool { isatty(STDERR_FILENO) == 1 }

  /// The size of the terminal on standard error, as far as it is known.
  static var screen: (columns: Int?, rows: Int?) { size(ofTerminal: STDERR_FILENO) }

  /// The size of a terminal, as far as it is known.
  static func size(ofTerminal descriptor: Int32) -> (columns: Int?, rows: Int?) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return (nil, nil) }
    return (size.ws_col > 0 ? Int(size.ws_col) : nil, size.ws_row > 0 ? Int(size.ws_row) : nil)
  }

  private func line(_ kind: String, _ message: () -> Message, from level: Level) {
    if self.level >= level || MessageLog.isOpen { line(kind, message(), isSaid: self.level >= level) }
  }

  private func line(_ kind: String, _ message: Message, isSaid: Bool) {
    // Our own words contain no secret, even if one is a word such as "demo".
    let message = message.mapValues(Self.redacted)
    func line(_ text: String) -> String { "\(kind): \(text.forDisplay(limit: 1_000))" }
    if isSaid { write(line(message.text)) }
    if MessageLog.isOpen { MessageLog.write(line(message.description)) }
  }

  private func write(_ text: String) {
    try? writeAll("tokentry: \(text)\n".utf8, to: STDERR_FILENO)
  }
}

extension TerminalStyle {
  /// The style of a table on standard output.
  static var ofTable: TerminalStyle {
    var style = ofUser
    style.columns = Messages.size(ofTerminal: StandardOutput.descriptor).columns
    return style
  }
}

/// Appends all messages to a file, whatever their level: the standard error of a helper is often lost.
enum MessageLog {
  /// The environment variable with the path of the file.
  static let variable = "TOKENTRY_LOG"

  private static let file = Mutex<Int32?>(nil)

  static var isOpen: Bool { file.withLock { $0 != nil } }

  /// Opens the file. A new one is readable for the user only.
  static func open(_ path: String) throws(Failure) {
    let opened = try failing(OpenFile.own(appendingTo: path)) { .file(variable, $0) }
    file.withLock { $0 = fcntl(opened.descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) }
  }

  /// Appends a line in one piece, so that the lines of several programs do not mix.
  static func write(_ text: String) {
    guard let descriptor = file.withLock(\.self) else { return }
    try? writeAll("\(SystemClock().now()) \(getpid()) \(text)\n".utf8, to: descriptor)
  }
}
