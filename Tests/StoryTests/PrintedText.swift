/// What a command printed, as lines that can be shown and compared without harm.
///
/// Control and format characters and bytes that are no UTF-8 become `\x1b` or `\u{202e}`, so none of them can
/// pass for something else; a last line without a line feed ends in ` (no-eol)`.
struct PrintedText: Equatable, Sendable {
  /// The mark of a last line without a line feed.
  static let unterminated = " (no-eol)"

  let lines: [String]

  init(_ bytes: [UInt8]) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Self.shown)
    let last = lines.removeLast()
    if !last.isEmpty { lines.append(last + Self.unterminated) }
    self.lines = lines
  }

  private static func shown(_ line: ArraySlice<UInt8>) -> String {
    guard let text = String(validating: line, as: UTF8.self) else {
      return line.map { (0x20..<0x7F).contains($0) ? String(UnicodeScalar($0)) : hexadecimal($0) }.joined()
    }
    return text.unicodeScalars.map(shown).joined()
  }

  private static func shown(_ scalar: Unicode.Scalar) -> String {
    switch scalar.properties.generalCategory {
    case .control where scalar.value < 0x80: hexadecimal(UInt8(scalar.value))
    case .control, .format: "\\u{\(String(scalar.value, radix: 16))}"
    default: String(scalar)
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "\\x0" : "\\x") + String(byte, radix: 16)
  }
}
