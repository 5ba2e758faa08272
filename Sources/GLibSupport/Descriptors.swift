import Glibc

/// An error of a system call.
package struct SystemError: Error, Sendable {
  /// The code of `errno`.
  package let code: Int32
  /// The system's own words.
  package var message: String { String(cString: strerror(code)) }

  /// Creates the error for a code of `errno`, by default the code of the call that has just failed.
  package init(code: Int32 = errno) { self.code = code }
}

/// Reads a descriptor without blocking the main loop, even if the descriptor is in blocking mode. Other programs share
/// it, so its mode must not change.
///
/// GIO's streams can do the same, but loading GIO takes longer than the rest of a helper's work.
@GLibActor
package final class DescriptorReader {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var start = 0
  private var ended = false

  private static let chunk = 64 * 1_024

  /// Reads from `descriptor`, which the caller closes.
  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// Returns the next line without its line feed, or nil at the end.
  ///
  /// A line is cut after `limit` bytes, so that no input can fill the memory.
  package func line(keeping limit: Int) async throws(SystemError) -> [UInt8]? {
    var line: [UInt8] = []
    var sawAny = false
    while true {
      if start == buffer.count {
        if try await !fill() { return sawAny ? line : nil }
      }
      sawAny = true
      let end = buffer[start...].firstIndex(of: 0x0A)
      let room = max(0, limit - line.count)
      line.append(contentsOf: buffer[start..<(end ?? buffer.count)].prefix(room))
      start = end.map { $0 + 1 } ?? buffer.count
      if end != nil { return line }
    }
  }

  /// Returns the next line without its line feed, or nil at the end. Bytes without a line feed at the end are no line.
  /// Throws `EMSGSIZE` if a line is longer than `limit` bytes.
  package func terminatedLine(upTo limit: Int) async throws(SystemError) -> [UInt8]? {
    var line: [UInt8] = []
    while true {
      if start == buffer.count, try await !fill() { return nil }
      let end = buffer[start...].firstIndex(of: 0x0A)
      line.append(contentsOf: buffer[start..<(end ?? buffer.count)])
      start = end.map { $0 + 1 } ?? buffer.count
      if line.count > limit { throw SystemError(code: EMSGSIZE) }
      if end != nil { return line }
    }
  }

  /// Returns the next bytes, at most `count`, or an empty array at the end.
  package func bytes(upTo count: Int) async throws(SystemError) -> [UInt8] {
    if start == buffer.count, try await !fill() { return [] }
    let end = min(start + count, buffer.count)
    defer { start = end }
    return Array(buffer[start..<end])
  }

  /// Returns everything up to the end, or nil if that is more than `limit` bytes.
  package func all(upTo limit: Int) async throws(SystemError) -> [UInt8]? {
    var bytes: [UInt8] = []
    repeat {
      bytes.append(contentsOf: buffer[start...])
      start = buffer.count
      if bytes.count > limit { return nil }
    } while try await fill()
    return bytes
  }

  /// Replaces the buffer by the next bytes. Returns false at the end.
  private func fill() async throws(SystemError) -> Bool {
    start = 0
    buffer = []
    while !ended, buffer.isEmpty {
      await Source.untilCalled { .readable(descriptor, $0) }
      if Task.isCancelled { throw SystemError(code: ECANCELED) }
      var code: Int32 = 0
      buffer = [UInt8](unsafeUninitializedCapacity: Self.chunk) { bytes, count in
        let read = Glibc.read(descriptor, bytes.baseAddress, bytes.count)
        if read < 0 { code = errno }
        count = max(0, read)
        ended = read == 0
      }
      if code != 0, code != EINTR, code != EAGAIN { throw SystemError(code: code) }
    }
    return !ended
  }
}

/// Writes to a descriptor without blocking the main loop, even if the descriptor is in blocking mode. Other programs
/// share it, so its mode must not change.
@GLibActor
package final class DescriptorWriter {
  private let descriptor: Int32
  private let piece: Int

  /// `PIPE_BUF` of POSIX: a pipe that `poll` calls writable takes at least this much without blocking.
  private static let safePiece = 4_096

  /// Writes to `descriptor`, which the caller closes. One that is ours alone never blocks, and takes larger pieces.
  package init(descriptor: Int32, isOurs: Bool = false) {
    self.descriptor = descriptor
    piece = isOurs ? .max : Self.safePiece
    if isOurs { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) }
  }

  /// Writes all bytes. Throws if the task is cancelled while there is no room for them.
  package func write(_ bytes: [UInt8]) async throws(SystemError) {
    var start = 0
    while start < bytes.count {
      if !isWritable() {
        await Source.untilCalled { .writable(descriptor, $0) }
        if Task.isCancelled { throw SystemError(code: ECANCELED) }
      }
      let count = min(piece, bytes.count - start)
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
