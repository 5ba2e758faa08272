/// A JSON value (RFC 8259). It keeps the order of members and the digits of numbers, so that a token can be passed on
/// exactly as the provider sent it.
public enum JSONValue: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number as it is written.
  case number(JSONNumber)
  /// A string, decoded.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object.
  case object(JSONObject)
}

extension JSONValue {
  /// The text of a string, or nil for another value.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The members of an object, or nil for another value.
  public var object: JSONObject? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The elements of an array, or nil for another value.
  public var array: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The value of `true` or `false`, or nil for another value.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The digits of a number, or nil for another value.
  public var number: JSONNumber? {
    if case .number(let number) = self { number } else { nil }
  }

  /// A number rounded towards zero, or nil if it does not fit.
  package var truncated: Int64? {
    number?.truncated
  }
}

extension JSONValue: Equatable {
  /// Strings are equal only if their bytes are.
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

/// A JSON number in the digits in which it was written: `1.10` stays `1.10`, and large integers lose no digits.
public struct JSONNumber: Sendable, Equatable {
  /// The number as it is written (RFC 8259 section 6).
  public let literal: String

  /// The caller must have checked the grammar.
  init(literal: String) { self.literal = literal }

  /// Creates an integer.
  public init(_ value: Int64) { literal = String(value) }

  /// True if the number is exactly zero, rather than too small for a `Double`.
  var isZero: Bool {
    !literal.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.contains { $0.isDigit && $0 != UInt8(ascii: "0") }
  }

  /// The number, or the nearest one that a `Double` can be.
  public var double: Double? { Double(literal) }

  /// The number rounded towards zero, or nil if it does not fit.
  public var truncated: Int64? {
    if let exact = Int64(literal) { return exact }
    guard let value = Double(literal), value > -9.2e18, value < 9.2e18 else { return nil }
    return Int64(value)
  }
}

/// The members of a JSON object, in the order in which they were written. Every name is unique.
public struct JSONObject: Sendable, Equatable {
  private var members: [Member] = []
  /// The positions of the members by name, built only when there are too many to search one by one.
  private var places: [ByteName: Int] = [:]

  /// A name and its value.
  public struct Member: Sendable {
    /// The name of the member.
    public let name: String
    /// The value of the member.
    public let value: JSONValue
  }

  /// Creates an object without members.
  public init() {}

  /// The caller must have checked that the names are unique.
  init(uniqueMembers: [Member]) {
    members = uniqueMembers
    findPlaces()
  }

  /// The value of a member. A new member goes to the end, and a changed one keeps its place.
  public subscript(name: String) -> JSONValue? {
    get { place(of: name).map { members[$0].value } }
    set {
      switch (place(of: name), newValue) {
      case (let place?, let value?): members[place] = Member(name: name, value: value)
      case (let place?, nil):
        members.remove(at: place)
        findPlaces()
      case (nil, let value?):
        members.append(Member(name: name, value: value))
        if places.isEmpty { findPlaces() } else { places[ByteName(text: name)] = members.count - 1 }
      case (nil, nil): break
      }
    }
  }

  /// Up to this number, comparing with every name is faster than hashing.
  private static let fewAtMost = 32

  private func place(of name: String) -> Int? {
    if places.isEmpty { return members.firstIndex { $0.name.isIdentical(to: name) } }
    return places[ByteName(text: name)]
  }

  private mutating func findPlaces() {
    places.removeAll(keepingCapacity: true)
    if members.count <= Self.fewAtMost { return }
    places.reserveCapacity(members.count)
    for (place, member) in members.enumerated() { places[ByteName(text: member.name)] = place }
  }

  public static func == (left: Self, right: Self) -> Bool { left.members == right.members }
}

extension JSONObject.Member: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    left.name.isIdentical(to: right.name) && left.value == right.value
  }
}

extension JSONObject: RandomAccessCollection {
  public var startIndex: Int { members.startIndex }
  public var endIndex: Int { members.endIndex }
  public subscript(position: Int) -> Member { members[position] }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Leaves out members whose value is nil.
  public init(dictionaryLiteral members: (String, JSONValue?)...) {
    for (name, value) in members { self[name] = value }
  }
}
