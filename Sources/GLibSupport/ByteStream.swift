import CGLib

/// A stream of GIO that is read without blocking the main loop.
@GLibActor
package final class ByteStream {
  private let pointer: UnsafeMutablePointer<GInputStream>

  /// Takes over the reference to a stream.
  package init(adopting stream: UnsafeMutablePointer<GInputStream>) { pointer = stream }

  isolated deinit { g_object_unref(pointer) }

  /// The next bytes, at most `count`; none at the end.
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

  /// Gives up what has not been read.
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
  /// The bytes of a `GBytes`, to which it gives up the reference; none without one.
  package init(consuming bytes: OpaquePointer?) {
    var length: gsize = 0
    let data = bytes.flatMap { g_bytes_get_data($0, &length) }
    self.init(UnsafeRawBufferPointer(start: data, count: Int(length)))
    g_bytes_unref(bytes)
  }
}
