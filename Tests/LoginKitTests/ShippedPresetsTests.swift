import Foundation
import LoginCore
import Testing

@testable import LoginKit

@Suite("Presets of the library")
struct ShippedPresetsTests {
  /// The members that are for readers of the file.
  private static let left = ["$schema", "notes", "source", "tested"]

  @Test("The library has every preset of data/providers, so that a program needs no installed one")
  func presets() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../data/providers")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path()).filter {
      $0.hasSuffix(".json")
    }
    let rows = try names.sorted().map { name in
      var json = try JSONReader.members(of: Array(Data(contentsOf: folder.appending(path: name)))) { $0 }
      for member in Self.left { json[member] = nil }
      return "  \"\(name.dropLast(5))\": #\"\(json.text)\"#,\n"
    }
    let text = """
      // swift-format-ignore-file
      // Made from data/providers by `Tests/run.sh --record`.

      /// The presets that travel with the library, by name.
      let shippedPresets: [String: String] = [
      \(rows.joined())]

      """
    let source = folder.appending(path: "../../Sources/LoginKit/ShippedPresets.swift")
    if ProcessInfo.processInfo.environment["TOKENTRY_RECORD_SNAPSHOTS"] == "1" {
      try text.write(to: source, atomically: true, encoding: .utf8)
    }
    let recorded = try String(contentsOf: source, encoding: .utf8)
    #expect(recorded == text, "`Tests/run.sh --record` makes the table anew")
    for (name, text) in shippedPresets { #expect(try Preset.shipped(text).name != nil, "\(name)") }
  }
}
