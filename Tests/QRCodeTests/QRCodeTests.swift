import Foundation
import Testing

@testable import QRCode

@Suite("QR codes")
struct QRCodeTests {
  private static let address = "https://as.test/device?user_code=WDJB-MJHT"

  /// What an independent reader finds in a picture of modules.
  private func read(size: Int, isDark: (Int, Int) -> Bool) throws -> String {
    let scale = 4, quiet = 4
    let range = -quiet..<size + quiet
    var picture = "P1\n\(range.count * scale) \(range.count * scale)\n"
    for row in range {
      let line = range.map { String(repeating: isDark(row, $0) ? "1 " : "0 ", count: scale) }.joined() + "\n"
      picture += String(repeating: line, count: scale)
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "qr-\(UUID().uuidString).pbm")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(picture.utf8).write(to: file)
    let reader = Process()
    let output = Pipe()
    reader.executableURL = URL(filePath: "/usr/bin/zbarimg")
    reader.arguments = ["--quiet", "--raw", file.path]
    reader.standardOutput = output
    try reader.run()
    reader.waitUntilExit()
    let text = try #require(try output.fileHandleForReading.readToEnd())
    return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  @Test("a reader finds the text in the modules")
  func modules() throws {
    let code = try #require(QRCode(Self.address))
    #expect(try read(size: code.size) { code.isDark(row: $0, column: $1) } == Self.address)
  }

  @Test("a reader finds the text in the lines for a terminal")
  func terminal() throws {
    let code = try #require(QRCode(Self.address))
    let lines = code.terminalLines.map { line in
      Array(line.drop { $0 != "m" }.dropFirst().prefix { $0 != "\u{1B}" })
    }
    #expect(Set(lines.map(\.count)) == [code.size + 8])
    let text = try read(size: code.size) { row, column in
      guard lines.indices.contains((row + 4) / 2), row >= -4 else { return false }
      let halves = lines[(row + 4) / 2][column + 4]
      return (row + 4).isMultiple(of: 2) ? "█▀".contains(halves) : "█▄".contains(halves)
    }
    #expect(text == Self.address)
  }

  @Test("every line ends with the terminal's own colours")
  func colours() throws {
    let code = try #require(QRCode("x"))
    #expect(code.terminalLines.allSatisfy { $0.hasPrefix("\u{1B}[") && $0.hasSuffix("\u{1B}[0m") })
  }

  @Test("a text that is too long, and none at all, have no code")
  func impossible() {
    #expect(QRCode(String(repeating: "x", count: 5_000)) == nil)
    #expect(QRCode("") == nil)
  }
}
