import Foundation
import Testing

/// A text that is kept beside the tests and that a change of the program has to change on purpose.
///
/// `TOKENTRY_RECORD_SNAPSHOTS=1` writes the new text, and fails, so that no run both records and passes.
func expectSnapshot(_ text: String, _ name: String, as suffix: String = "txt") throws {
  let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Snapshots")
  let file = folder.appending(path: "\(name).\(suffix)")
  if ProcessInfo.processInfo.environment["TOKENTRY_RECORD_SNAPSHOTS"] == "1" {
    try text.write(to: file, atomically: true, encoding: .utf8)
    Issue.record("recorded \(name): look at the difference and run again")
    return
  }
  #expect(try String(contentsOf: file, encoding: .utf8) == text)
}
