/// The encodings of RFC 4648 that OAuth uses.
package enum Base64 {
  private static let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let urlSafe = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// Encodes with padding (RFC 4648 section 4).
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    let digits = encode(bytes, alphabet: standard)
    return digits + String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
  }

  /// Encodes without padding (RFC 4648 section 5), as RFC 7636 and JOSE require.
  package static func encodeURLSafe(_ bytes: some Sequence<UInt8>) -> String {
    encode(bytes, alphabet: urlSafe)
  }

  private static func encode(_ bytes: some Sequence<UInt8>, alphabet: [UInt8]) -> String {
    var digits: [UInt8] = []
    var buffer: UInt32 = 0
    var bits = 0
    for byte in bytes {
      buffer = buffer << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        digits.append(alphabet[Int(buffer >> UInt32(bits) & 0x3F)])
      }
    }
    if bits > 0 { digits.append(alphabet[Int(buffer << UInt32(6 - bits) & 0x3F)]) }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Decodes exactly what ``encodeURLSafe(_:)`` writes: no padding, no other characters and no stray bits after the last
  /// byte. No two texts decode to the same bytes (RFC 7515 section 2).
  package static func decodeURLSafe(_ text: some StringProtocol) -> [UInt8]? {
    let digits = text.utf8
    guard digits.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3 + 2)
    var buffer: UInt32 = 0
    var bits = 0
    for digit in digits {
      guard let value = urlSafeValue(digit) else { return nil }
      buffer = buffer << 6 | value
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(buffer >> UInt32(bits) & 0xFF))
      }
    }
    return buffer & (1 << UInt32(bits) - 1) == 0 ? bytes : nil
  }

  private static func urlSafeValue(_ digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
