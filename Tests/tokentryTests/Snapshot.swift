import Foundation
import Testing

/// Expects a text to equal the file with this name, so that the text cannot change unnoticed. `name` is relative to the
/// folder Snapshots.
///
/// `TOKENTRY_RECORD_SNAPSHOTS=1` writes the new text and fails.
func expectSnapshot(_ text: String, _ name: String) throws {
  let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Snapshots/\(name)")
  if ProcessInfo.processInfo.environment["TOKENTRY_RECORD_SNAPSHOTS"] == "1" {
    try text.write(to: file, atomically: true, encoding: .utf8)
    Issue.record("recorded \(name): look at the difference and run again")
    return
  }
  #expect(try String(contentsOf: file, encoding: .utf8) == text)
}
