/// Reads or writes the members of a JSON object, so that code which names them once does both. Members with their
/// default value are not written.
package struct MemberCoder {
  /// nil while writing.
  private let source: JSONObject?
  package private(set) var json: JSONObject = [:]

  package init(reading source: JSONObject?) { self.source = source }

  package mutating func value<Value: Equatable>(
    _ name: String, _ value: inout Value, else usual: Value, read: (JSONValue) -> Value?,
    write: (Value) -> JSONValue
  ) {
    if let source {
      value = source[name].flatMap(read) ?? usual
    } else if value != usual {
      json[name] = write(value)
    }
  }

  package mutating func value<Value: Equatable>(
    _ name: String, _ value: inout Value?, read: (JSONValue) -> Value?, write: (Value) -> JSONValue
  ) {
    self.value(name, &value, else: nil, read: read) { $0.map(write) ?? .null }
  }

  package mutating func text(_ name: String, _ value: inout String?) {
    self.value(name, &value, read: \.string, write: JSONValue.string)
  }

  package mutating func texts(_ name: String, _ value: inout [String]) {
    self.value(name, &value, else: [], read: \.strings, write: JSONValue.texts)
  }

  package mutating func flag(_ name: String, _ value: inout Bool) {
    self.value(name, &value, else: false, read: \.bool, write: JSONValue.bool)
  }

  /// A value whose members stand in this object.
  package mutating func include<Value>(
    _ value: inout Value, read: (JSONObject) -> Value, write: (Value) -> JSONObject
  ) {
    if let source {
      value = read(source)
    } else {
      for member in write(value) { json[member.name] = member.value }
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
}
