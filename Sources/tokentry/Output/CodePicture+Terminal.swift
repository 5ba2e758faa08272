import WindowProtocol

extension CodePicture {
  /// The margin that ISO/IEC 18004 demands around a code, in modules.
  private static let quietZone = 4
  /// Black on white, because scanners do not read inverted codes.
  private static let colours = "\u{1B}[30;107m"
  private static let ownColours = "\u{1B}[0m"

  /// Returns the lines to print on a terminal, or nil if it does not show all of them together with texts of these
  /// lengths and the line after them. A line contains two rows of modules, so that modules are square.
  func lines(on screen: (columns: Int?, rows: Int?), above textLengths: [Int]) -> [String]? {
    let range = -Self.quietZone..<size + Self.quietZone
    let columns = screen.columns ?? .max
    let textRows = textLengths.reduce(0) { $0 + ($1 - 1) / columns + 1 }
    guard columns >= range.count, screen.rows ?? .max > (range.count + 1) / 2 + textRows else { return nil }
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
