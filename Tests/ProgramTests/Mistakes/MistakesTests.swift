import Foundation
import TestSupport
import Testing

@Suite("Mistakes of callers", .blocking)
struct MistakesTests {
  @Test("A mistake is named, with whose it is and what mends it", arguments: Mistake.all)
  func named(_ mistake: Mistake) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mistake-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, content) in mistake.files {
      _ = FileManager.default.createFile(
        atPath: folder.appending(path: name).path(), contents: Data(content.utf8),
        attributes: [.posixPermissions: 0o600])
    }
    let inFolder = { (text: String) in text.replacing("FOLDER", with: folder.path()) }
    // Without a terminal, which whoever runs the tests may have.
    let outcome = try Program.run(
      mistake.arguments.map(inFolder), input: mistake.input,
      environment: mistake.environment.mapValues(inFolder), wrapper: ["/usr/bin/setsid", "--wait"])
    #expect(outcome.status == mistake.status, "\(outcome)")
    #expect(outcome["error"] as? String == mistake.error)
    #expect(outcome["origin"] as? String == mistake.origin)
    let lines = outcome.messages.split(separator: "\n")
    let error = lines.last { $0.hasPrefix("tokentry: error: ") } ?? ""
    #expect(error.contains(inFolder(mistake.words)), "\(outcome.messages)")
    #expect(outcome["error_description"] as? String == error.dropFirst("tokentry: error: ".count).description)
    let hint = lines.last { $0.hasPrefix("tokentry: hint: ") }
    #expect(hint.map { $0.contains(mistake.hint ?? "\n") } ?? (mistake.hint == nil), "\(outcome.messages)")
    #expect(!outcome.messages.contains("**"), "a library's words are none of ours")
    #expect(!outcome.messages.contains("word@"))
  }

  @Test("No mistake ends as a timeout and nothing else, and none is told to open a shared folder")
  func none() {
    #expect(Mistake.all.count > 40)
    for mistake in Mistake.all {
      #expect(mistake.error != "timeout" || mistake.words != "" && mistake.hint != nil)
      #expect(mistake.hint?.contains("chmod") != true)
    }
  }
}
