/// Waits for `duration` on the main loop, or until the task is cancelled.
@GLibActor
package func pause(for duration: Duration) async throws(CancellationError) {
  let end = FirstResult<Void, CancellationError>()
  let timer = Source.timer(every: duration) { end.finish(.success(())) }
  defer { withExtendedLifetime(timer) {} }
  try await withTaskCancellationHandler {
    await end.result()
  } onCancel: {
    GLibActor.task { end.finish(.failure(CancellationError())) }
  }.get()
}
