import CGLib
import GLibSupport
import Glibc
import LoginCore

/// The body of an answer. If it is not complete, reading it throws.
///
/// Libsoup takes a chunked body that breaks off, or that goes on with bytes that are not a chunk, for a complete one. So
/// such a body is read below libsoup's own decoder, and its connection is not used again.
@GLibActor
final class AnswerBody {
  private let stream: ByteStream
  private let cancellable: Cancellable
  private let promisedLength: Int?
  private var chunks: (coding: ChunkedCoding, source: ByteStream)?
  private var received = 0

  /// `stream` is libsoup's stream of the decoded body.
  init(of request: SoupRequest, _ stream: ByteStream, _ cancellable: Cancellable) throws(ExchangeError) {
    (self.stream, self.cancellable) = (stream, cancellable)
    promisedLength = request.promisedLength
    // Libsoup has read the body already if it might have repeated the request with a password or over another connection.
    guard request.isChunked, ![401, 407, 421].contains(request.status) else { return }
    // The stream of the body is around the decoder, and the decoder is around the connection's stream.
    guard let decoder = stream.base, decoder.typeName == "SoupBodyInputStream", let source = decoder.base
    else {
      throw .other(.defect("libsoup \(stream.base?.typeName ?? "")"))
    }
    chunks = (ChunkedCoding(), source)
  }

  /// Returns the next bytes, at most `count`, or an empty array at the end.
  func next(_ count: Int) async throws(GLibError) -> [UInt8] {
    let bytes = try await chunks == nil ? stream.read(count, cancellable) : content(count)
    received += bytes.count
    if bytes.isEmpty, let promisedLength, received < promisedLength { throw .brokenOff }
    return bytes
  }

  /// Returns the content of the next chunks.
  private func content(_ count: Int) async throws(GLibError) -> [UInt8] {
    while let chunks, !chunks.coding.isComplete {
      if chunks.coding.isBroken { throw .notAChunk }
      let bytes = try await chunks.source.read(count, cancellable)
      if bytes.isEmpty { throw .brokenOff }
      if let content = self.chunks?.coding.decode(bytes), !content.isEmpty { return content }
    }
    await Self.close(stream, cancellable)
    return []
  }

  /// Closes libsoup's stream and the connection. The rest of the body is lost. Without the cancellation, libsoup would read
  /// the body to its end, however long it is, and keep the connection.
  static func close(_ stream: ByteStream, _ cancellable: Cancellable) async {
    cancellable.cancel()
    await stream.close(cancellable)
  }
}

extension GLibError {
  fileprivate static var brokenOff: GLibError { GLibError(io: G_IO_ERROR_PARTIAL_INPUT, "broken off") }
  fileprivate static var notAChunk: GLibError { GLibError(io: G_IO_ERROR_INVALID_DATA, "not a chunk") }
}

/// Removes the chunked transfer coding (RFC 9112 section 7.1), piece by piece.
struct ChunkedCoding {
  private enum State: Equatable {
    /// The line with the size of a chunk, as far as it has arrived.
    case size([UInt8])
    /// So many bytes of the chunk are still to come, and then a line break.
    case content(Int)
    /// The rest of the line break after a chunk.
    case lineBreak([UInt8])
    /// The last chunk has arrived. A trailer may follow, which says nothing about the body.
    case complete
    /// There were bytes that are not a chunk.
    case broken
  }

  private var state = State.size([])

  /// Chunks have short extensions, if any.
  private static let longestLine = 4_096

  /// True once the last chunk has arrived.
  var isComplete: Bool { state == .complete }

  /// True once there were bytes that are not a chunk. The content before them has been returned.
  var isBroken: Bool { state == .broken }

  /// Returns the content in the next bytes of a body, as far as they are chunks.
  mutating func decode(_ bytes: [UInt8]) -> [UInt8] {
    var content: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.first {
      switch state {
      case .complete, .broken: return content
      case .content(let count):
        content += rest.prefix(count)
        state = count > rest.count ? .content(count - rest.count) : .lineBreak([])
        rest = rest.dropFirst(count)
      case .lineBreak(let line):
        rest = rest.dropFirst()
        if byte == Self.lineBreak[line.count] {
          state = line.isEmpty ? .lineBreak([byte]) : .size([])
        } else {
          state = .broken
        }
      case .size(let line):
        rest = rest.dropFirst()
        if byte != Self.lineBreak[1] {
          state = line.count < Self.longestLine ? .size(line + [byte]) : .broken
        } else {
          state = Self.size(line).map { $0 == 0 ? .complete : .content($0) } ?? .broken
        }
      }
    }
    return content
  }

  /// Reads the line before a chunk, without its line feed: hexadecimal digits, and extensions after a semicolon. Some
  /// servers fill it up with spaces.
  private static func size(_ line: [UInt8]) -> Int? {
    guard line.last == lineBreak[0] else { return nil }
    let digits = line.prefix { isxdigit(Int32($0)) != 0 }
    let tail = line[digits.count...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    guard tail.count == 1 || tail.first == UInt8(ascii: ";") else { return nil }
    return Int(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  private static let lineBreak = Array("\r\n".utf8)
}
