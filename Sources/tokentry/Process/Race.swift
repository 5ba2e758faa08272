import GLibSupport

/// Several that run for one result: the first brings it, and the others come too late.
@GLibActor
final class Race<Result: Sendable> {
  private var waiting: CheckedContinuation<Result, Never>?

  init(_ waiting: CheckedContinuation<Result, Never>) { self.waiting = waiting }

  func finish(_ result: Result) { waiting.take()?.resume(returning: result) }
}

/// What `body` comes to; nothing if that takes longer than `duration`, and then it is cancelled and not waited for.
@GLibActor
func within<Value: Sendable>(
  _ duration: Duration, _ body: @escaping @GLibActor @Sendable () async -> Value
) async -> Value? {
  var timer: Source?
  defer { _ = timer }
  return await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
    let race = Race(continuation)
    let task = GLibActor.task { race.finish(await body()) }
    timer = .timer(every: duration) {
      task.cancel()
      race.finish(nil)
    }
  }
}
