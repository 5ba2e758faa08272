import CGLib
import GLibSupport

/// What follows the head of an answer.
@GLibActor
final class BodyStream {
  private let pointer: UnsafeMutablePointer<GInputStream>

  /// Takes over the reference to a stream.
  init(adopting stream: UnsafeMutablePointer<GInputStream>) { pointer = stream }

  isolated deinit { g_object_unref(pointer) }

  /// The next bytes, at most `count`; none at the end.
  func read(_ count: Int, _ cancellable: Cancellable) async throws(GLibError) -> [UInt8] {
    let pointer = self.pointer
    let result = await asyncCall(cancellable) { ready, data in
      g_input_stream_read_bytes_async(
        pointer, gsize(count), G_PRIORITY_DEFAULT, cancellable.pointer, ready, data)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(result.pointer)) }
    var error: UnsafeMutablePointer<GError>?
    let bytes = g_input_stream_read_bytes_finish(pointer, result.pointer, &error)
    if let error { throw GLibError(consuming: error) }
    defer { g_bytes_unref(bytes) }
    var length: gsize = 0
    let data = g_bytes_get_data(bytes, &length)
    return Array(UnsafeRawBufferPointer(start: data, count: Int(length)))
  }

  /// Gives up what has not been read.
  func close(_ cancellable: Cancellable) async {
    let pointer = self.pointer
    let result = await asyncCall(cancellable) { ready, data in
      g_input_stream_close_async(pointer, G_PRIORITY_DEFAULT, cancellable.pointer, ready, data)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(result.pointer)) }
    g_input_stream_close_finish(pointer, result.pointer, nil)
  }
}
