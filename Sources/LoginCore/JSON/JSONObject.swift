/// The members of a JSON object: in the order in which they were written, and no name twice.
public struct JSONObject: Sendable, Equatable {
  private var members: [Member] = []
  /// Where they are, once there are too many of them to look through for every name.
  private var places: [ByteName: Int] = [:]

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
  init(uniqueMembers: [Member]) {
    members = uniqueMembers
    findPlaces()
  }

  /// The value of a member. A new member goes to the end, a changed one keeps its place.
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

  /// Up to here a comparison with every name is faster than a hash.
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
}

extension JSONObject {
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
  /// Members without a value are left out.
  public init(dictionaryLiteral members: (String, JSONValue?)...) {
    for (name, value) in members { self[name] = value }
  }
}
