import CLinux
import GLibSupport
import Glibc
import LoginCore
import LoginWays
import Wording

/// What ends a command before it has finished: a signal, the deadline, or that its caller has gone.
@GLibActor
final class Interruption {
  private var sources: [Source] = []
  private var deadline: Source?
  private var deadlineTime: ContinuousClock.Instant?
  /// How many seconds the command had in the beginning.
  private var patience = 0
  /// Whether it gets them again when its user is there.
  private var isExtendable = false
  private var stop: ((Failure) -> Void)?
  /// What is told of the end, and given half a second for it: a browser may still wait for its page.
  var farewell: (@GLibActor @Sendable (Failure) async -> Void)?
  /// Where a browser is to bring the answer.
  var awaited: RedirectURI?
  /// What the user sees in place of a page, with which the deadline ends.
  var shownFailure: Failure?
  /// Whether another program is waited for, which the deadline names.
  var isHeldUp = false
  /// The servers that have been asked and have not answered yet.
  private var servers: [String] = []
  /// Whether something is read that the caller has to say.
  var isReading = false
  /// Whether standard output has had a part of the answer: who goes then has gone in the middle of it.
  var isAnswering = false
  /// What is in the user's way, which the deadline names.
  var obstacle: WayObstacle?

  /// A process of its own goes on whoever has gone.
  init(watchesCaller: Bool = true) {
    for (number, name) in Self.signals {
      add(
        .signal(number) { [weak self] in
          let other = Self.otherSignals.first { $0.0 == AnswerTime.termination && number == SIGTERM }
          self?.interrupt(.run(.signal(other?.1 ?? name)))
        })
    }
    for (number, _) in Self.otherSignals { AnswerTime.takeAsTermination(number) }
    // A caller has them blocked in the thread in which it starts programs, and does not mean this one.
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    if !watchesCaller { return }
    add(
      .hangUp(of: StandardOutput.descriptor) { [weak self] in
        guard let self else { return }
        interrupt(.run(isAnswering ? .output(EPIPE) : .callerGone))
      })
    // Not PR_SET_PDEATHSIG: that fires when the thread ends that started this process.
    let caller = linux_pidfd_open(getppid())
    if caller >= 0 { add(.readable(caller) { [weak self] in self?.interrupt(.run(.callerGone)) }) }
  }

  private func add(_ source: Source) { sources.append(source) }

  private static let signals = [(SIGINT, "SIGINT"), (SIGTERM, "SIGTERM"), (SIGHUP, "SIGHUP")]
  /// The others that end a program that does nothing about them.
  private static let otherSignals = [
    (SIGQUIT, "SIGQUIT"), (SIGUSR1, "SIGUSR1"), (SIGUSR2, "SIGUSR2"), (SIGALRM, "SIGALRM"),
    (SIGVTALRM, "SIGVTALRM"), (SIGPROF, "SIGPROF"), (SIGXCPU, "SIGXCPU"), (SIGPOLL, "SIGPOLL"),
    (SIGPWR, "SIGPWR"), (SIGSTKFLT, "SIGSTKFLT"),
  ]
  /// Those that are over: a signal has its usual effect again when the source that waits for it goes.
  private static var spent: [Source] = []

  /// Gives the command so many seconds from now; zero is for ever. It is the caller's word if `isGiven`.
  func setDeadline(seconds: Int, isGiven: Bool) {
    pauseDeadline()
    (patience, isExtendable) = (seconds, !isGiven)
    if seconds == 0 { return }
    deadlineTime = .now + .seconds(seconds)
    deadline = .timer(every: .seconds(seconds)) { [weak self] in
      guard let self else { return }
      interrupt(shownFailure ?? .run(whatIsMissing(after: seconds)))
    }
  }

  /// What has not come in time: the user, unless it is known to be something else.
  private func whatIsMissing(after seconds: Int) -> RunFault {
    if isHeldUp { return .heldUp(seconds: seconds) }
    if let host = servers.last { return .unanswered(host: host, seconds: seconds) }
    return isReading ? .unread(seconds: seconds) : .deadline(seconds: seconds, obstacle, awaiting: awaited)
  }

  /// Waits for the answer of a server.
  func waiting<Value: Sendable>(
    for host: String, _ answer: @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    servers.append(host)
    defer { servers.lastIndex(of: host).map { _ = servers.remove(at: $0) } }
    return try await answer()
  }

  /// Lets the command take its time from now on.
  func pauseDeadline() { (deadline, deadlineTime) = (nil, nil) }

  /// Gives the command all of its time again.
  func restartDeadline() { setDeadline(seconds: patience, isGiven: !isExtendable) }

  /// Gives the command all of its time again, since its user is there: not where the caller has said how much that is.
  func extendDeadline() {
    if isExtendable, deadline != nil { restartDeadline() }
  }

  /// What the window tells its user; nothing if the command has for ever.
  var timeLeft: TimeLeft? {
    secondsLeft.map { TimeLeft($0, of: Int64(patience), isExtendable: isExtendable) }
  }

  /// How many seconds the command still has; nothing if that is for ever.
  var secondsLeft: Int64? {
    deadlineTime.map { max(0, ContinuousClock.now.duration(to: $0).components.seconds) }
  }

  /// Runs `body` until it returns or is interrupted, whichever comes first.
  ///
  /// A body that is interrupted is cancelled, and has a second for what must not be cut in two, such as to take and keep
  /// the answer to a refresh that was sent. What hangs then (a file on a dead server) keeps the answer from the caller no
  /// longer. A body that has done its work in this time is answered with that.
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
    stop = { failure in
      interruption = failure
      first.finish(.failure(failure))
      task.cancel()
    }
    var result = await first.result()
    stop = nil
    if let interruption {
      if let farewell { _ = await within(.milliseconds(500)) { await farewell(interruption) } }
      if case .success(let value)? = await within(.seconds(1), { await task.value }) {
        result = .success(value)
      }
    }
    Self.spent += sources
    AnswerTime.begin(against: Self.signals.map(\.0))
    deadline = nil
    return try result.get()
  }

  private func interrupt(_ failure: Failure) { stop?(failure) }
}
