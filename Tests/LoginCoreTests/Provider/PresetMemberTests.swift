import Foundation
import Testing

@testable import LoginCore

/// The members of a preset as three files have them: the table, the schema and the man page.
@Suite("PresetMember")
struct PresetMemberTests {
  private static func text(_ path: String) throws -> String {
    let root = (1...4).reduce(URL(filePath: #filePath)) { folder, _ in folder.deletingLastPathComponent() }
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  @Test("no member is there twice")
  func unique() {
    let names = Provider.members.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test("the schema has the same members, of the same kinds and with the same choices")
  func schema() throws {
    let text = try Self.text("data/schema/provider.schema.json")
    let schema = try #require(try JSONReader.read(Array(text.utf8)).object)
    let definitions = try #require(schema["$defs"]?.object)
    compare(.object(schema), Provider.kind, "the preset", definitions)
  }

  /// Finds what the schema says of a value, wherever it says it.
  private func compare(
    _ schema: JSONValue?, _ kind: PresetKind, _ name: String, _ definitions: JSONObject
  ) {
    var schema = schema?.object ?? [:]
    while let place = schema["$ref"]?.string {
      schema["$ref"] = nil
      let further = definitions[String(place.dropFirst("#/$defs/".count))]?.object ?? [:]
      for member in further { schema[member.name] = member.value }
    }
    let type = schema["type"]?.string
    switch kind {
    case .text, .responseType: #expect(type == "string" && schema["enum"] == nil, "\(name)")
    case .flag: #expect(type == "boolean", "\(name)")
    case .oneOf(let choices):
      #expect(schema["enum"]?.array?.compactMap(\.string).sorted() == choices.sorted(), "\(name)")
    case .list(let element):
      #expect(type == "array", "\(name)")
      compare(schema["items"], element, "\(name)[]", definitions)
    case .texts:
      #expect(type == "object", "\(name)")
      compare(schema["additionalProperties"], .text, "\(name).*", definitions)
    case .object(let kinds):
      #expect(type == "object" && schema["additionalProperties"] == false, "\(name)")
      let properties = schema["properties"]?.object ?? [:]
      #expect(properties.map(\.name).sorted() == kinds.keys.sorted(), "\(name)")
      for (member, kind) in kinds { compare(properties[member], kind(), "\(name).\(member)", definitions) }
    }
  }

  @Test("the man page has the same members, of the same kinds")
  func manPage() throws {
    let page = try Self.text("data/man/tokentry-provider.5")
    var described: [String: String] = [:]
    for line in page.split(separator: "\n") where line.hasPrefix(".It Va ") {
      let parts = line.dropFirst(".It Va ".count).components(separatedBy: " Pq ")
      for name in parts[0].components(separatedBy: " , ") {
        #expect(described.updateValue(parts.count > 1 ? parts[1] : "address", forKey: name) == nil, "\(name)")
      }
    }
    #expect(described.keys.sorted() == Provider.members.map(\.name).sorted())
    for member in Provider.members {
      let words = try #require(Self.words(for: member.content().kind), "\(member.name)")
      #expect(words.contains(described[member.name] ?? ""), "\(member.name)")
    }
  }

  /// What the man page calls a kind, of one member or of several that it describes together.
  private static func words(for kind: PresetKind) -> Set<String>? {
    switch kind {
    case .text: ["string", "address"]
    case .responseType, .oneOf: ["string"]
    case .flag: ["boolean"]
    case .list(.text): ["array of strings", "arrays of strings", "array of addresses"]
    case .list(.oneOf): ["array of strings"]
    case .texts: ["object of strings"]
    case .object: ["object", "objects"]
    case .list: nil
    }
  }
}
