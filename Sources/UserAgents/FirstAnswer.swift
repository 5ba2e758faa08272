import GLibSupport
import LoginCore

/// The first of the answers that may come from several places, or why there will be none.
@GLibActor
final class FirstAnswer<Value: Sendable> {
  private var result: Result<Value, Failure>?
  private var waiting: CheckedContinuation<Result<Value, Failure>, Never>?

  /// Takes the answer, unless there is one.
  func finish(_ result: Result<Value, Failure>) {
    guard self.result == nil else { return }
    self.result = result
    waiting.take()?.resume(returning: result)
  }

  /// Whether it has come.
  var isThere: Bool { result != nil }

  /// Waits for it. Whoever cancels that may not live long enough for anything but `end`, which is called at once,
  /// on whatever thread.
  func value(endingWith end: @escaping @Sendable () -> Void) async throws(Failure) -> Value {
    try await withTaskCancellationHandler {
      if let result { return result }
      return await withCheckedContinuation { waiting = $0 }
    } onCancel: {
      end()
      GLibActor.task { self.finish(.failure(.user(.cancelled(.task)))) }
    }.get()
  }
}
