import CGLib

/// Starts an `…_async` function and waits for its result. Cancelling the task cancels the call.
///
/// The caller passes the result to the matching `…_finish` function and then releases it.
@GLibActor
package func asyncCall(
  _ cancellable: Cancellable, _ start: (GAsyncReadyCallback, gpointer) -> Void
) async -> AsyncResult {
  await withTaskCancellationHandler {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<AsyncResult, Never>) in
      // An unsafe continuation is one word, so it can be the callback's data.
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

/// The result of an asynchronous call of GIO.
package struct AsyncResult: @unchecked Sendable {  // callback and task are both on the main loop's thread
  /// The `GAsyncResult`, which the receiver releases.
  package let pointer: OpaquePointer
}

/// Cancels asynchronous calls of GIO.
package final class Cancellable: Sendable {
  package nonisolated(unsafe) let pointer: UnsafeMutablePointer<GCancellable>  // GCancellable is thread-safe

  package init() { pointer = g_cancellable_new() }
  deinit { g_object_unref(pointer) }

  /// Ends the calls that use it. This can be called on any thread.
  package func cancel() { g_cancellable_cancel(pointer) }
}

/// Cancels asynchronous calls that take too long altogether.
@GLibActor
package final class Deadline {
  /// True if the deadline ended the calls.
  package private(set) var hasPassed = false
  private var timer: Source?

  /// Cancels `cancellable` after `duration`, unless this object is released earlier. If `isHeldUp` returns true at that
  /// moment, the calls get the same time again.
  package init(
    after duration: Duration, cancelling cancellable: Cancellable,
    unless isHeldUp: @escaping @GLibActor () -> Bool = { false }
  ) {
    timer = Source.every(duration) { [weak self] in
      if isHeldUp() { return }
      self?.hasPassed = true
      cancellable.cancel()
    }
  }
}

/// A `GError`.
package struct GLibError: Error, Sendable {
  /// The error domain, which the code belongs to.
  package let domain: GQuark
  package let code: Int32
  /// The error in words, in the language of the process.
  package let message: String

  /// An error of our own that looks like one of GIO.
  package init(io code: GIOErrorEnum, _ message: String) {
    domain = g_io_error_quark()
    self.code = Int32(bitPattern: code.rawValue)
    self.message = message
  }

  /// Takes over an error that a C function has returned, and frees it.
  package init(consuming error: UnsafeMutablePointer<GError>) {
    domain = error.pointee.domain
    code = error.pointee.code
    message = String(cString: error.pointee.message)
    g_error_free(error)
  }
}

/// A `GInputStream` that is read without blocking the main loop.
@GLibActor
package final class ByteStream {
  private let pointer: UnsafeMutablePointer<GInputStream>
  private var instance: UnsafeMutablePointer<GTypeInstance> {
    UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GTypeInstance.self)
  }

  /// Takes over the reference to a stream.
  package init(adopting stream: UnsafeMutablePointer<GInputStream>) { pointer = stream }

  isolated deinit { g_object_unref(pointer) }

  /// Returns the next bytes, at most `count`, or an empty array at the end.
  package func read(_ count: Int, _ cancellable: Cancellable) async throws(GLibError) -> [UInt8] {
    let pointer = self.pointer
    let result = await asyncCall(cancellable) { ready, data in
      g_input_stream_read_bytes_async(
        pointer, gsize(count), G_PRIORITY_DEFAULT, cancellable.pointer, ready, data)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(result.pointer)) }
    var error: UnsafeMutablePointer<GError>?
    let bytes = g_input_stream_read_bytes_finish(pointer, result.pointer, &error)
    if let error { throw GLibError(consuming: error) }
    return [UInt8](consuming: bytes)
  }

  /// The stream from which this one reads, if it changes the bytes of another one.
  package var base: ByteStream? {
    guard g_type_check_instance_is_a(instance, g_filter_input_stream_get_type()) != 0 else { return nil }
    let filter = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GFilterInputStream.self)
    guard let base = g_filter_input_stream_get_base_stream(filter) else { return nil }
    g_object_ref(base)
    return ByteStream(adopting: base)
  }

  /// The name of the class.
  package var typeName: String { g_type_name_from_instance(instance).map { String(cString: $0) } ?? "" }

  /// Closes the stream. Unread bytes are lost.
  package func close(_ cancellable: Cancellable) async {
    let pointer = self.pointer
    let result = await asyncCall(cancellable) { ready, data in
      g_input_stream_close_async(pointer, G_PRIORITY_DEFAULT, cancellable.pointer, ready, data)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(result.pointer)) }
    g_input_stream_close_finish(pointer, result.pointer, nil)
  }
}

extension [UInt8] {
  /// Copies the bytes of a `GBytes` and releases it. Nil gives an empty array.
  package init(consuming bytes: OpaquePointer?) {
    var length: gsize = 0
    let data = bytes.flatMap { g_bytes_get_data($0, &length) }
    self.init(UnsafeRawBufferPointer(start: data, count: Int(length)))
    g_bytes_unref(bytes)
  }
}
