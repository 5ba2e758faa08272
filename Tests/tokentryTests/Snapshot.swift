import Foundation
import Testing

/// Expects a text to equal the file with this name, so that the text cannot change unnoticed. `name` is relative to the
/// folder Snapshots.
///
/// `Tests/run.sh --record` writes the new text: `TOKENTRY_RECORD_SNAPSHOTS=1` has this function do that, and
/// fail if the text is another one.
func expectSnapshot(_ text: String, _ name: String) throws {
  let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Snapshots/\(name)")
  let recorded = try? String(contentsOf: file, encoding: .utf8)
  if recorded == text { return }
  if ProcessInfo.processInfo.environment["TOKENTRY_RECORD_SNAPSHOTS"] == "1" {
    try text.write(to: file, atomically: true, encoding: .utf8)
    Issue.record("recorded \(name): look at the difference and run again")
    return
  }
  let (old, new) = ((recorded ?? "").split(separator: "\n"), text.split(separator: "\n"))
  let changes = new.difference(from: old).map { change in
    switch change {
    case .remove(let line, let text, _): (line, "- \(text)")
    case .insert(let line, let text, _): (line, "+ \(text)")
    }
  }
  let lines = changes.sorted { $0.0 < $1.0 }.map(\.1).joined(separator: "\n")
  Issue.record("\(name) differs; `Tests/run.sh --record` records it:\n\(lines)")
}
