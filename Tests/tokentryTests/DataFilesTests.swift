import Foundation
import LoginCore
import SignIn
import Testing

@testable import tokentry

@Suite("The files in data")
struct DataFilesTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func presets() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: root.appending(path: "data/providers"), includingPropertiesForKeys: nil)
  }

  @Test("Every preset can be read, names its source, says how to register, and has a page to sign in")
  func presets() throws {
    let files = try Self.presets()
    #expect(files.count >= 40)
    for file in files {
      let preset = try ProviderCatalog.read(file.path(percentEncoded: false))
      #expect(throws: Never.self, "a program without members of its own can read it, too") {
        try Preset(Array(Data(contentsOf: file)))
      }
      #expect(preset.name != nil)
      let name = file.lastPathComponent
      #expect(preset.json["source"]?.string?.hasPrefix("https://") == true, "\(name)")
      // The provider's form for a new client is what an adopter sees first.
      let notes = preset.json["notes"]?.string ?? ""
      #expect(notes.lowercased().contains("register"), "\(name)")
      let values = Dictionary(preset.variables.map { ($0.name, "example") }, uniquingKeysWith: { $1 })
      let provider = try preset.provider(variables: values, clientID: "1")
      #expect(provider.endpoints[.authorization] != nil || provider.usesLoginFlow)
      let sent = try provider.redirectURI ?? .onThisMachine(for: provider)
      for noted in notes.matches(of: /http:\/\/127\.0\.0\.1[:0-9]*\/callback(?:[^ ",;:]*[^ ",;:.])?/) {
        #expect(noted.output == sent.description, "\(name)")
      }
    }
  }

  @Test("A self-hosted GitLab has its own git host and API")
  func gitLab() throws {
    let preset = try ProviderCatalog.read(
      Self.root.appending(path: "data/providers/gitlab.json").path(percentEncoded: false))
    let usual = try preset.provider(variables: [:], clientID: "53").profile
    #expect(usual.serves(gitHost: "gitlab.com") && !usual.serves(gitHost: "git.example"))
    let own = try preset.provider(variables: ["server": "git.example:8443/gitlab"], clientID: "53")
    #expect(own.profile.gitHosts == ["git.example:8443"])
    #expect(own.apiOrigins.map(\.description) == ["https://git.example:8443"])
  }

  @Test("Every preset says how it was tried: a test uses it, or somebody has signed in")
  func tested() throws {
    let tests = Self.root.appending(path: "Tests")
    let files = try #require(FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
    let texts = try files.compactMap { $0 as? URL }.filter { ["swift", "story"].contains($0.pathExtension) }
      .map { try String(contentsOf: $0, encoding: .utf8) }
    for file in try Self.presets() {
      let tested = try #require(try Preset(Array(Data(contentsOf: file))).tested, "\(file)")
      if tested.wholeMatch(of: /20\d\d-(0[1-9]|1[0-2])/) != nil { continue }
      let name = file.deletingPathExtension().lastPathComponent
      let isTested = texts.contains { text in
        ["\"\(name)\"", "--provider \(name) "].contains { text.contains($0) }
      }
      #expect(tested == "stand-in" && isTested, "\(name)")
    }
  }

  @Test("The man pages document every option")
  func manPage() throws {
    let commands = ["agent", "demo", "gate", "helper", "keep", "navigate", "request"].map { "tokentry-\($0)" }
    let pages = try (["tokentry"] + commands).map { name in
      try String(contentsOf: Self.root.appending(path: "data/man/\(name).1"), encoding: .utf8)
    }.joined()
    let members = pages.split(separator: "\n").filter { $0.hasPrefix(".It Va ") }
      .flatMap { $0.split(separator: " ") }
    for option in Option.all + HelperProtocols.all.flatMap({ $0.arguments }) {
      let isThere =
        option.isMemberOnly ? members.contains { $0 == option.name } : pages.contains("Fl -\(option.name)")
      #expect(isThere, "\(option.flag)")
    }
  }

  @Test("The packages for other languages have the version of the program")
  func versions() throws {
    for name in ["callers/package.json", "keyring/build_wheel.py"] {
      let text = try String(contentsOf: Self.root.appending(path: "data/\(name)"), encoding: .utf8)
      #expect(text.contains("\"\(Version.program)\""), "\(name)")
    }
  }

  @Test("The schema of the document of options follows their table")
  func requestSchema() throws {
    let commands = Command.allCases.filter {
      $0 != .helper && $0.options.contains(RequestWishes.option("options"))
    }
    let options = Option.all.filter { option in
      option.place != .commandLine && commands.contains { $0.options.contains(option) }
    }
    var lines = (options + OptionsDocument.unlisted).map { member($0.member, type(of: $0), $0.help) }
    lines += OptionsDocument.endpoints.sorted { $0.key < $1.key }.map { name, endpoint in
      member(name, Self.text, "the same as \(endpoint.flag)")
    }
    lines += OptionsDocument.aliases.sorted { $0.key < $1.key }.map { name, option in
      member(name, type(of: option), "the same as \(option.member)")
    }
    lines.append(
      member(
        OptionsDocument.secretInBody, Self.flag, "true: the same as client_authentication post"))
    lines += OptionsDocument.withoutEffect.map {
      member($0, Self.flag, "accepted, without effect")
    }
    try expectSnapshot(
      """
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Tokentry options",
        "description": "The object that --options reads: options under their names with underscores, secrets, and the names of p2/OAuth2's settings (tokentry(1), DOCUMENT OF OPTIONS). Each command accepts those that it has a use for.",
        "type": "object",
        "additionalProperties": false,
        "properties": {
      \(lines.joined(separator: ",\n"))
        }
      }

      """, "../../../data/schema/options.schema.json")
  }

  private func member(_ name: String, _ type: String, _ help: String) -> String {
    "    \"\(name)\": { \(type), \"description\": \(JSONValue.string(help).text) }"
  }

  private func type(of option: tokentry.Option) -> String {
    switch option.value {
    case .none, .level: Self.flag
    case .json(_, ["array"]):
      #""type": ["array", "null"], "minItems": 1, "items": { "type": "object", "required": ["type"] }"#
    case .json(_, let types): #""type": \#(JSONValue.array((types + ["null"]).map(JSONValue.string)).text)"#
    case .seconds: #""type": ["integer", "string", "null"], "minimum": 0, "pattern": "^[0-9]+$""#
    case .choice(_, let choices):
      #""enum": \#(JSONValue.array(choices().map(JSONValue.string) + [.null]).text)"#
    case .pair, .field:
      #""type": ["object", "null"], "additionalProperties": { "type": ["string", "number", "boolean"] }"#
    case .anyLine, .secret(_, mayBeEmpty: true): #""type": ["string", "null"]"#
    case _ where option.takesList:
      #""type": ["string", "array", "null"], "minLength": 1, "minItems": 1, "items": { "type": "string", "minLength": 1 }"#
    case .text, .texts, .secret, .data: Self.text
    }
  }

  private static let flag = #""type": ["boolean", "null"]"#
  private static let text = #""type": ["string", "null"], "minLength": 1"#
}
