/// A JSON value (RFC 8259) that keeps what matters when a token is handed on: the order of members and the
/// literals of numbers.
public enum JSONValue: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number as it is written.
  case number(JSONNumber)
  /// A string, decoded.
  case string(String)
  /// Elements in their order.
  case array([JSONValue])
  /// Members in their order.
  case object(JSONObject)
}

extension JSONValue {
  /// The text of a string.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The members of an object.
  public var object: JSONObject? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The elements of an array.
  public var array: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The value of `true` or `false`.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// A number rounded towards zero, where that fits.
  package var truncated: Int64? {
    if case .number(let number) = self { number.truncated } else { nil }
  }

  /// What kind of value it is.
  var kind: JSONKind {
    switch self {
    case .null: .null
    case .bool: .flag
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}

/// What kinds of JSON values there are.
public enum JSONKind: Sendable, Equatable {
  /// The kind of that name; a flag is `true` or `false`.
  case null, flag, number, string, array, object
}

extension JSONValue: Equatable {
  /// Strings are equal if their bytes are.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a.isIdentical(to: b)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral text: String) { self = .string(text) }
  public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral members: (String, JSONValue?)...) {
    var object = JSONObject()
    for (name, value) in members { object[name] = value }
    self = .object(object)
  }
}
