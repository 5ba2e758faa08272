import Foundation
@testable import TestSupport

extension Screen {
  /// What a reader finds in a QR code, as soon as one can be seen.
  func readCode() async throws -> String {
    let picture = folder + "/code.png"
    var text = ""
    _ = try await eventually {
      try capture(picture)
      text = (try? run("zbarimg", "--quiet", "--raw", picture)) ?? ""
      return !text.isEmpty
    }
    return text.trimmingCharacters(in: .newlines)
  }

  /// Waits until a text is on the clipboard.
  func copies(_ text: String) async throws -> Bool {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "clipboard.py").path()
    return try await eventually {
      try run("/usr/bin/python3", script).trimmingCharacters(in: .newlines) == text
    }
  }
}
