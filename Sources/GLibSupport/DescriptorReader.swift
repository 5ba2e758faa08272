import CGLib

/// Reads a descriptor without blocking the main loop.
@GLibActor
public final class DescriptorReader {
  private let stream: ByteStream
  private var buffer: [UInt8] = []
  private var start = 0
  private var ended = false

  private static let chunk = 64 * 1_024

  /// Reads from `descriptor`, which stays the caller's to close.
  public init(descriptor: Int32) {
    stream = ByteStream(adopting: g_unix_input_stream_new(descriptor, 0))
  }

  /// The next line without its line feed, or nothing at the end.
  ///
  /// Of a line longer than `limit` only that many bytes are kept, so that no input can fill the memory.
  public func line(keeping limit: Int) async throws(GLibError) -> [UInt8]? {
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
  public func all(upTo limit: Int) async throws(GLibError) -> [UInt8]? {
    var bytes: [UInt8] = []
    repeat {
      bytes.append(contentsOf: buffer[start...])
      start = buffer.count
      if bytes.count > limit { return nil }
    } while try await fill()
    return bytes
  }

  /// Replaces the buffer, which has been used up, by what can be read next; false at the end.
  private func fill() async throws(GLibError) -> Bool {
    if ended { return false }
    buffer = try await stream.read(Self.chunk, Cancellable())
    start = 0
    ended = buffer.isEmpty
    return !ended
  }
}
