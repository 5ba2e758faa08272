import Glibc

/// Reads a descriptor without blocking the main loop, whether or not the descriptor itself would block: it is shared with
/// other programs, so its mode is not ours to change.
///
/// GIO's streams do the same. To load GIO takes longer than a helper needs for everything else.
@GLibActor
public final class DescriptorReader {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var start = 0
  private var ended = false

  private static let chunk = 64 * 1_024

  /// Reads from `descriptor`, which stays the caller's to close.
  public init(descriptor: Int32) { self.descriptor = descriptor }

  /// The next line without its line feed, or nothing at the end.
  ///
  /// Of a line longer than `limit` only that many bytes are kept, so that no input can fill the memory.
  public func line(keeping limit: Int) async throws(SystemError) -> [UInt8]? {
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

  /// Everything up to the end, or nothing if that is more than `limit` bytes.
  public func all(upTo limit: Int) async throws(SystemError) -> [UInt8]? {
    var bytes: [UInt8] = []
    repeat {
      bytes.append(contentsOf: buffer[start...])
      start = buffer.count
      if bytes.count > limit { return nil }
    } while try await fill()
    return bytes
  }

  /// Replaces the buffer, which has been used up, by what can be read next; false at the end.
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
