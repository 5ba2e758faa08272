/// `application/x-www-form-urlencoded`: written as RFC 6749 appendix B, read as section 5.1 of the URL Standard.
package enum FormEncoding {
  /// One name or value. A space becomes `%20`, which every decoder understands, unlike `+`.
  package static func encode(_ text: some StringProtocol) -> String {
    PercentEncoding.encode(text) { $0.isUnreserved }
  }

  /// A whole list of parameters.
  package static func encode(_ parameters: [Parameter]) -> String {
    parameters.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
  }
}

/// Reading, in one pass and with one allocation for each text that is not short. What looks at every byte is fast also in
/// a program that is built to be small, in which it would otherwise take a quarter more time.
extension FormEncoding {
  /// Where a name or a value is, and whether it is its own decoded form.
  struct Piece {
    let start: Int
    let end: Int
    let isPlain: Bool

    /// The piece that begins at `start` and ends before the next `&`; a piece of a query also before a `#`, and
    /// a name also before a `=`.
    @_optimize(speed)
    init(of bytes: Span<UInt8>, from start: Int, isQuery: Bool, isName: Bool) {
      var isPlain = true
      var index = start
      scan: while index < bytes.count {
        switch bytes[index] {
        case UInt8(ascii: "&"): break scan
        case UInt8(ascii: "#") where isQuery: break scan
        case UInt8(ascii: "=") where isName: break scan
        case UInt8(ascii: "%"), UInt8(ascii: "+"): isPlain = false
        default: break
        }
        index += 1
      }
      self.init(start: start, end: index, isPlain: isPlain)
    }

    private init(start: Int, end: Int, isPlain: Bool) {
      self.start = start
      self.end = end
      self.isPlain = isPlain
    }

    /// The value of a parameter that is a name alone.
    var emptyEnd: Piece { Piece(start: end, end: end, isPlain: true) }
  }

  /// A name or a value: `+` is a space, a `%` that begins no escape stays, broken UTF-8 becomes U+FFFD.
  ///
  /// `scratch` is only storage: handing the same array to many calls spares an allocation for each.
  @_optimize(speed)
  static func decode(_ piece: Piece, of all: Span<UInt8>, scratch: inout [UInt8]) -> String {
    let bytes = all.extracting(piece.start..<piece.end)
    if piece.isPlain, let utf8 = try? UTF8Span(validating: bytes) { return String(copying: utf8) }
    if scratch.isEmpty { scratch.reserveCapacity(all.count) }
    scratch.removeAll(keepingCapacity: true)
    scratch.append(addingCapacity: bytes.count) { unescape(bytes, into: &$0) }
    return String(decoding: scratch, as: UTF8.self)
  }

  @_optimize(speed)
  private static func unescape(_ bytes: Span<UInt8>, into decoded: inout OutputSpan<UInt8>) {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "%"), let escaped = PercentEncoding.escapedByte(bytes, at: index) {
        decoded.append(escaped)
        index += 2
      } else {
        decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
  }
}
