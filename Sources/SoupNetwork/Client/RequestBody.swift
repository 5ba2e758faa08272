import CGLib
import CSoup
import GLibSupport
import Glibc
import LoginCore

/// What is sent along with a request.
public enum RequestBody: Sendable {
  /// Bytes that are there already.
  case bytes([UInt8])
  /// What can be read from a descriptor from where it is now; it stays the caller's to close.
  case descriptor(Int32)

  /// Hands the body to libsoup, which reads a descriptor only as fast as it can send.
  @GLibActor
  func attach(to message: OpaquePointer) {
    switch self {
    case .bytes(let bytes):
      let body = g_bytes_new(bytes, gsize(bytes.count))
      soup_message_set_request_body_from_bytes(message, nil, body)
      g_bytes_unref(body)
    case .descriptor(let descriptor):
      let stream = g_unix_input_stream_new(descriptor, 0)
      soup_message_set_request_body(message, nil, stream, Self.rest(of: descriptor).map { gssize($0) } ?? -1)
      g_object_unref(stream)
    }
  }

  /// Whether more of it is to come, and not there yet.
  var isAwaited: Bool {
    guard case .descriptor(let descriptor) = self else { return false }
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, 0) == 0
  }

  /// How many bytes are left of a regular file. Of anything else nobody knows before the end, and such a body is
  /// sent in chunks (RFC 9112 section 7.1).
  private static func rest(of descriptor: Int32) -> Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return max(0, status.st_size - max(0, lseek(descriptor, 0, SEEK_CUR)))
  }
}
