import CGLib

/// The result of an asynchronous call of GIO, handed from the callback to the task that waits for it.
package struct AsyncResult: @unchecked Sendable {  // both ends are on the main loop's thread
  package let pointer: OpaquePointer
}

/// Cancels an asynchronous call of GIO.
package final class Cancellable: Sendable {
  nonisolated(unsafe) package let pointer: UnsafeMutablePointer<GCancellable>  // GCancellable is thread-safe

  package init() { pointer = g_cancellable_new() }
  deinit { g_object_unref(pointer) }

  package func cancel() { g_cancellable_cancel(pointer) }
}

/// Starts an `…_async` function and waits for its result; cancelling the task cancels the call.
///
/// The caller hands the result to the matching `…_finish` function and then releases it.
@GLibActor
package func asyncCall(_ cancellable: Cancellable, _ start: (GAsyncReadyCallback, gpointer) -> Void) async
  -> AsyncResult
{
  await withTaskCancellationHandler {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<AsyncResult, Never>) in
      // An unsafe continuation is one word, so it travels as the callback's data.
      let ready: @convention(c) (gpointer?, OpaquePointer, gpointer) -> Void = { _, result, data in
        g_object_ref(UnsafeMutableRawPointer(result))
        unsafeBitCast(data, to: UnsafeContinuation<AsyncResult, Never>.self)
          .resume(returning: AsyncResult(pointer: result))
      }
      start(
        unsafeBitCast(ready, to: GAsyncReadyCallback.self), unsafeBitCast(continuation, to: gpointer.self))
    }
  } onCancel: {
    cancellable.cancel()
  }
}
