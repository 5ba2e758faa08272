import GLibSupport
import LoginCore

/// The first of the answers that may come from several places, or why there will be none.
typealias FirstAnswer<Value: Sendable> = FirstResult<Value, Failure>

extension FirstResult where Fault == Failure {
  /// Waits for it. Whoever cancels that may not live long enough for anything but `end`, which is called at once,
  /// on whatever thread.
  func value(endingWith end: @escaping @Sendable () -> Void) async throws(Failure) -> Value {
    try await withTaskCancellationHandler {
      await result()
    } onCancel: {
      end()
      GLibActor.task { self.finish(.failure(.user(.cancelled(.task)))) }
    }.get()
  }
}
