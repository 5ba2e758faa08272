/// `application/x-www-form-urlencoded`: written as in RFC 6749 appendix B, read as in section 5.1 of the URL Standard.
package enum FormEncoding {
  /// Encodes one name or value. A space becomes `%20`, which every decoder understands, unlike `+`.
  package static func encode(_ text: some StringProtocol) -> String {
    PercentEncoding.encode(text) { $0.isUnreserved }
  }

  /// Encodes a whole list of parameters.
  package static func encode(_ parameters: [Parameter]) -> String {
    parameters.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
  }
}

/// Reading, in one pass and with at most one allocation for each name or value.
extension FormEncoding {
  /// The position of a name or a value in an encoded form.
  struct Piece {
    let start: Int
    let end: Int
    /// True if decoding would not change the piece.
    let isPlain: Bool

    /// Finds the piece that begins at `start` and ends at the next `&`. In a query it also ends at a `#`, and a name ends
    /// at a `=`.
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

    /// The value of a parameter that consists of a name only.
    var emptyEnd: Piece { Piece(start: end, end: end, isPlain: true) }
  }

  /// Decodes a name or a value: `+` is a space, a `%` that begins no escape stays, and broken UTF-8 becomes U+FFFD.
  ///
  /// `scratch` is only storage. Pass the same array to many calls to save an allocation each time.
  static func decode(_ piece: Piece, of all: Span<UInt8>, scratch: inout [UInt8]) -> String {
    let bytes = all.extracting(piece.start..<piece.end)
    if piece.isPlain, let utf8 = try? UTF8Span(validating: bytes) { return String(copying: utf8) }
    if scratch.isEmpty { scratch.reserveCapacity(all.count) }
    scratch.removeAll(keepingCapacity: true)
    unescape(bytes, into: &scratch)
    return String(decoding: scratch, as: UTF8.self)
  }

  private static func unescape(_ bytes: Span<UInt8>, into decoded: inout [UInt8]) {
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
