/// The locks of a store. They let one program or task at a time change an account or a client: if two of them refreshed a
/// token at once, a provider with single-use refresh tokens would take one of them for a thief.
///
/// With locks of your own, waiting programs and tasks find the new token in the store. They do not learn of a failure: each
/// then makes an attempt of its own, and may ask the user. The locks of the stores in this package pass failures on, too.
public protocol StoreLocks: Sendable {
  /// Waits until no other program or task changes the account, and keeps them out as long as the result lives.
  func lock(_ name: AccountName) async throws(Failure) -> any StoreLock
  /// Waits until no other program or task changes the client, and keeps them out as long as the result lives.
  func lock(_ slot: ClientSlot) async throws(Failure) -> any StoreLock
}

/// Locks that also pass on the result of an attempt to get a token, so that only one of the waiting programs and tasks
/// makes it.
package protocol AttemptLocks: StoreLocks {
  /// Joins the queue for this account. Returns `.mine` with the lock, or `.theirs` with the result of the attempt that
  /// another program or task just finished, if `waiting` accepts that.
  func attempt(at name: AccountName, waiting: AttemptWaiting) async throws(Failure) -> Attempt
  /// Returns the log of the account's attempts. Does not wait for an attempt that is under way.
  func attempts(at name: AccountName) async -> AttemptLog
}

/// Lets attempts take turns with the locks of an application's own store. Each attempt finds in the store what the previous
/// one has saved. A failure is not passed on, and an attempt always waits.
struct AttemptsInTurn: AttemptLocks {
  let locks: any StoreLocks

  func lock(_ name: AccountName) async throws(Failure) -> any StoreLock { try await locks.lock(name) }

  func lock(_ slot: ClientSlot) async throws(Failure) -> any StoreLock { try await locks.lock(slot) }

  func attempt(at name: AccountName, waiting: AttemptWaiting) async throws(Failure) -> Attempt {
    .mine(Turn(lock: try await lock(name)))
  }

  func attempts(at name: AccountName) async -> AttemptLog { AttemptLog() }

  private final class Turn: AttemptLock {
    let log = AttemptLog()
    let needsLogin = false
    private let lock: any StoreLock

    init(lock: any StoreLock) { self.lock = lock }

    func tell(_ log: AttemptLog) async {}
  }
}

/// Keeps other programs and tasks from changing an account or a client as long as it lives.
public protocol StoreLock: AnyObject, Sendable {}

/// The result of waiting in the queue for an account.
package enum Attempt: Sendable {
  /// It is the caller's turn.
  case mine(any AttemptLock)
  /// Another program or task finished its attempt with this result.
  case theirs(AttemptOutcome)
}

/// A lock on an account for one attempt, whose result is passed on to the waiting programs. If a program is killed before
/// it reports a result, one of the waiting programs makes the next attempt.
package protocol AttemptLock: StoreLock {
  /// The log of the account's attempts, including this one.
  var log: AttemptLog { get }
  /// True if the caller waited for an attempt that ended with ``AttemptOutcome/needsLogin``.
  var needsLogin: Bool { get }
  /// Passes the log on to the waiting programs. A failure is not reported, because they then make an attempt themselves.
  func tell(_ log: AttemptLog) async
}

/// The way to wait in the queue for an account.
package enum AttemptWaiting: Sendable {
  /// Does not wait: fails with ``Failure/alreadyInProgress(account:)`` if another program or task holds the account.
  case no
  /// Waits for the caller's turn.
  case forTurn
  /// Waits for the caller's turn, or for another attempt's result that the caller can use. `maySignIn` is true if the caller
  /// can ask the user to sign in.
  case forOutcome(maySignIn: Bool)

  /// True if the caller can use this result of another attempt.
  package func takes(_ outcome: AttemptOutcome) -> Bool {
    switch (self, outcome) {
    case (.no, _), (.forTurn, _): false
    case (.forOutcome(let maySignIn), .needsLogin): !maySignIn
    case (.forOutcome, _): true
    }
  }
}

/// The locks of a store that only this process uses. Tasks that want the same account get their turns in the order in which
/// they asked.
public actor ProcessLocks: AttemptLocks {
  enum Place: Hashable {
    case account(AccountName)
    case client(ClientSlot)
  }

  struct Queue {
    /// The lock of the task whose turn it is. The turn ends when that lock is released.
    weak var turn: Turn?
    var log = AttemptLog()
    var waiting: [Waiter] = []
  }

  struct Waiter {
    let number: Int
    let waiting: AttemptWaiting
    /// The first attempt whose result concerns this task.
    let awaited: Int64
    let continuation: CheckedContinuation<Result<Attempt, Failure>, Never>
  }

  /// The tasks at each place that was ever locked.
  private(set) var queues: [Place: Queue] = [:]
  private var lastWaiter = 0

  /// Creates locks that no task holds yet.
  public init() {}

  public func lock(_ name: AccountName) async throws(Failure) -> any StoreLock {
    try await lock(.account(name))
  }

  public func lock(_ slot: ClientSlot) async throws(Failure) -> any StoreLock {
    try await lock(.client(slot))
  }

  private func lock(_ place: Place) async throws(Failure) -> any StoreLock {
    guard case .mine(let lock) = try await turn(at: place, .forTurn) else { throw .defect() }
    return lock
  }

  package func attempt(at name: AccountName, waiting: AttemptWaiting) async throws(Failure) -> Attempt {
    if case .no = waiting, !isFree(.account(name)) { throw .alreadyInProgress(account: name.description) }
    return try await turn(at: .account(name), waiting)
  }

  package func attempts(at name: AccountName) -> AttemptLog { queues[.account(name)]?.log ?? AttemptLog() }

  private func isFree(_ place: Place) -> Bool {
    queues[place].map { $0.turn == nil && $0.waiting.isEmpty } ?? true
  }

  private func turn(at place: Place, _ waiting: AttemptWaiting) async throws(Failure) -> Attempt {
    if isFree(place) { return .mine(begin(at: place, needsLogin: false)) }
    lastWaiter += 1
    let number = lastWaiter
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let awaited = queues[place]?.log.awaited ?? 0
        queues[place]?.waiting.append(
          Waiter(number: number, waiting: waiting, awaited: awaited, continuation: continuation))
      }
    } onCancel: {
      Task { await leave(place, number) }
    }.get()
  }

  private func begin(at place: Place, needsLogin: Bool) -> Turn {
    var queue = queues[place] ?? Queue()
    queue.log.begin()
    let turn = Turn(queue.log, needsLogin: needsLogin) { [weak self] log in
      await self?.note(log, at: place)
    } next: { [weak self] in
      await self?.passOn(place)
    }
    queue.turn = turn
    queues[place] = queue
    return turn
  }

  private func note(_ log: AttemptLog, at place: Place) { queues[place]?.log = log }

  /// Gives the result of a turn to the waiting tasks that accept it, and the next turn to the first of the others.
  private func passOn(_ place: Place) {
    guard var queue = queues[place], queue.turn == nil else { return }
    var others: [(waiter: Waiter, needsLogin: Bool)] = []
    for waiter in queue.waiting {
      let outcome = queue.log.outcome(since: waiter.awaited)
      if let outcome, waiter.waiting.takes(outcome) {
        waiter.continuation.resume(returning: .success(.theirs(outcome)))
      } else {
        others.append((waiter, outcome == .needsLogin))
      }
    }
    queue.waiting = others.dropFirst().map(\.waiter)
    queues[place] = queue
    if let (next, needsLogin) = others.first {
      next.continuation.resume(returning: .success(.mine(begin(at: place, needsLogin: needsLogin))))
    }
  }

  private func leave(_ place: Place, _ number: Int) {
    guard let index = queues[place]?.waiting.firstIndex(where: { $0.number == number }) else { return }
    queues[place]?.waiting.remove(at: index).continuation.resume(returning: .failure(.cancelled))
  }

  final class Turn: AttemptLock {
    let log: AttemptLog
    let needsLogin: Bool
    private let note: @Sendable (AttemptLog) async -> Void
    private let next: @Sendable () async -> Void

    init(
      _ log: AttemptLog, needsLogin: Bool, note: @escaping @Sendable (AttemptLog) async -> Void,
      next: @escaping @Sendable () async -> Void
    ) {
      (self.log, self.needsLogin, self.note, self.next) = (log, needsLogin, note, next)
    }

    func tell(_ log: AttemptLog) async { await note(log) }

    deinit { Task { [next] in await next() } }
  }
}
