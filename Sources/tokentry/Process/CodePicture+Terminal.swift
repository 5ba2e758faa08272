import LoginWays

extension CodePicture {
  /// ISO/IEC 18004 demands four modules of quiet around a code.
  private static let quietZone = 4
  /// Black on white, whatever the terminal's own colours are: readers want it this way round.
  private static let colours = "\u{1B}[30;107m"
  private static let ownColours = "\u{1B}[0m"

  /// The lines to print on a terminal; each holds two rows of modules, so that they come out square. None where they
  /// are wider than the terminal: broken, nobody could read them.
  func lines(onTerminalOf columns: Int?) -> [String]? {
    if let columns, columns < size + 2 * Self.quietZone { return nil }
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
