/// A member of an object in a preset file, tokentry-provider(5): its kind, and how it is read and written.
///
/// The ``PresetValue`` of a member is made when it is needed: making all of them takes longer than reading the few
/// members that an account keeps.
package struct PresetMember<Described: Sendable>: Sendable {
  // A key path could get and set, but making one takes longer than reading a whole provider without.
  package typealias Getter<Value> = @Sendable (Described) -> Value
  package typealias Setter<Value> = @Sendable (inout Described, Value) -> Void

  let name: String
  let kind: @Sendable () -> PresetKind
  let read: @Sendable (inout Described, JSONValue, PresetFilling) throws(PresetRefusal) -> Void
  /// Returns nil for a member that is left out.
  let write: @Sendable (Described) -> JSONValue?

  /// A member that is written if there is a value.
  package static func optional<Value: Sendable>(
    _ name: String, _ value: @autoclosure @escaping @Sendable () -> PresetValue<Value>,
    _ get: @escaping Getter<Value?>, _ set: @escaping Setter<Value>
  ) -> Self {
    Self(
      name: name, kind: { value().kind },
      read: { (described, json, filling) throws(PresetRefusal) in
        let value = value()
        try value.kind.check(json, at: filling.path)
        if let value = try value.read(json, filling) { set(&described, value) }
      },
      write: { get($0).map(value().write) })
  }

  /// A member that is always written.
  static func always<Value: Sendable>(
    _ name: String, _ value: @autoclosure @escaping @Sendable () -> PresetValue<Value>,
    _ get: @escaping Getter<Value>, _ set: @escaping Setter<Value>
  ) -> Self {
    optional(name, value(), { get($0) }, set)
  }

  /// A member that is written unless it has its default.
  package static func unlessDefault<Value: Equatable & Sendable>(
    _ name: String, _ value: @autoclosure @escaping @Sendable () -> PresetValue<Value>,
    _ get: @escaping Getter<Value>, _ set: @escaping Setter<Value>
  ) -> Self where Described: PresetObject {
    optional(name, value(), { get($0) == get(Described()) ? nil : get($0) }, set)
  }

  /// A member that is checked, but has no effect on a login and is not written.
  static func ignored<Value: Sendable>(
    _ name: String, _ value: @autoclosure @escaping @Sendable () -> PresetValue<Value>
  ) -> Self {
    optional(name, value(), { _ in nil }, { _, _ in })
  }
}

/// An object in a preset file. Without members it describes the standard.
package protocol PresetObject: Sendable {
  init()
  /// The members in the order in which they are read and written. A later one may change the effect of an earlier one.
  static var members: [PresetMember<Self>] { get }
}

extension PresetObject {
  static var kind: PresetKind { .object(members.reduce(into: [:]) { $0[$1.name] = $1.kind }) }

  /// Reads an object. Throws unless every member is known and of the right kind.
  init(_ object: JSONObject, filledIn template: Template, at path: [String] = []) throws(PresetRefusal) {
    self.init()
    guard let unknown = try read(object, filledIn: template, at: path).first else { return }
    throw .unknownMember(unknown.name, at: path, among: Self.members.map(\.name))
  }

  /// Reads the members that it knows, and returns the others.
  mutating func read(
    _ object: JSONObject, filledIn template: Template, at path: [String] = []
  ) throws(PresetRefusal) -> JSONObject {
    var known = 0
    for member in Self.members {
      guard let json = object[member.name] else { continue }
      known += 1
      try member.read(&self, json, PresetFilling(path: path + [member.name], template: template))
    }
    if known == object.count { return [:] }
    let names = Self.members.map(\.name)
    return object.reduce(into: [:]) { others, member in
      if !names.contains(where: member.name.isIdentical) { others[member.name] = member.value }
    }
  }

  /// Reads an object that was checked before, and in which braces are ordinary text. Leaves out members that are unknown or
  /// wrong.
  package init(kept object: JSONObject) {
    self.init()
    for member in Self.members {
      guard let json = object[member.name] else { continue }
      try? member.read(&self, json, PresetFilling(path: [member.name], template: .verbatim))
    }
  }

  /// The members that describe exactly this.
  package var json: JSONObject { Self.members.reduce(into: [:]) { $0[$1.name] = $1.write(self) } }
}

/// The path of the member that is refused, and the reason.
struct PresetRefusal: Error {
  let path: [String]
  let reason: Message

  init(_ path: [String], _ reason: Message) { (self.path, self.reason) = (path, reason) }

  static func unknownMember(
    _ name: String, at path: [String] = [], among names: some Sequence<String>
  ) -> PresetRefusal {
    let nearest = nearestName(to: name, among: names)
    return PresetRefusal(
      path + [name],
      nearest.map { "unknown member \"\(name, upTo: 60)\", did you mean \"\($0)\"?" }
        ?? "unknown member \"\(name, upTo: 60)\"")
  }
}

/// The kind of a value in a preset file.
package indirect enum PresetKind: Sendable {
  case text
  case flag
  case oneOf([String])
  case list(PresetKind)
  /// An object of strings.
  case texts
  /// An object with these members. The kind of each is made when the member is found.
  case object([String: @Sendable () -> PresetKind])

  /// Throws unless the value and everything in it are of the right kind. Addresses are checked later, once their
  /// variables are filled in.
  func check(_ value: JSONValue, at path: [String]) throws(PresetRefusal) {
    switch (self, value) {
    case (.flag, .bool), (.text, .string): return
    case (.oneOf(let choices), .string(let text)):
      if choices.contains(where: text.isIdentical) { return }
      throw PresetRefusal(path, "\"\(text, upTo: 60)\" is not one of \(choices.verbatim.list)")
    case (.list(let element), .array(let values)):
      for value in values { try element.check(value, at: path) }
    case (.texts, .object(let members)):
      for member in members { try Self.text.check(member.value, at: path + [member.name]) }
    case (.object(let kinds), .object(let members)):
      for member in members {
        guard let kind = kinds[member.name] else {
          throw .unknownMember(member.name, at: path, among: kinds.keys)
        }
        try kind().check(member.value, at: path + [member.name])
      }
    default:
      let member = path.joined(separator: ".")
      throw PresetRefusal(
        path, "\(member, upTo: 80) must be \(noun), not \(value.noun)")
    }
  }

  private var noun: Message {
    switch self {
    case .flag: "true or false"
    case .text, .oneOf: "a string"
    case .list: "an array"
    case .texts, .object: "an object"
    }
  }
}

extension JSONValue {
  fileprivate var noun: Message {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The members of an object that are strings.
  var texts: [Parameter] {
    (object ?? [:]).compactMap { member in member.value.string.map { Parameter(member.name, $0) } }
  }

  fileprivate static func texts(_ texts: [Parameter]) -> JSONValue {
    .object(texts.reduce(into: [:]) { $0[$1.name] = .string($1.value) })
  }
}

/// Fills in the variables of one member of a preset, which a refusal names.
struct PresetFilling {
  let path: [String]
  let template: Template

  func text(_ pattern: String) throws(PresetRefusal) -> String {
    do throws(Message) { return try template.text(pattern) } catch { throw refusal(error) }
  }

  /// Returns the address that a pattern becomes.
  func address<Address>(
    _ pattern: String, _ parse: (String) throws(Message) -> Address
  ) throws(PresetRefusal) -> Address {
    do throws(Message) {
      let text = try template.address(pattern)
      do throws(Message) { return try parse(text) } catch { throw "\"\(text, upTo: 100)\" is \(error)" }
    } catch {
      throw refusal(error)
    }
  }

  private func refusal(_ reason: Message) -> PresetRefusal {
    PresetRefusal(path, "\(path.joined(separator: ".")): \(reason)")
  }
}

/// A value in a preset file: its kind, how it is written, and how it is read once its kind has been checked.
package struct PresetValue<Value: Sendable>: Sendable {
  let kind: PresetKind
  let write: @Sendable (Value) -> JSONValue
  let read: @Sendable (JSONValue, PresetFilling) throws(PresetRefusal) -> Value?
}

extension PresetValue {
  /// A value that is written as a string.
  private init(
    _ kind: PresetKind, _ write: @escaping @Sendable (Value) -> String,
    _ read: @escaping @Sendable (String, PresetFilling) throws(PresetRefusal) -> Value?
  ) {
    self.init(kind: kind, write: { .string(write($0)) }) { (json, filling) throws(PresetRefusal) in
      if let text = json.string { try read(text, filling) } else { nil }
    }
  }

  package static func text(_ kind: PresetKind = .text) -> Self where Value == String {
    Self(kind, \.self) { text, _ in text }
  }

  /// A string with variables.
  static func pattern() -> Self where Value == String {
    Self(.text, \.self) { (text, filling) throws(PresetRefusal) in try filling.text(text) }
  }

  /// A host with variables. A variable may be a server with a path, which is cut off.
  package static func host() -> Self where Value == String {
    Self(.text, \.self) { (text, filling) throws(PresetRefusal) in
      try filling.text(text).splitOnce(at: "/").0
    }
  }

  /// An address with variables.
  static func address(_ parse: @escaping @Sendable (String) throws(Message) -> Value) -> Self
  where Value: CustomStringConvertible {
    Self(.text, \.description) { (text, filling) throws(PresetRefusal) in try filling.address(text, parse) }
  }

  /// An origin with variables. A variable may be a server with a path, which is cut off. A path in the file itself is a
  /// mistake.
  static func origin() -> Self where Value == Origin {
    Self(.text, \.description) { (pattern, filling) throws(PresetRefusal) in
      let hasPath = !withoutPath(pattern).isIdentical(to: pattern)
      return try filling.address(pattern) { text throws(Message) in
        try Origin(hasPath ? text : withoutPath(text))
      }
    }
  }

  private static func withoutPath(_ text: String) -> String {
    let start = text.startOfAuthority ?? text.startIndex
    return String(text[..<start]) + String(text[start...]).splitOnce(at: "/").0
  }

  static func choice(of values: [Value]) -> Self where Value: RawRepresentable<String> {
    Self(.oneOf(values.map(\.rawValue)), \.rawValue) { text, _ in Value(rawValue: text) }
  }

  package static func choice() -> Self where Value: CaseIterable & RawRepresentable<String> {
    choice(of: Array(Value.allCases))
  }

  /// A string without variables that `parse` may refuse.
  package static func parsed(
    _ parse: @escaping @Sendable (String) -> Value?, else reason: @escaping @Sendable (String) -> Message
  ) -> Self where Value: CustomStringConvertible {
    Self(.text, \.description) { (text, filling) throws(PresetRefusal) in
      guard let value = parse(text) else { throw PresetRefusal(filling.path, reason(text)) }
      return value
    }
  }

  /// True if the string is `word`, false if it is another of `words`.
  static func word(_ word: String, of words: [String]) -> Self where Value == Bool {
    Self(.oneOf(words), { _ in word }) { text, _ in text == word }
  }

  static func flag() -> Self where Value == Bool {
    Self(kind: .flag, write: { .bool($0) }) { json, _ in json.bool }
  }

  package static func list<Element>(_ element: PresetValue<Element>) -> Self where Value == [Element] {
    Self(kind: .list(element.kind), write: { .array($0.map(element.write)) }) {
      (json, filling) throws(PresetRefusal) in
      try (json.array ?? []).map { json throws(PresetRefusal) in try element.read(json, filling) }
        .compactMap(\.self)
    }
  }

  static func object() -> Self where Value: PresetObject {
    Self(kind: Value.kind, write: { .object($0.json) }) { (json, filling) throws(PresetRefusal) in
      try Value(json.object ?? [:], filledIn: filling.template, at: filling.path)
    }
  }

  /// An object in which this is the only member.
  static func member(_ name: String, _ value: Self) -> Self {
    Self(kind: .object([name: { value.kind }]), write: { .object([name: value.write($0)]) }) {
      (json, filling) throws(PresetRefusal) in
      if let member = json.object?[name] { try value.read(member, filling) } else { nil }
    }
  }

  /// An object of strings, which may have variables. `fault` returns the reason to refuse one.
  static func texts(
    filledIn: Bool = false, refusing fault: @escaping @Sendable (Parameter) -> Message? = { _ in nil }
  ) -> Self where Value == [Parameter] {
    Self(kind: .texts, write: { .texts($0) }) { (json, filling) throws(PresetRefusal) in
      try json.texts.map { text throws(PresetRefusal) in
        let parameter = Parameter(text.name, filledIn ? try filling.text(text.value) : text.value)
        guard let reason = fault(parameter) else { return parameter }
        throw PresetRefusal(filling.path + [parameter.name], reason)
      }
    }
  }
}
