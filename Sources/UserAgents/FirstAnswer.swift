import GLibSupport
import LoginCore

/// The first of the answers that may come from several places, or that there will be none.
@GLibActor
final class FirstAnswer {
  private var result: Result<Arrival?, Failure>?
  private var waiting: CheckedContinuation<Result<Arrival?, Failure>, Never>?

  /// Takes the answer, unless there is one.
  func finish(_ result: Result<Arrival?, Failure>) {
    guard self.result == nil else { return }
    self.result = result
    waiting.take()?.resume(returning: result)
  }

  /// Whether it has come.
  var isThere: Bool { result != nil }

  /// Waits for it.
  func value() async throws(Failure) -> Arrival? {
    try await withTaskCancellationHandler {
      if let result { return result }
      return await withCheckedContinuation { waiting = $0 }
    } onCancel: {
      GLibActor.task { self.finish(.failure(.user(.cancelled("the login was ended")))) }
    }.get()
  }
}
