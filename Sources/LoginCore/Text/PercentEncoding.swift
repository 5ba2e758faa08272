/// Percent-encoding (RFC 3986 section 2.1).
package enum PercentEncoding {
  /// How to decode a `%` that two hexadecimal digits do not follow.
  package enum BrokenEscapes {
    /// Decoding returns nil.
    case refused
    /// The `%` stands for itself (URL Standard section 1.3).
    case kept
  }

  /// Returns the decoded bytes of a text.
  package static func decode(_ text: String, brokenEscapes: BrokenEscapes) -> [UInt8]? {
    let encoded = Array(text.utf8)
    var decoded: [UInt8] = []
    decoded.reserveCapacity(encoded.count)
    var index = 0
    while index < encoded.count {
      let byte = encoded[index]
      index += 1
      if byte != UInt8(ascii: "%") {
        decoded.append(byte)
      } else if let escaped = escapedByte(encoded.span, at: index) {
        decoded.append(escaped)
        index += 2
      } else if brokenEscapes == .kept {
        decoded.append(byte)
      } else {
        return nil
      }
    }
    return decoded
  }

  /// Returns the byte that the two hexadecimal digits at `index`, right after a `%`, stand for.
  @inline(__always)
  package static func escapedByte(_ bytes: Span<UInt8>, at index: Int) -> UInt8? {
    guard index + 1 < bytes.count, let high = bytes[index].hexadecimalValue,
      let low = bytes[index + 1].hexadecimalValue
    else { return nil }
    return high << 4 | low
  }

  /// Returns the address with `%25` for every `%` that begins no escape, for libraries that reject a bare `%`.
  package static func complete(_ uri: String) -> String {
    let bytes = Array(uri.utf8)
    var whole: [UInt8] = []
    whole.reserveCapacity(bytes.count)
    for index in bytes.indices {
      whole.append(bytes[index])
      if bytes[index] == UInt8(ascii: "%"), escapedByte(bytes.span, at: index + 1) == nil {
        whole += "25".utf8
      }
    }
    return String(decoding: whole, as: UTF8.self)
  }

  /// Returns a query in which every character is escaped that RFC 3986 section 3.4 does not allow there, and the apostrophe,
  /// which web engines escape. Browsers send some of them as they are.
  package static func strict(query: String) -> String {
    encode(complete(query)) { $0.isUnreserved || "!$&()*+,;=:@/?%".utf8.contains($0) }
  }

  /// Returns the address with unnecessary escapes decoded and all others in upper case (RFC 3986 sections 6.2.2.1 and
  /// 6.2.2.2).
  package static func normalize(_ uri: [UInt8]) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(uri.count)
    var index = 0
    while index < uri.count {
      if uri[index] == UInt8(ascii: "%"), let byte = escapedByte(uri.span, at: index + 1) {
        plain += byte.isUnreserved ? [byte] : [UInt8(ascii: "%")] + byte.hexadecimalDigits
        index += 3
      } else {
        plain.append(uri[index])
        index += 1
      }
    }
    return plain
  }

  /// Returns the text with every byte escaped that is not plain.
  package static func encode(_ text: some StringProtocol, where isPlain: (UInt8) -> Bool) -> String {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isPlain(byte) {
        encoded.append(byte)
      } else {
        encoded.append(UInt8(ascii: "%"))
        encoded.append(contentsOf: byte.hexadecimalDigits)
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Returns a file name for the text. Letters, digits and `marks` stay as they are, except a dot at the beginning. Two
  /// different texts never get the same name.
  package static func fileName(of text: String, keeping marks: String) -> String {
    let name = encode(text) { $0.isLetter || $0.isDigit || marks.utf8.contains($0) }
    return name.hasPrefix(".") ? "%2E" + name.dropFirst() : name
  }
}
