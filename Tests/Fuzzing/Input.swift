@testable import LoginCore

/// An input of several parts. All but the last are lines, so that seeds can be read and written by hand.
struct Input {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// Takes the next line.
  mutating func line() -> [UInt8] {
    let line = rest.prefix { $0 != 0x0A }
    rest = rest.dropFirst(line.count + 1)
    return Array(line)
  }

  /// Takes the next line as text.
  mutating func text() -> String { line().text }

  /// The rest of the input.
  var remainder: [UInt8] { Array(rest) }
}

extension [UInt8] {
  /// The bytes as text, with U+FFFD for broken UTF-8.
  var text: String { String(decoding: self, as: UTF8.self) }

  /// Returns the bytes with every occurrence of `part` replaced.
  func with(_ other: String, for part: String) -> [UInt8] {
    var (bytes, rest) = ([UInt8](), self[...])
    while let byte = rest.first {
      let isThere = rest.starts(with: part.utf8)
      if isThere { bytes += other.utf8 } else { bytes.append(byte) }
      rest = rest.dropFirst(isThere ? part.utf8.count : 1)
    }
    return bytes
  }
}

extension StringProtocol {
  /// The text in UTF-8.
  var bytes: [UInt8] { Array(utf8) }
}

/// True if `part` occurs in the text, byte for byte.
func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
  if part.isEmpty { return true }
  if part.count > text.count { return false }
  return text.withUnsafeBytes { text in
    part.withUnsafeBytes { part in
      (0...text.count - part.count).contains { start in
        text[start] == part[0] && text[start..<start + part.count].elementsEqual(part)
      }
    }
  }
}

extension String {
  /// True if `part` occurs in the text, byte for byte. `contains` compares whole characters and would miss combined ones.
  func has(_ part: some StringProtocol) -> Bool { FuzzingTests.contains(bytes, part.bytes) }
}

/// Returns a text of `count` pieces.
func pieces(_ count: Int, from start: String = "", to end: String = "", _ piece: (Int) -> String) -> [UInt8] {
  (start + (0..<count).map(piece).joined() + end).bytes
}

/// Returns a text of `count` elements with commas between them.
func elements(_ count: Int, from start: String, to end: String, _ element: (Int) -> String) -> [UInt8] {
  (start + (0..<count).map(element).joined(separator: ",") + end).bytes
}
