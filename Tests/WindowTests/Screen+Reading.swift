import Foundation
@testable import TestSupport

extension Screen {
  /// What a reader finds in the picture of a QR code that can be seen.
  func readCode() throws -> String {
    let picture = folder + "/code.png"
    try run("import", "-window", "root", picture)
    return try run("zbarimg", "--quiet", "--raw", picture).trimmingCharacters(in: .newlines)
  }

  /// Waits until a text is on the clipboard.
  func copies(_ text: String) async throws -> Bool {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "clipboard.py").path()
    return try await eventually {
      try run("/usr/bin/python3", script).trimmingCharacters(in: .newlines) == text
    }
  }
}
