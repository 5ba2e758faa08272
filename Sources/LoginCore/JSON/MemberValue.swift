/// The kind of a value in a document.
package indirect enum MemberKind: Sendable {
  case text, flag, number
  case oneOf([String])
  case list(MemberKind)
  /// An object of strings.
  case texts
  /// An object with the members of a type.
  case object(any MemberCoded.Type)
  /// Another object.
  case members

  fileprivate var noun: Message {
    switch self {
    case .flag: "true or false"
    case .number: "a number"
    case .text, .oneOf: "a string"
    case .list: "an array"
    case .texts, .object, .members: "an object"
    }
  }
}

/// The place of a value in a document, which a refusal names, and the variables that are filled in there.
package struct MemberPlace {
  let path: [String]
  let template: Template
  /// True in a document that may come from another version.
  let isLenient: Bool

  init(_ path: [String], _ template: Template, isLenient: Bool = false) {
    (self.path, self.template, self.isLenient) = (path, template, isLenient)
  }

  func inside(_ name: String) -> MemberPlace {
    MemberPlace(path + [name], template, isLenient: isLenient)
  }

  func refusal(_ reason: Message) -> MemberRefusal { MemberRefusal(path: path, reason: reason) }

  var name: String { path.joined(separator: ".").forDisplay(limit: 80) }

  fileprivate func index(of text: String, in words: [String]) throws(MemberRefusal) -> Int {
    if let index = words.firstIndex(where: text.isIdentical) { return index }
    throw refusal("\"\(text, upTo: 60)\" is not one of \(words.verbatim.list)")
  }

  /// Refuses a value without a better reason.
  var isWrong: MemberRefusal { refusal("\(name) is missing or wrong") }
}

/// A kind of value in a document: how it is read and written.
package struct MemberValue<Value> {
  let kind: MemberKind
  let write: (Value) -> JSONValue
  let read: (JSONValue, MemberPlace) throws(MemberRefusal) -> Value

  init(
    _ kind: MemberKind, _ write: @escaping (Value) -> JSONValue,
    _ read: @escaping (JSONValue, MemberPlace) throws(MemberRefusal) -> Value
  ) {
    (self.kind, self.write, self.read) = (kind, write, read)
  }

  /// A value of another kind is refused.
  init<Content>(
    _ kind: MemberKind, of content: @escaping (JSONValue) -> Content?,
    _ write: @escaping (Value) -> JSONValue,
    _ read: @escaping (Content, MemberPlace) throws(MemberRefusal) -> Value
  ) {
    self.init(kind, write) { (json, place) throws(MemberRefusal) in
      guard let content = content(json) else {
        throw place.refusal("\(place.name) must be \(kind.noun), not \(json.noun)")
      }
      return try read(content, place)
    }
  }

  /// A value that is written as a string.
  init(
    text write: @escaping (Value) -> String, kind: MemberKind = .text,
    _ read: @escaping (String, MemberPlace) throws(MemberRefusal) -> Value
  ) {
    self.init(kind, of: \.string, { .string(write($0)) }, read)
  }

  /// A string that `parse` may refuse. `reason` then says why.
  package static func parsed(
    as write: @escaping (Value) -> String, _ parse: @escaping (String) -> Value?,
    else reason: @escaping (String) -> Message? = { _ in nil }
  ) -> Self {
    Self(text: write) { (text, place) throws(MemberRefusal) in
      if let value = parse(text) { return value }
      throw reason(text).map(place.refusal) ?? place.isWrong
    }
  }

  package static func parsed(
    _ parse: @escaping (String) -> Value?, else reason: @escaping (String) -> Message? = { _ in nil }
  ) -> Self where Value: CustomStringConvertible {
    parsed(as: \.description, parse, else: reason)
  }

  /// A string with the raw value of one of these cases.
  static func choice(of values: [Value]) -> Self where Value: RawRepresentable<String> {
    let names = values.map(\.rawValue)
    return Self(text: \.rawValue, kind: .oneOf(names)) { (text, place) throws(MemberRefusal) in
      values[try place.index(of: text, in: names)]
    }
  }

  package static func choice() -> Self where Value: CaseIterable & RawRepresentable<String> {
    choice(of: Array(Value.allCases))
  }

  package static func list<Element>(_ element: MemberValue<Element>) -> Self
  where Value: RangeReplaceableCollection<Element> {
    Self(.list(element.kind), of: \.array, { .array($0.map(element.write)) }) {
      (values, place) throws(MemberRefusal) in
      Value(try values.map { json throws(MemberRefusal) in try element.read(json, place) })
    }
  }

  package static func secret<Role>() -> Self where Value == Secret<Role> {
    Self(text: { $0.revealed() }) { text, _ in Secret(text) }
  }
}

extension MemberValue where Value == String {
  package static var text: Self { Self(text: \.self) { text, _ in text } }

  static func oneOf(_ words: [String]) -> Self {
    Self(text: \.self, kind: .oneOf(words)) { (text, place) throws(MemberRefusal) in
      words[try place.index(of: text, in: words)]
    }
  }

  package static var notEmpty: Self { .parsed(as: \.self) { $0.isEmpty ? nil : $0 } }

  /// A string without control characters.
  package static var line: Self {
    .parsed(as: \.self) { $0.unicodeScalars.contains(where: \.isControl) ? nil : $0 }
  }
}

extension MemberValue where Value == Bool {
  package static var flag: Self { Self(.flag, of: \.bool, JSONValue.bool) { flag, _ in flag } }

  /// True if the string is `word`, false if it is another of `words`.
  static func word(_ word: String, of words: [String]) -> Self {
    Self(text: { _ in word }, kind: .oneOf(words)) { (text, place) throws(MemberRefusal) in
      words[try place.index(of: text, in: words)] == word
    }
  }
}

extension MemberValue where Value: FixedWidthInteger {
  /// A whole number in a range.
  package static func number(in range: ClosedRange<Value>) -> Self {
    Self(.number, of: \.number, { .number(JSONNumber(Int64($0))) }) { (number, place) throws(MemberRefusal) in
      guard let value = number.truncated.flatMap(Value.init(exactly:)), range.contains(value),
        Double(number.literal) == Double(value)
      else { throw place.isWrong }
      return value
    }
  }

  /// A whole number that is not negative.
  package static var count: Self { .number(in: 0...Value.max) }
}

extension MemberValue where Value == UTCDate {
  package static var date: Self { .parsed { UTCDate($0) } }
}

extension MemberValue where Value == JSONObject {
  /// An object that is kept as it is.
  package static var members: Self {
    Self(.members, of: \.object, JSONValue.object) { members, _ in members }
  }
}

extension MemberValue where Value: MemberCoded {
  package static var object: Self {
    Self(.object(Value.self), of: \.object, { .object($0.json) }) { (members, place) throws(MemberRefusal) in
      try Value(members, at: place)
    }
  }
}

extension MemberValue where Value: CaseCoded {
  /// An object with the members of a case, whose name comes first and is the value of the member `name`.
  package static func cases(_ name: String) -> Self {
    func write(_ value: Value) -> JSONValue {
      let (kind, members) = value.members
      return .object(members.reduce(into: [name: .string(kind)]) { $0[$1.name] = $1.value })
    }
    return Self(.members, of: \.object, write) { (members, place) throws(MemberRefusal) in
      if let kind = members[name]?.string, let value = Value(kind, lenient: members) { return value }
      throw place.isWrong
    }
  }
}

extension MemberValue where Value == [String: String] {
  /// An object of strings, written in the order of its names. `fault` returns the reason to refuse a name.
  package static func dictionary(refusing fault: @escaping (String) -> Message? = { _ in nil }) -> Self {
    Self(
      .texts, of: \.object,
      { .object($0.sorted { $0.key < $1.key }.reduce(into: [:]) { $0[$1.key] = .string($1.value) }) }
    ) { (members, place) throws(MemberRefusal) in
      var texts: [String: String] = [:]
      for member in members {
        let place = place.inside(member.name)
        if let reason = fault(member.name) { throw place.refusal(reason) }
        texts[member.name] = try MemberValue<String>.text.read(member.value, place)
      }
      return texts
    }
  }
}

extension JSONValue {
  package static func texts(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

  /// The elements of an array of strings.
  package var strings: [String]? {
    guard let array else { return nil }
    let texts = array.compactMap(\.string)
    return texts.count == array.count ? texts : nil
  }

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
}
