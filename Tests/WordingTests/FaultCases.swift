import Foundation

/// The cases of faults: those that the sources declare, and those that a value is made of.
enum FaultCases {
  /// A case that the sources declare.
  struct Declared: Sendable, Hashable {
    /// With module and type, such as `LoginCore.UserFault.cancelled`.
    let name: String
    /// Whether a text of somebody's is part of it.
    let holdsText: Bool
  }

  /// All cases of all enumerations in a file, or in the files of a folder.
  static func declared(in path: String) throws -> [Declared] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources")
    let url = root.appending(path: path)
    let files =
      url.pathExtension == "swift"
      ? [url] : try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
    let module = String(path.prefix { $0 != "/" })
    return try files.flatMap { try declared(by: String(contentsOf: $0, encoding: .utf8), of: module) }
  }

  private static func declared(by source: String, of module: String) -> [Declared] {
    var scope: [Substring] = []
    var found: [Declared] = []
    // A list of cases that is too long for a line goes on behind its comma.
    for line in source.replacing(/,\n\s+/, with: ", ").split(separator: "\n") {
      let depth = line.prefix { $0 == " " }.count / 2
      if let type = line.firstMatch(of: /^[\sa-z]*\b(?:enum|struct|extension|protocol) ([\w.]+)/) {
        scope = scope.prefix(depth) + [type.1]
      } else if let list = line.firstMatch(of: /^\s*case ([a-z]\w*\b.*)$/), depth == scope.count {
        for item in items(of: list.1) {
          let name = item.prefix { $0.isLetter || $0.isNumber }
          found.append(
            Declared(
              name: ([module[...]] + scope + [name]).joined(separator: "."),
              holdsText: item.contains(/\bString\b/) && !item.contains("=")))
        }
      }
    }
    return found
  }

  /// What is between the commas outside of parentheses.
  private static func items(of list: Substring) -> [Substring] {
    var depth = 0
    return list.split { character in
      if character == "(" { depth += 1 } else if character == ")" { depth -= 1 }
      return character == "," && depth == 0
    }.map { $0.drop { $0 == " " } }
  }

  /// The names of all cases that a value is made of; only those that hold this text and no other, if there is one.
  static func present(in value: Any, holding text: String? = nil) -> Set<String> {
    let mirror = Mirror(reflecting: value)
    var found = Set<String>()
    if mirror.displayStyle == .enum {
      let name = mirror.children.first?.label ?? "\(value)"
      let inside = mirror.children.flatMap { texts(of: $0.value) }
      if text == nil || !inside.isEmpty && inside.allSatisfy({ $0 == text }) {
        found.insert("\(String(reflecting: mirror.subjectType)).\(name)")
      }
    }
    return mirror.children.reduce(into: found) { $0.formUnion(present(in: $1.value, holding: text)) }
  }

  /// The texts that are part of a case itself, and not of something else in it.
  private static func texts(of payload: Any) -> [String] {
    if let text = payload as? String { return [text] }
    let mirror = Mirror(reflecting: payload)
    guard let style = mirror.displayStyle, [.tuple, .optional, .collection].contains(style) else { return [] }
    return mirror.children.flatMap { texts(of: $0.value) }
  }
}
