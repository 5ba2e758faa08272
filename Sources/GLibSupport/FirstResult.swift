/// The first of the results that may come from several places, for one that waits: the others come too late.
@GLibActor
package final class FirstResult<Value: Sendable, Fault: Error> {
  private var first: Result<Value, Fault>?
  private var waiting: CheckedContinuation<Result<Value, Fault>, Never>?

  package init() {}

  /// Whether it has come.
  package var isThere: Bool { first != nil }

  /// Takes the result, unless there is one.
  package func finish(_ result: Result<Value, Fault>) {
    guard first == nil else { return }
    first = result
    waiting.take()?.resume(returning: result)
  }

  /// Waits for it.
  package func result() async -> Result<Value, Fault> {
    if let first { return first }
    return await withCheckedContinuation { waiting = $0 }
  }
}

/// What `body` comes to; nothing if that takes longer than `duration`, and then it is cancelled and not waited for.
@GLibActor
package func within<Value: Sendable>(
  _ duration: Duration, _ body: @escaping @GLibActor @Sendable () async -> Value
) async -> Value? {
  let first = FirstResult<Value?, Never>()
  let task = GLibActor.task { first.finish(.success(await body())) }
  let timer = Source.timer(every: duration) {
    task.cancel()
    first.finish(.success(nil))
  }
  defer { withExtendedLifetime(timer) {} }
  return await first.result().get()
}
