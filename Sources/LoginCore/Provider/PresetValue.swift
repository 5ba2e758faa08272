/// How a value stands in a preset file: what it may be there, how it is written, and how it is read once it was checked.
struct PresetValue<Value: Sendable>: Sendable {
  let kind: PresetKind
  let write: @Sendable (Value) -> JSONValue
  let read: @Sendable (JSONValue, PresetFilling) throws(PresetRefusal) -> Value?
}

extension PresetValue {
  /// A value that is a text.
  private init(
    _ kind: PresetKind, _ write: @escaping @Sendable (Value) -> String,
    _ read: @escaping @Sendable (String, PresetFilling) throws(PresetRefusal) -> Value?
  ) {
    self.init(kind: kind, write: { .string(write($0)) }) { (json, filling) throws(PresetRefusal) in
      if let text = json.string { try read(text, filling) } else { nil }
    }
  }

  static func text(_ kind: PresetKind = .text) -> Self where Value == String {
    Self(kind, \.self) { text, _ in text }
  }

  /// A text with variables.
  static func pattern() -> Self where Value == String {
    Self(.text, \.self) { (text, filling) throws(PresetRefusal) in try filling.text(text) }
  }

  /// The same for a host; a server may be given with its path, which is none of its host.
  static func host() -> Self where Value == String {
    Self(.text, \.self) { (text, filling) throws(PresetRefusal) in try filling.text(text).splitOnce(at: "/").0
    }
  }

  static func address(_ parse: @escaping @Sendable (String) throws(AddressFault) -> Value) -> Self
  where Value: CustomStringConvertible {
    Self(.text, \.description) { (text, filling) throws(PresetRefusal) in try filling.address(text, parse) }
  }

  /// A server that is given with its path has an origin all the same; one that the file itself has is a mistake.
  static func origin() -> Self where Value == Origin {
    Self(.text, \.description) { (pattern, filling) throws(PresetRefusal) in
      let hasPath = !withoutPath(pattern).isIdentical(to: pattern)
      return try filling.address(pattern) { text throws(AddressFault) in
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

  static func choice() -> Self where Value: CaseIterable & RawRepresentable<String> {
    choice(of: Array(Value.allCases))
  }

  static func responseType() -> Self where Value == ResponseType {
    Self(.responseType, \.description) { text, _ in ResponseType(text) }
  }

  /// A text without variables that not every parser takes.
  static func parsed(_ parse: @escaping @Sendable (String) -> Value?, else reason: PresetFault.Reason) -> Self
  where Value: CustomStringConvertible {
    Self(.text, \.description) { (text, filling) throws(PresetRefusal) in
      if let value = parse(text) {
        value
      } else {
        throw PresetRefusal(path: filling.path, reason: reason)
      }
    }
  }

  /// Whether one word is there, out of those that may be.
  static func word(_ word: String, of words: [String]) -> Self where Value == Bool {
    Self(.oneOf(words), { _ in word }) { text, _ in text == word }
  }

  static func flag() -> Self where Value == Bool {
    Self(kind: .flag, write: { .bool($0) }) { json, _ in json.bool }
  }

  static func list<Element>(_ element: PresetValue<Element>) -> Self where Value == [Element] {
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

  /// Texts with variables, each of which may be refused.
  static func parameters(_ fault: @escaping @Sendable (Parameter) -> PresetFault.Reason? = { _ in nil })
    -> Self
  where Value == [Parameter] {
    Self(kind: .texts, write: { .texts($0) }) { (json, filling) throws(PresetRefusal) in
      try json.texts.map { text throws(PresetRefusal) in
        let parameter = Parameter(text.name, try filling.text(text.value))
        guard let reason = fault(parameter) else { return parameter }
        throw PresetRefusal(path: filling.path + [parameter.name], reason: reason)
      }
    }
  }

  static func texts() -> Self where Value == [String: String] {
    Self(kind: .texts, write: { .texts($0.sorted { $0.key < $1.key }.map { Parameter($0.key, $0.value) }) }) {
      json, _ in
      Dictionary(json.texts.map { ($0.name, $0.value) }) { $1 }
    }
  }
}

extension JSONValue {
  /// The members of an object that are texts.
  var texts: [Parameter] {
    (object ?? [:]).compactMap { member in member.value.string.map { Parameter(member.name, $0) } }
  }

  fileprivate static func texts(_ texts: [Parameter]) -> JSONValue {
    .object(texts.reduce(into: [:]) { $0[$1.name] = .string($1.value) })
  }
}
