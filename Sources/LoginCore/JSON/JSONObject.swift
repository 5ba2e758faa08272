/// The members of a JSON object: in the order in which they were written, and no name twice.
public struct JSONObject: Sendable, Equatable {
  private var members: [Member] = []

  /// One name and its value.
  public struct Member: Sendable {
    /// The name.
    public let name: String
    /// The value.
    public let value: JSONValue
  }

  /// An object without members.
  public init() {}

  /// The caller has checked that no name is there twice.
  init(uniqueMembers: [Member]) { members = uniqueMembers }

  /// The value of a member. A new member goes to the end, a changed one keeps its place.
  public subscript(name: String) -> JSONValue? {
    get { members.first { $0.name.isIdentical(to: name) }?.value }
    set {
      let index = members.firstIndex { $0.name.isIdentical(to: name) }
      switch (index, newValue) {
      case (let index?, let value?): members[index] = Member(name: name, value: value)
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(name: name, value: value))
      case (nil, nil): break
      }
    }
  }
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
  /// Members without a value are left out.
  public init(dictionaryLiteral members: (String, JSONValue?)...) {
    for (name, value) in members { self[name] = value }
  }
}
