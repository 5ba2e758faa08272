/// The line that a user types or pastes at a terminal which passes every key on.
struct LineEditor {
  private var line: [UInt8] = []

  /// What a key comes to.
  enum Event: Equatable {
    /// The line is complete.
    case line([UInt8])
    /// There will be no line.
    case end
  }

  /// One byte more than any answer has is kept as the evidence that it is too long.
  private let limit: Int

  init(limit: Int) { self.limit = limit + 1 }

  /// Takes a key.
  mutating func take(_ byte: UInt8) -> Event? {
    switch byte {
    case 0x0A, 0x0D:
      defer { line = [] }
      return .line(line)
    case 0x04: return line.isEmpty ? .end : nil
    case 0x08, 0x7F: _ = line.popLast()
    case 0x15: line = []
    default: if line.count < limit { line.append(byte) }
    }
    return nil
  }
}
