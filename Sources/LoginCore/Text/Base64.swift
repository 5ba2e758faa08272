/// The encodings of RFC 4648 that OAuth uses.
package enum Base64 {
  private static let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let urlSafe = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// RFC 4648 section 4, padded.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    let digits = encode(bytes, alphabet: standard)
    return digits + String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
  }

  /// RFC 4648 section 5 without padding: the form of RFC 7636 and of every JOSE value.
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
}
