import CLinux
import GLibSupport
import Glibc
import LoginCore
import WindowProtocol

/// Ends a command before it has finished: because of a signal or the deadline, or because its caller has ended.
@GLibActor
final class Interruption {
  private var sources: [Source] = []
  private var deadline: Source?
  private var deadlineTime: ContinuousClock.Instant?
  /// The seconds that the command had at the start. Zero means no limit.
  private var patience = 0
  /// True if the command gets the whole time again when the user becomes active.
  private var isExtendable = false
  /// The time that a user who types always has left.
  private static let grace: Int64 = 60
  private var stop: ((Failure, _ isDeadline: Bool) -> Void)?
  /// Called with the reason for the end. It has half a second, because a browser may still wait for its page.
  var farewell: (@GLibActor @Sendable (Failure) async -> Void)?
  /// Tells a user who has seen a window why the command has failed.
  var explain: (@GLibActor (Failure) -> Void)?
  /// True once the user has seen a window.
  var hasSeenWindow = false
  /// The redirect URI to which a browser is to bring the answer.
  var awaited: RedirectURI?
  /// The failure that the user sees instead of a page. The deadline ends the command with it.
  var shownFailure: Failure?
  /// True while the command waits for another program that is using the account.
  var isHeldUp = false
  /// The servers that have not answered yet.
  private var servers: [String] = []
  /// True while the caller's input is read.
  var isReading = false
  /// True once part of the answer has been written; being killed now leaves it incomplete.
  var isAnswering = false
  /// Returns true if the command deals with a signal itself. It is then neither cancelled nor a failure.
  var takesSignal: (@GLibActor (_ number: Int32) -> Bool)?
  /// The problem that keeps the user from signing in.
  var obstacle: Failure?
  /// The number of refreshes that were sent and whose answers are not kept yet.
  private var refreshes = 0
  /// Ends the wait for a task that was told to end.
  private var insist: (() -> Void)?

  /// A process of its own and a server do not watch their caller, because they go on without it. Nor do they end with
  /// their terminal if they were started to ignore that, as nohup(1) does.
  init(watchesCaller: Bool = true) {
    for (number, name) in Self.signals where watchesCaller || number != SIGHUP || !Self.ignores(number) {
      sources.append(
        .signal(number) { [weak self] in
          let other = Self.otherSignals.first { $0.0 == AnswerTime.termination && number == SIGTERM }
          guard let self else { return }
          if let insist {
            // A terminal that closes sends SIGHUP, and so does its shell.
            if number != SIGHUP { insist() }
          } else if takesSignal?(other?.0 ?? number) != true {
            interrupt(.signal(other?.1 ?? name))
          }
        })
    }
    for (number, _) in Self.otherSignals { AnswerTime.takeAsTermination(number) }
    // Some callers block signals in the thread that starts programs, and this program inherits that.
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    if !watchesCaller { return }
    sources.append(
      .hangUp(of: StandardOutput.descriptor) { [weak self] in
        guard let self else { return }
        interrupt(isAnswering ? .output(EPIPE) : .callerGone)
      })
    // Not PR_SET_PDEATHSIG: that fires when the thread ends that started this process.
    let caller = linux_pidfd_open(getppid())
    if caller >= 0 { sources.append(.readable(caller) { [weak self] in self?.interrupt(.callerGone) }) }
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

  /// Gives the command this many seconds from now; zero means no limit. A time that the caller has given is not extended.
  func setDeadline(seconds: Int, isGiven: Bool) {
    pauseDeadline()
    (patience, isExtendable) = (seconds, !isGiven)
    if seconds > 0 { end(in: Int64(seconds)) }
  }

  private func end(in seconds: Int64) {
    deadlineTime = .now + .seconds(seconds)
    deadline = .timer(every: .seconds(seconds)) { [weak self] in
      guard let self else { return }
      interrupt(shownFailure ?? timeout(after: patience), isDeadline: true)
    }
  }

  /// The failure at the deadline: the user has not signed in, unless something else is known to be missing.
  private func timeout(after seconds: Int) -> Failure {
    if isHeldUp {
      return Failure(
        .timeout, "another program was still using the account after \(seconds) s")
    }
    if let host = servers.last {
      return Failure(.timeout, "\(host, upTo: 260) did not answer within \(seconds) s", origin: .network)
    }
    if isReading {
      return Failure(
        .timeout, "the input was not complete within \(seconds) s", origin: .caller, isRetryable: false)
    }
    if let obstacle {
      return Failure(
        .timeout, "the user did not sign in within \(seconds) s: \(obstacle.message)", hint: obstacle.hint)
    }
    return Failure(
      .timeout, "the user did not sign in within \(seconds) s",
      hint: awaited.map {
        """
        no browser returned to \($0.description, upTo: 200): if you did sign in, check that the provider \
        knows this redirect URI
        """
      })
  }

  /// Runs `answer`, which waits for a server.
  func waiting<Value: Sendable>(
    for host: String, _ answer: @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    servers.append(host)
    defer { servers.lastIndex(of: host).map { _ = servers.remove(at: $0) } }
    return try await answer()
  }

  /// Lifts the deadline.
  func pauseDeadline() { (deadline, deadlineTime) = (nil, nil) }

  /// Gives the command the whole time again.
  func restartDeadline() { setDeadline(seconds: patience, isGiven: !isExtendable) }

  /// Gives an active user more time. Where the caller has given the time, only a user who asks for it gets all of it
  /// again; otherwise the command never ends within a minute of the last key.
  func extendDeadline(isAsked: Bool) {
    guard let secondsLeft else { return }
    if isExtendable || isAsked {
      restartDeadline()
    } else if secondsLeft < Self.grace {
      end(in: Self.grace)
    }
  }

  /// The time that the window shows to its user. nil without a limit.
  var timeLeft: TimeLeft? {
    secondsLeft.map { TimeLeft($0, of: Int64(patience), isExtendable: isExtendable) }
  }

  /// The seconds until the deadline. nil without a limit.
  var secondsLeft: Int64? {
    deadlineTime.map { max(0, ContinuousClock.now.duration(to: $0).components.seconds) }
  }

  /// Runs `body` until it returns or is interrupted, whichever comes first.
  ///
  /// An interrupted body is cancelled. It then has a second for steps that must not be cut in two, or the time for a
  /// refresh; if it still succeeds, its result counts. A body that hangs, such as on a file of a dead server, does not keep
  /// the answer from the caller.
  func first<Value: Sendable>(
    of body: @escaping @GLibActor @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let first = FirstResult<Value, Failure>()
    let task = GLibActor.task { () -> Result<Value, Failure> in
      let result: Result<Value, Failure>
      do throws(Failure) { result = .success(try await body()) } catch { result = .failure(error) }
      first.finish(result)
      return result
    }
    var interruption: Failure?
    var isDeadline = false
    stop = { failure, isTimeOver in
      (interruption, isDeadline) = (failure, isTimeOver)
      first.finish(.failure(failure))
      task.cancel()
    }
    var result = await first.result()
    stop = nil
    if let interruption {
      if let farewell { _ = await within(.milliseconds(500)) { await farewell(interruption) } }
      if case .success(let value)? = await last(of: task, within: .seconds(1)) { result = .success(value) }
    }
    if case .failure(let failure) = result, isDeadline || interruption == nil && isUnseen(failure) {
      if hasSeenWindow { explain?(failure) }
    }
    Self.spent += sources
    AnswerTime.begin(against: Self.signals.map(\.0))
    deadline = nil
    return try result.get()
  }

  /// Runs `refresh`, for whose end ``last(of:within:)`` waits.
  func keeping<Value: Sendable, Reason: Error>(
    _ refresh: () async throws(Reason) -> Value
  ) async throws(Reason) -> Value {
    refreshes += 1
    defer { refreshes -= 1 }
    return try await refresh()
  }

  /// Returns the result of a task that was told to end, or nil if it takes longer than `duration`.
  ///
  /// If a refresh was sent, the task gets ten seconds: the old token may be dead already, so a program that ended now would
  /// cost the user a sign-in. A second signal ends the wait.
  func last<Value: Sendable>(of task: Task<Value, Never>, within duration: Duration) async -> Value? {
    let result = FirstResult<Value?, Never>()
    let start = ContinuousClock.now
    insist = {
      // timeout(1) sends every signal twice.
      if start.duration(to: .now) > .milliseconds(300) { result.finish(.success(nil)) }
    }
    defer { insist = nil }
    var isBusy = false
    let timer = Source.timer(every: duration) { [weak self] in
      let wasBusy = isBusy
      isBusy = (self?.refreshes ?? 0) > 0
      let isOver = !isBusy && !wasBusy || start.duration(to: .now) >= .seconds(10)
      if isOver { result.finish(.success(nil)) }
    }
    defer { withExtendedLifetime(timer) {} }
    GLibActor.task { result.finish(.success(await task.value)) }
    return await result.result().get()
  }

  private func interrupt(_ failure: Failure, isDeadline: Bool = false) { stop?(failure, isDeadline) }

  /// True if the user does not know the failure from what they did or saw.
  private func isUnseen(_ failure: Failure) -> Bool {
    failure.origin != .user && failure != shownFailure && failure.code != .provider("access_denied")
      && ![.noDisplay, .windowFailed].contains(failure.code)
  }
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
