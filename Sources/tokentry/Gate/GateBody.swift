import GLibSupport
import LoginCore

/// The body of a request to a gate, which is read as it comes.
@GLibActor
final class GateBody {
  private enum State {
    /// So many bytes are left.
    case content(Int)
    /// So many bytes of a chunk are left, and then a line end.
    case chunk(Int)
    case nextChunk
    case end
  }

  private let reader: DescriptorReader
  private var state: State
  /// The length, if it is known.
  let length: Int?

  private static let piece = 64 * 1_024
  /// Chunks have short extensions, if any.
  private static let longestLine = 4_096

  init(_ body: GateRequest.Body, _ reader: DescriptorReader) {
    self.reader = reader
    switch body {
    case .none: (state, length) = (.end, 0)
    case .length(let count): (state, length) = (.content(count), count)
    case .chunks: (state, length) = (.nextChunk, nil)
    }
  }

  /// True once all of it has been read.
  var isComplete: Bool { if case .end = state { true } else { false } }

  /// Returns the next bytes, or an empty array at the end.
  func next() async throws(GateRefusal) -> [UInt8] {
    while true {
      switch state {
      case .end: return []
      case .content(let left):
        let bytes = try await read(left)
        state = left == bytes.count ? .end : .content(left - bytes.count)
        return bytes
      case .chunk(0):
        guard try await line() == "" else { throw .malformed("a chunk is longer than its size") }
        state = .nextChunk
      case .chunk(let left):
        let bytes = try await read(left)
        state = .chunk(left - bytes.count)
        return bytes
      case .nextChunk:
        let size = try await size()
        if size > 0 {
          state = .chunk(size)
          continue
        }
        // Fields after the body would come after the decision about the request.
        guard try await line() == "" else { throw .malformed("a gate does not pass on trailers") }
        state = .end
      }
    }
  }

  /// Reads all of it.
  func all() async throws(GateRefusal) -> [UInt8] {
    var all: [UInt8] = []
    while case let bytes = try await next(), !bytes.isEmpty { all += bytes }
    return all
  }

  private func read(_ count: Int) async throws(GateRefusal) -> [UInt8] {
    guard let bytes = try? await reader.bytes(upTo: min(count, Self.piece)), !bytes.isEmpty else {
      throw .malformed("the body has broken off")
    }
    return bytes
  }

  /// Reads the line before a chunk (RFC 9112 section 7.1).
  private func size() async throws(GateRefusal) -> Int {
    let digits = try await line().splitOnce(at: ";").0
    guard !digits.isEmpty, digits.utf8.count < 16, digits.utf8.allSatisfy({ $0.hexadecimalValue != nil }),
      let size = Int(digits, radix: 16)
    else { throw .malformed("the size of a chunk is not a number") }
    return size
  }

  private func line() async throws(GateRefusal) -> String {
    guard let line = try? await reader.terminatedLine(upTo: Self.longestLine), line.last == 0x0D,
      !line.dropLast().contains(0x0D), let text = String(validating: line.dropLast(), as: UTF8.self)
    else { throw .malformed("a chunk has no line of its own") }
    return text
  }
}
