/// A QR code (ISO/IEC 18004) as a square of dark and light modules, without the quiet zone around it.
package struct CodePicture: Sendable, Equatable {
  /// The number of modules in a row, and of rows.
  package let size: Int
  private let dark: [Bool]

  /// The size of a code of version 40.
  private static let largestSize = 177

  package init(size: Int, isDark: (_ row: Int, _ column: Int) -> Bool) {
    self.size = size
    dark = (0..<size * size).map { isDark($0 / size, $0 % size) }
  }

  /// True for a dark module. Modules outside of the code are light.
  package func isDark(row: Int, column: Int) -> Bool {
    guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
    return dark[row * size + column]
  }

  /// Reads rows of `1` for a dark and `0` for a light module. Returns nil if they are not a square.
  init?(_ rows: [String]) {
    let modules = rows.map { Array($0.utf8) }
    let digits = [UInt8(ascii: "0"), UInt8(ascii: "1")]
    guard (1...Self.largestSize).contains(rows.count),
      modules.allSatisfy({ $0.count == rows.count && $0.allSatisfy(digits.contains) })
    else { return nil }
    self.init(size: rows.count) { modules[$0][$1] == digits[1] }
  }

  var rows: [String] {
    (0..<size).map { row in
      (0..<size).map { isDark(row: row, column: $0) ? "1" : "0" }.joined()
    }
  }
}
