import Foundation
import LoginCore
import Testing

@testable import tokentry

@Suite("The files in data")
struct PresetFilesTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test("Every preset is read without a fault, says where its facts come from, and has a page to sign in")
  func presets() throws {
    let folder = Self.root.appending(path: "data/providers")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    #expect(files.count >= 3)
    for file in files {
      let preset = try Preset(Array(Data(contentsOf: file)))
      #expect(preset.name != nil)
      #expect(preset.json["source"]?.string?.hasPrefix("https://") == true)
      let values = Dictionary(preset.variables.map { ($0.name, "example") }, uniquingKeysWith: { $1 })
      #expect(try preset.provider(variables: values, clientID: "1").endpoints[.authorization] != nil)
    }
  }

  @Test("A preset that says it is verified is the subject of a test")
  func verified() throws {
    let tests = Self.root.appending(path: "Tests")
    let files = try #require(FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
    let texts = try files.compactMap { $0 as? URL }.filter { ["swift", "story"].contains($0.pathExtension) }
      .map { try String(contentsOf: $0, encoding: .utf8) }
    let presets = Self.root.appending(path: "data/providers")
    for file in try FileManager.default.contentsOfDirectory(at: presets, includingPropertiesForKeys: nil) {
      guard try Preset(Array(Data(contentsOf: file))).isVerified else { continue }
      let name = file.deletingPathExtension().lastPathComponent
      let isTested = texts.contains { text in
        ["\"\(name)\"", "--provider \(name) "].contains { text.contains($0) }
      }
      #expect(isTested, "\(name)")
    }
  }

  @Test("The man page names every option")
  func manPage() throws {
    let pages = try ["tokentry", "tokentry-helper"].map { name in
      try String(contentsOf: Self.root.appending(path: "data/man/\(name).1"), encoding: .utf8)
    }.joined()
    for option in Option.allCases {
      #expect(pages.contains("Fl -\(option.rawValue)"), "\(option.flag)")
    }
  }
}
