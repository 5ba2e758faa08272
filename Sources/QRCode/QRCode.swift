import CQREncode

/// A QR code (ISO/IEC 18004) of a text, as dark and light modules.
public struct QRCode: Sendable {
  /// How many modules it has in a row, and how many rows, without the quiet zone around it.
  public let size: Int
  private let dark: [Bool]

  /// What libqrencode puts into the lowest bit of a dark module.
  private static let darkBit: UInt8 = 1

  /// Nothing for a text that no QR code can hold.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    size = Int(code.pointee.width)
    dark = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & Self.darkBit != 0 }
  }

  /// Whether a module is dark; everything around the code is light.
  public func isDark(row: Int, column: Int) -> Bool {
    guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
    return dark[row * size + column]
  }
}

/// For a terminal.
extension QRCode {
  /// ISO/IEC 18004 demands four modules of quiet around a code.
  private static let quietZone = 4
  /// Black on white, whatever the terminal's own colours are: readers want it this way round.
  private static let colours = "\u{1B}[30;107m"
  private static let ownColours = "\u{1B}[0m"

  /// The lines to print; each holds two rows of modules, so that they come out square.
  public var terminalLines: [String] {
    let range = -Self.quietZone..<size + Self.quietZone
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
      let modules = range.map { column in
        switch (isDark(row: row, column: column), isDark(row: row + 1, column: column)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }
      return Self.colours + modules.joined() + Self.ownColours
    }
  }
}
