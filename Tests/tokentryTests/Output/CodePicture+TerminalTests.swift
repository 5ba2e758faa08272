import Testing
import WindowProtocol

@testable import tokentry

@Suite("QR codes on a terminal")
struct CodePictureTerminalTests {
  @Test("All modules are printed, with a margin of four around them", arguments: [1, 2, 21, 24])
  func modules(size: Int) throws {
    let picture = CodePicture(size: size) { ($0 * 5 + $1 * 3) % 7 < 3 }
    let printed = try #require(picture.lines(on: (nil, nil), above: [80]))
    let lines = printed.map { line in
      Array(line.drop { $0 != "m" }.dropFirst().prefix { $0 != "\u{1B}" })
    }
    #expect(lines.count == (size + 9) / 2)
    #expect(Set(lines.map(\.count)) == [size + 8])
    for row in -4..<size + 4 {
      for column in -4..<size + 4 {
        let halves = lines[(row + 4) / 2][column + 4]
        let isDark = (row + 4).isMultiple(of: 2) ? "█▀".contains(halves) : "█▄".contains(halves)
        #expect(isDark == picture.isDark(row: row, column: column), "\(row), \(column)")
      }
    }
  }

  @Test("Every line sets its colours, and resets them at its end")
  func colours() throws {
    let lines = try #require(CodePicture(size: 21) { $0 == $1 }.lines(on: (29, nil), above: [1]))
    #expect(lines.allSatisfy { $0.hasPrefix("\u{1B}[") && $0.hasSuffix("\u{1B}[0m") })
  }

  @Test(
    "A code is printed only if the terminal shows all of it, the text below and the line after that",
    arguments: [
      (28, nil, 1, false), (29, nil, 1, true), (80, 17, 80, true), (80, 16, 80, false), (80, 17, 81, false),
      (80, 18, 81, true), (nil, 17, 1_000, true),
    ] as [(Int?, Int?, Int, Bool)])
  func size(columns: Int?, rows: Int?, textLength: Int, isPrinted: Bool) {
    let picture = CodePicture(size: 21) { $0 == $1 }
    #expect((picture.lines(on: (columns, rows), above: [textLength]) != nil) == isPrinted)
  }
}
