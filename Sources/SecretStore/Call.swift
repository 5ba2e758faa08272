import CGLib
import CSecret
import GLibSupport
import LoginCore

/// One asynchronous call of libsecret that has come to an end, however it ended.
@GLibActor
final class Call {
  private let result: AsyncResult

  /// Starts the call and waits; cancelling the task cancels it.
  init(_ start: (UnsafeMutablePointer<GCancellable>, GAsyncReadyCallback, gpointer) -> Void) async {
    let cancellable = Cancellable()
    result = await asyncCall(cancellable) { ready, data in start(cancellable.pointer, ready, data) }
  }

  isolated deinit { g_object_unref(UnsafeMutableRawPointer(result.pointer)) }

  /// What the matching `…_finish` function returns.
  func finish<Value>(
    _ body: (OpaquePointer, inout UnsafeMutablePointer<GError>?) -> Value
  ) throws(Failure) -> Value {
    var error: UnsafeMutablePointer<GError>?
    let value = body(result.pointer, &error)
    if let error { throw Self.failure(error) }
    return value
  }

  /// What an error of libsecret, which is released, comes to.
  static func failure(_ pointer: UnsafeMutablePointer<GError>) -> Failure {
    // The name of an error on the bus says nothing to a person.
    g_dbus_error_strip_remote_error(pointer)
    let error = GLibError(consuming: pointer)
    switch (error.domain, error.code) {
    case (secret_error_get_quark(), Int32(SECRET_ERROR_IS_LOCKED.rawValue)): return .store(.locked)
    case (g_io_error_quark(), Int32(G_IO_ERROR_CANCELLED.rawValue)):
      return .user(.cancelled(.task))
    default: return .store(.unavailable(KnownSessionBus.isThere ? .keyring(error.message) : .noMessageBus))
    }
  }
}
