import CLinux
import GLibSupport
import Glibc
import LoginCore
import SignIn
import WindowProtocol

/// Ends a run before it has finished: because of a signal, or because the caller has ended.
@GLibActor
final class Interruption {
  private let run: Run
  private var sources: [Source] = []
  /// The sources that end the run when the caller has gone.
  private var caller: [Source] = []
  /// True once part of the answer has been written; being killed now leaves it incomplete.
  var isAnswering = false
  /// Returns true if the command deals with a signal itself. It is then neither cancelled nor a failure. The end of the
  /// caller is like that of a terminal.
  private var takesSignal: ((_ number: Int32) -> Bool)?

  /// A background process and a server do not watch their caller, because they outlive it. With nohup(1) they outlive the
  /// terminal, too.
  init(of run: Run, watchesCaller: Bool = true) {
    self.run = run
    for (number, name) in Self.signals where watchesCaller || number != SIGHUP || !Self.ignores(number) {
      sources.append(.signal(number) { [weak self] in self?.take(number, name) })
    }
    for (number, _) in Self.otherSignals { AnswerTime.takeAsTermination(number) }
    // Some callers block signals in the thread that starts programs, and this program inherits that.
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    if !watchesCaller { return }
    let leave = { [weak self] in
      guard let self, takesSignal?(SIGHUP) != true else { return }
      run.end(with: isAnswering ? .output(EPIPE) : .callerGone)
    }
    caller.append(.hangUp(of: StandardOutput.descriptor) { leave() })
    // Not PR_SET_PDEATHSIG: that fires when the thread ends that started this process.
    let process = linux_pidfd_open(getppid())
    if process >= 0 { caller.append(.readable(process) { leave() }) }
  }

  /// Stops watching the caller: the command goes on without it.
  func outliveCaller() { caller = [] }

  private func take(_ number: Int32, _ name: String) {
    let other = Self.otherSignals.first { $0.0 == AnswerTime.termination && number == SIGTERM }
    // A terminal that closes sends SIGHUP, and so does its shell.
    if number != SIGHUP, run.hurry() { return }
    if takesSignal?(other?.0 ?? number) != true { run.end(with: .signal(other?.1 ?? name)) }
  }

  /// Runs `body`, which deals with some signals itself.
  ///
  /// - Parameter take: Returns true for a signal that is neither a failure nor the end of `body`.
  func taking<Value: Sendable, Reason: Error>(
    _ take: @escaping (_ number: Int32) -> Bool, _ body: () async throws(Reason) -> Value
  ) async throws(Reason) -> Value {
    takesSignal = take
    defer { takesSignal = nil }
    return try await body()
  }

  /// Runs a command to its end. After that, signals end the program only if its answer is not read.
  func command<Value: Sendable>(
    _ body: @escaping @GLibActor @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    defer {
      Self.spent += sources + caller
      AnswerTime.begin(against: Self.signals.map(\.0))
    }
    return try await run.first(of: body)
  }

  private static func ignores(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1  // SIG_IGN
  }

  private static let signals = [(SIGINT, "SIGINT"), (SIGTERM, "SIGTERM"), (SIGHUP, "SIGHUP")]
  /// The other signals that end a program by default.
  private static let otherSignals = [
    (SIGQUIT, "SIGQUIT"), (SIGUSR1, "SIGUSR1"), (SIGUSR2, "SIGUSR2"), (SIGALRM, "SIGALRM"),
    (SIGVTALRM, "SIGVTALRM"), (SIGPROF, "SIGPROF"), (SIGXCPU, "SIGXCPU"), (SIGPOLL, "SIGPOLL"),
    (SIGPWR, "SIGPWR"), (SIGSTKFLT, "SIGSTKFLT"),
  ]
  /// Keeps the sources of a finished command alive: releasing one would give its signal the default action again.
  private static var spent: [Source] = []
}

extension Failure {
  /// A signal has ended the command.
  fileprivate static func signal(_ name: String) -> Failure {
    // People send these from a keyboard. Programs send the others.
    let isUsers = ["SIGINT", "SIGHUP", "SIGQUIT"].contains(name)
    // Ctrl-C, which the user has just pressed.
    if name == "SIGINT" { return Failure(.cancelled, "cancelled") }
    return Failure(
      .cancelled, "stopped by \(name)", origin: isUsers ? .user : .caller)
  }

  fileprivate static let callerGone = Failure(.cancelled, "the program that started it has ended")
}

/// Signals while the answer is written: they end the program only if the answer is not read within two seconds.
enum AnswerTime {
  /// Starts this time, which lasts until the process ends.
  static func begin(against signals: [Int32]) {
    install({ _ in _exit(9) }, for: SIGALRM)  // the status of `output_failed`
    for number in signals {
      // Only the first signal starts the two seconds.
      install(
        { _ in
          let left = alarm(2)
          if left > 0 { _ = alarm(left) }
        }, for: number)
    }
  }

  /// The signal that was turned into SIGTERM, or zero.
  nonisolated(unsafe) private(set) static var termination: Int32 = 0

  /// Turns a signal into SIGTERM from now on.
  static func takeAsTermination(_ signal: Int32) {
    termination = 0  // initialised here, because a signal handler cannot do it
    install(
      { number in
        AnswerTime.termination = number
        _ = kill(getpid(), SIGTERM)
      }, for: signal)
  }

  /// A handler may only make system calls and set `termination`.
  private static func install(_ handler: @escaping @convention(c) (Int32) -> Void, for signal: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = Int32(SA_RESTART)
    sigaction(signal, &action, nil)
  }
}
