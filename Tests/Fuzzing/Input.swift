@testable import LoginCore

/// An input that has several parts, in lines, so that seeds can be read and written by hand. The last part is the rest,
/// whatever is in it.
struct Input {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// The next line.
  mutating func line() -> [UInt8] {
    let line = rest.prefix { $0 != 0x0A }
    rest = rest.dropFirst(line.count + 1)
    return Array(line)
  }

  /// The next line as text.
  mutating func text() -> String { line().text }

  /// All that is left.
  var remainder: [UInt8] { Array(rest) }
}

extension [UInt8] {
  /// As text, with U+FFFD for what is none.
  var text: String { String(decoding: self, as: UTF8.self) }

  /// The bytes with others in every place of a part of them.
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
  /// The bytes in UTF-8.
  var bytes: [UInt8] { Array(utf8) }
}

/// Whether a part is somewhere in a text, byte for byte.
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
  /// Whether a part is somewhere in it, byte for byte: characters that belong together hide what they are made of.
  func has(_ part: some StringProtocol) -> Bool { Fuzzing.contains(bytes, part.bytes) }
}

/// The text of many pieces of different names, to see how a reader grows with them.
func pieces(_ count: Int, from start: String = "", to end: String = "", _ piece: (Int) -> String) -> [UInt8] {
  (start + (0..<count).map(piece).joined() + end).bytes
}

/// A list in JSON, and what is around it.
func elements(_ count: Int, from start: String, to end: String, _ element: (Int) -> String) -> [UInt8] {
  (start + (0..<count).map(element).joined(separator: ",") + end).bytes
}
