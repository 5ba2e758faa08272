import CGLib
import Glibc

/// Writes to a descriptor without blocking the main loop, whether or not the descriptor itself would block: it is
/// shared with other programs, so its mode is not ours to change.
@GLibActor
public final class DescriptorWriter {
  private let descriptor: Int32

  /// A pipe that `poll` calls writable takes at least this much at once (POSIX, `PIPE_BUF`).
  private static let piece = 4_096

  /// Writes to `descriptor`, which stays the caller's to close.
  public init(descriptor: Int32) { self.descriptor = descriptor }

  /// Writes all of it, unless the task is cancelled while there is no room for it.
  public func write(_ bytes: [UInt8]) async throws(SystemError) {
    var start = 0
    while start < bytes.count {
      if !isWritable() {
        await Source.untilCalled { .writable(descriptor, $0) }
        if Task.isCancelled { throw SystemError(code: ECANCELED) }
      }
      let count = min(Self.piece, bytes.count - start)
      let written = bytes[start..<(start + count)].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if written > 0 {
        start += written
      } else if written == 0 || (errno != EINTR && errno != EAGAIN) {
        throw SystemError(code: errno)
      }
    }
  }

  private func isWritable() -> Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&state, 1, 0) != 0
  }
}
