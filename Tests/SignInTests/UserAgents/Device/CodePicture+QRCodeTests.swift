import Foundation
import SignIn
import Testing
import WindowProtocol

@Suite("QR codes")
struct QRCodeTests {
  private static let address = "https://as.test/device?user_code=WDJB-MJHT"

  /// Draws the modules and reads the picture with `zbarimg`.
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

  @Test("A reader finds the text in the modules")
  func modules() throws {
    let code = try #require(CodePicture(qrCodeOf: Self.address))
    #expect(try read(size: code.size) { code.isDark(row: $0, column: $1) } == Self.address)
  }

  @Test("An empty text and a text that is too long have no code")
  func impossible() {
    #expect(CodePicture(qrCodeOf: String(repeating: "x", count: 5_000)) == nil)
    #expect(CodePicture(qrCodeOf: "") == nil)
  }
}
