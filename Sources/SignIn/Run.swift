import GLibSupport
import Language
import LoginCore
import Synchronization
import WindowProtocol

/// One run of an operation: the time that it has, and the reasons for which it may end early. It remembers what is going on,
/// so that its end can say what was missing.
@GLibActor
package final class Run {
  /// The last event of each kind.
  private struct Memory {
    /// The redirect URI to which a browser is to bring the answer.
    var awaited: RedirectURI?
    /// The redirect URI whose port was taken.
    var missed: RedirectURI?
    /// The failure that the user sees instead of a page.
    var shownFailure: Failure?
    /// The failure at the deadline, if the caller has named one.
    var failureAtDeadline: Failure?
    /// The problem that keeps the user from signing in.
    var obstacle: Failure?
    var isAccountInUse = false
    var hasAskedUser = false
    /// The servers that have not answered yet.
    var servers: [String] = []
    var isReading = false
    /// Says why the run has failed, after its window is gone.
    var explain: (@GLibActor @Sendable (Failure) -> Void)?
    var hasSeenWindow = false
    /// The reason for which the run has ended.
    var end: Failure?
  }

  private nonisolated let memory = Mutex(Memory())
  private var deadline: Source?
  private var deadlineTime: ContinuousClock.Instant?
  /// The seconds that the run had at the start. Zero means no limit.
  private var patience = 0
  /// True if the run gets the whole time again with each sign of life of the user.
  private var isExtendable = false
  private var stop: ((Failure, _ isExplained: Bool) -> Void)?
  /// The number of refreshes that were sent and whose answers are not kept yet.
  private var refreshes = 0
  /// Ends the wait for a task that was told to end.
  private var insist: (() -> Void)?
  /// True if the process goes on after the run, so that a refresh is finished in the background.
  private nonisolated let isInLastingProcess: Bool

  package nonisolated init(inLastingProcess: Bool = false) { isInLastingProcess = inLastingProcess }

  /// Takes note of an event.
  package nonisolated func note(_ event: SignInEvent) {
    memory.withLock { memory in
      switch event {
      case .portTaken(let address, _): memory.missed = address
      case .listening(let address, let isBrowsers): memory.awaited = isBrowsers ? address : nil
      case .browserFailed(let failure): memory.obstacle = failure
      case .answerElsewhere(let refusal): memory.shownFailure = refusal.failureOnDeadline
      case .fault(let fault): memory.shownFailure = fault?.failure
      case .slow(let host): memory.shownFailure = .unreachable(host, "the connection timed out")
      case .left: memory.shownFailure = nil
      case .begun: memory.hasAskedUser = true
      default: break
      }
    }
  }

  /// The failure that the user sees instead of a page. It is also that of the run if its time ends now.
  package nonisolated var shownFailure: Failure? {
    get { memory.withLock(\.shownFailure) }
    set { memory.withLock { $0.shownFailure = newValue } }
  }

  /// True if the user has seen a window of ours.
  package nonisolated var hasSeenWindow: Bool {
    get { memory.withLock(\.hasSeenWindow) }
    set { memory.withLock { $0.hasSeenWindow = newValue } }
  }

  /// True while the run waits for another program or task that uses the account.
  package nonisolated var isAccountInUse: Bool {
    get { memory.withLock(\.isAccountInUse) }
    set { memory.withLock { $0.isAccountInUse = newValue } }
  }

  /// Has `explain` show the failure of the run to a user whose window has vanished without an answer.
  package nonisolated func explainFailure(by explain: @escaping @GLibActor @Sendable (Failure) -> Void) {
    memory.withLock { $0.explain = explain }
  }

  /// True if the user was asked to sign in.
  package nonisolated var hasAskedUser: Bool { memory.withLock(\.hasAskedUser) }

  /// The reason for which the run has ended early. A cancelled task finds out here why it was cancelled.
  package nonisolated var reasonOfEnd: Failure? { memory.withLock(\.end) }

  /// Runs `read`, which reads the caller's input.
  package func reading<Value: Sendable, Reason: Error>(
    _ read: () async throws(Reason) -> Value
  ) async throws(Reason) -> Value {
    memory.withLock { $0.isReading = true }
    defer { memory.withLock { $0.isReading = false } }
    return try await read()
  }

  /// Runs `answer`, which waits for a server.
  package nonisolated func waiting<Value: Sendable>(
    for host: String, _ answer: @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    memory.withLock { $0.servers.append(host) }
    defer {
      memory.withLock { memory in memory.servers.lastIndex(of: host).map { _ = memory.servers.remove(at: $0) }
      }
    }
    return try await answer()
  }
}

/// The deadline.
extension Run {
  /// Gives the run this many seconds from now; zero means no limit. A time that the caller has given is exact:
  /// ``extendDeadline()`` does not extend it.
  package func setDeadline(seconds: Int, isGiven: Bool) {
    pauseDeadline()
    (patience, isExtendable) = (seconds, !isGiven)
    if seconds > 0 { end(in: Int64(seconds)) }
  }

  /// Sets the failure with which the deadline ends the run from now on, or the usual one for nil. A failure that the user sees
  /// still comes first.
  package nonisolated func failAtDeadline(_ failure: Failure?) {
    memory.withLock { $0.failureAtDeadline = failure }
  }

  private func end(in seconds: Int64) {
    deadlineTime = .now + .seconds(seconds)
    deadline = .every(.seconds(seconds)) { [weak self] in
      guard let self else { return }
      stop?(failureAtDeadline, true)
    }
  }

  /// The failure at the deadline: the user has not signed in, unless something else is known to be missing.
  private var failureAtDeadline: Failure {
    let (memory, seconds) = (memory.withLock(\.self), patience)
    if let failure = memory.shownFailure ?? memory.failureAtDeadline { return failure }
    if memory.isAccountInUse {
      return Failure(
        .timeout, "another program or task was still using the account after \(seconds) s")
    }
    if let host = memory.servers.last {
      return Failure(.timeout, "\(host, upTo: 260) did not answer within \(seconds) s", origin: .network)
    }
    if memory.isReading {
      return Failure(
        .timeout, "the input was not complete within \(seconds) s", origin: .caller, isRetryable: false)
    }
    if let obstacle = memory.obstacle {
      return Failure(
        .timeout, "\(Self.timeIsOver(seconds)): \(obstacle.message)", hint: obstacle.hint)
    }
    return Failure(.timeout, Self.timeIsOver(seconds), hint: memory.awaited.map { hint(memory.missed, $0) })
  }

  /// Most servers that compare redirect URIs exactly show an error, and send no answer.
  private func hint(_ missed: RedirectURI?, _ awaited: RedirectURI) -> Failure.Hint {
    if let missed {
      return """
        no browser returned to \(awaited.description, upTo: 200): if the provider accepts only \
        \(missed.description, upTo: 200), end the program that uses this port, and try again
        """
    }
    return """
      no browser returned: if the provider has shown an error, register the redirect URI \
      \(awaited.description, upTo: 200) there
      """
  }

  private static func timeIsOver(_ seconds: Int) -> Message {
    let minutes = seconds / 60
    return seconds == minutes * 60
      ? Message(
        minutes, one: "the time for signing in, \(minutes) minute, is over",
        other: "the time for signing in, \(minutes) minutes, is over")
      : Message(
        seconds, one: "the time for signing in, \(seconds) second, is over",
        other: "the time for signing in, \(seconds) seconds, is over")
  }

  /// Lifts the deadline.
  package func pauseDeadline() { (deadline, deadlineTime) = (nil, nil) }

  /// Gives the run the whole time again.
  package func restartDeadline() { setDeadline(seconds: patience, isGiven: !isExtendable) }

  /// Gives a user who is there the whole time again, and the time of a code before it, unless the caller has given the time.
  package func extendDeadline(forCode life: Int64 = 0) {
    guard isExtendable, let left = secondsLeft else { return }
    let seconds = Int64(patience) + life
    if seconds > left { end(in: seconds) }
  }

  /// The time that the window shows to its user. nil without a limit.
  package var timeLeft: TimeLeft? {
    secondsLeft.map { TimeLeft($0, of: Int64(patience), isExtendable: isExtendable) }
  }

  /// The seconds until the deadline. nil without a limit.
  package var secondsLeft: Int64? {
    deadlineTime.map { max(0, ContinuousClock.now.duration(to: $0).components.seconds) }
  }
}

/// The end.
extension Run {
  /// Runs `body` until it returns, the deadline passes, or ``end(with:)`` is called, whichever comes first.
  ///
  /// A body that is ended early is cancelled. It then has a second for steps that must not be cut in two, or the time for a
  /// refresh, which a process that goes on finishes in the background; if it still succeeds, its result counts. A body that
  /// hangs, such as on a file of a dead server, does not keep the answer from the caller.
  package func first<Value: Sendable>(
    of body: @escaping @GLibActor @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let first = FirstResult<Value, Failure>()
    let task = GLibActor.task { () -> Result<Value, Failure> in
      let result: Result<Value, Failure>
      do throws(Failure) { result = .success(try await body()) } catch { result = .failure(error) }
      first.finish(result)
      return result
    }
    var isExplained = false
    stop = { [self] failure, explains in
      isExplained = explains
      memory.withLock { $0.end = $0.end ?? failure }
      first.finish(.failure(failure))
      task.cancel()
    }
    var result = await first.result()
    stop = nil
    if reasonOfEnd != nil, let last = await last(of: task, within: .seconds(1)) {
      switch (last, result) {
      case (.success, _): result = last
      case (.failure(let failure), .failure(let reason)):
        // Only this answer may have the refresh token that is alive.
        guard let alive = failure.details["refresh_token"] else { break }
        result = .failure(reason.with(details: ["refresh_token": alive]))
      case (.failure, .success): break
      }
    }
    deadline = nil
    // It keeps the sign-in, which keeps this run.
    let explain = memory.withLock { $0.explain.take() }
    if hasSeenWindow, case .failure(let failure) = result,
      isExplained || reasonOfEnd == nil && isUnseen(failure)
    {
      explain?(failure)
    }
    return try result.get()
  }

  /// Runs `body` with this many seconds; zero means no limit.
  package func result<Value: Sendable>(
    within seconds: Int, _ body: @escaping @GLibActor @Sendable () async throws(Failure) -> Value
  ) async -> Result<Value, Failure> {
    // The task may have been cancelled before there was a run to end.
    if Task.isCancelled { return .failure(.cancelled) }
    setDeadline(seconds: seconds, isGiven: false)
    do throws(Failure) { return .success(try await first(of: body)) } catch { return .failure(error) }
  }

  /// Ends the run early. A user who has seen a window is told why if the failure `isExplained`.
  package func end(with failure: Failure, isExplained: Bool = false) { stop?(failure, isExplained) }

  /// True if the user does not know the failure from what they did or saw.
  private func isUnseen(_ failure: Failure) -> Bool {
    failure.origin != .user && failure != shownFailure && failure.code != .accessDenied
      && ![.noDisplay, .windowFailed].contains(failure.code)
  }

  /// Runs `refresh`, for whose end ``last(of:within:)`` waits.
  package func keeping<Value: Sendable, Reason: Error>(
    _ refresh: () async throws(Reason) -> Value
  ) async throws(Reason) -> Value {
    refreshes += 1
    defer { refreshes -= 1 }
    return try await refresh()
  }

  /// Returns the result of a task that was told to end, or nil if it takes longer than `duration`.
  ///
  /// If a refresh was sent, the task gets ten seconds: the old token may be dead already, so a program that ended now would
  /// cost the user a sign-in. ``hurry()`` ends the wait. A process that goes on does not wait for a refresh at all.
  package func last<Value: Sendable>(
    of task: Task<Value, Never>, within duration: Duration
  ) async -> Value? {
    if isInLastingProcess, refreshes > 0 { return nil }
    let result = FirstResult<Value?, Never>()
    let start = ContinuousClock.now
    insist = {
      // timeout(1) sends every signal twice.
      if start.duration(to: .now) > .milliseconds(300) { result.finish(.success(nil)) }
    }
    defer { insist = nil }
    var isBusy = false
    let timer = Source.every(duration) { [weak self, isInLastingProcess] in
      let wasBusy = isBusy
      isBusy = (self?.refreshes ?? 0) > 0
      let isOver = !isBusy && !wasBusy || isInLastingProcess || start.duration(to: .now) >= .seconds(10)
      if isOver { result.finish(.success(nil)) }
    }
    defer { withExtendedLifetime(timer) {} }
    GLibActor.task { result.finish(.success(await task.value)) }
    return await result.result().get()
  }

  /// Ends the wait for a task that was told to end. Returns false if there is none.
  package func hurry() -> Bool {
    insist?()
    return insist != nil
  }
}
