/// A type whose JSON members are named in one place, which both reads and writes them.
package protocol MemberNaming: Sendable {
  /// Names the members in the order in which they are written.
  mutating func code(_ coder: inout MemberCoder)
}

extension MemberNaming {
  /// The members that differ from the default.
  package var json: JSONObject {
    var (copy, coder) = (self, MemberCoder())
    copy.code(&coder)
    return coder.json
  }
}

/// A type all of whose members have a default, so that a value can be made before they are read.
package protocol MemberCoded: MemberNaming {
  /// Makes a value in which every member has its default.
  init()
}

extension MemberCoded {
  /// Reads what a person has written. Throws unless every member is known and right.
  package init(strict object: JSONObject, at path: [String] = []) throws(MemberRefusal) {
    try self.init(object, at: MemberPlace(path, .verbatim))
  }

  init(_ object: JSONObject, at place: MemberPlace) throws(MemberRefusal) {
    self.init()
    var coder = MemberCoder(reading: object, at: place)
    code(&coder)
    try coder.finish()
  }

  /// Reads what a program has written, possibly in another version. Leaves out members that are unknown or wrong. Returns
  /// nil if a required one is missing or wrong.
  package init?(lenient object: JSONObject) {
    do throws(MemberRefusal) {
      try self.init(object, at: MemberPlace([], .verbatim, isLenient: true))
    } catch {
      return nil
    }
  }

  /// The names of all members, and their kinds.
  package static var members: [(name: String, kind: MemberKind)] {
    var (value, coder) = (Self(), MemberCoder(describing: ()))
    value.code(&coder)
    return coder.members
  }
}

/// An enumeration whose cases have members of their own. It is read leniently.
package protocol CaseCoded: Sendable {
  /// Every case, with the defaults of its members. Among cases with one name, the first that can be read is taken.
  static var cases: [Self] { get }
  /// Returns the name of the case, and the case with its members, which are coded in the order in which they are written.
  func coded(by coder: inout MemberCoder) -> (name: String, value: Self)
}

extension CaseCoded {
  /// The name of the case, and its members.
  package var members: (name: String, json: JSONObject) {
    var coder = MemberCoder()
    return (coded(by: &coder).name, coder.json)
  }

  /// Reads ``members``. Returns nil if the name is unknown, or if a required member is missing or wrong.
  package init?(_ name: String, lenient members: JSONObject) {
    for value in Self.cases where value.members.name == name {
      var coder = MemberCoder(reading: members, at: MemberPlace([], .verbatim, isLenient: true))
      self = value.coded(by: &coder).value
      if (try? coder.finish()) != nil { return }
    }
    return nil
  }
}

/// Reads or writes the members of a JSON object, so that code which names them once does both. Members with their
/// default value are not written.
///
/// A strict reader is for what people write, and for documents whose meaning depends on every member. It remembers the first
/// member that is wrong or unknown, for ``finish()`` to throw. A lenient one remembers only a required member that is missing
/// or wrong.
package struct MemberCoder {
  private enum Work {
    case writing, describing
    case reading(JSONObject)
  }

  private let work: Work
  private let place: MemberPlace
  private var names: [String] = []
  private var refusal: MemberRefusal?
  private var keepsOthers = false
  /// The members that have been written.
  package private(set) var json: JSONObject = [:]
  fileprivate private(set) var members: [(name: String, kind: MemberKind)] = []

  /// Writes.
  package init() { (work, place) = (.writing, MemberPlace([], .verbatim)) }

  fileprivate init(describing: Void) { (work, place) = (.describing, MemberPlace([], .verbatim)) }

  /// Reads an object. `path` leads to it, for refusals.
  package init(reading object: JSONObject, at path: [String] = []) {
    self.init(reading: object, at: MemberPlace(path, .verbatim))
  }

  init(reading object: JSONObject, at place: MemberPlace) { (work, self.place) = (.reading(object), place) }

  /// A member that may be absent.
  package mutating func value<Value>(
    _ name: String, _ value: inout Value?, _ form: @autoclosure () -> MemberValue<Value>
  ) {
    switch work {
    case .writing: json[name] = value.map { form().write($0) }
    case .describing: members.append((name, form().kind))
    case .reading: value = read(name, form)
    }
  }

  /// A member with a default.
  package mutating func value<Value: Equatable>(
    _ name: String, _ value: inout Value, else usual: Value, _ form: @autoclosure () -> MemberValue<Value>
  ) {
    var written = value == usual ? nil : value
    self.value(name, &written, form())
    value = written ?? usual
  }

  /// A member that may be absent, but that even a lenient reader refuses if it is wrong.
  package mutating func checked<Value>(
    _ name: String, _ value: inout Value?, _ form: @autoclosure () -> MemberValue<Value>
  ) {
    self.value(name, &value, form())
    if case .reading(let object) = work, value == nil, object[name] != nil {
      refuse(place.inside(name).isWrong)
    }
  }

  /// A member that must be there.
  package mutating func required<Value>(
    _ name: String, _ value: inout Value?, _ form: @autoclosure () -> MemberValue<Value>
  ) {
    self.value(name, &value, form())
    if value == nil { refuse(place.inside(name).isWrong) }
  }

  /// A member that must be there.
  package mutating func required<Value>(
    _ name: String, _ value: inout Value, _ form: @autoclosure () -> MemberValue<Value>
  ) {
    var written: Value? = value
    required(name, &written, form())
    if let written { value = written }
  }

  /// Reads a member without which there is no value yet that could be coded.
  package mutating func needed<Value>(
    _ name: String, _ form: @autoclosure () -> MemberValue<Value>
  ) throws(MemberRefusal) -> Value {
    if let value = read(name, form) { return value }
    throw refusal ?? place.inside(name).isWrong
  }

  package mutating func text(_ name: String, _ value: inout String?) { self.value(name, &value, .text) }

  package mutating func texts(_ name: String, _ value: inout [String]) {
    self.value(name, &value, else: [], .list(.text))
  }

  package mutating func flag(_ name: String, _ value: inout Bool) {
    self.value(name, &value, else: false, .flag)
  }

  /// A member that must be there, of a value that cannot be changed.
  package mutating func required<Value>(
    _ name: String, _ value: Value, _ form: @autoclosure () -> MemberValue<Value>
  ) -> Value {
    var value = value
    required(name, &value, form())
    return value
  }

  /// A member that may be absent, of a value that cannot be changed.
  package mutating func value<Value>(
    _ name: String, _ value: Value?, _ form: @autoclosure () -> MemberValue<Value>
  ) -> Value? {
    var value = value
    self.value(name, &value, form())
    return value
  }

  /// A member that is `null` without a value, of a value that cannot be changed.
  package mutating func valueOrNull<Value>(
    _ name: String, _ value: Value?, _ form: @autoclosure () -> MemberValue<Value>
  ) -> Value? {
    let value = self.value(name, value, form())
    if case .writing = work, value == nil { json[name] = .null }
    return value
  }

  /// The members of a value that cannot be changed.
  package mutating func members<Value: MemberNaming>(_ value: Value) -> Value {
    var value = value
    value.code(&self)
    return value
  }

  /// A string that must be there.
  package mutating func text(_ name: String, _ text: String) -> String { required(name, text, .text) }

  /// A member that is checked, but has no effect and is not written.
  mutating func ignored<Value>(_ name: String, _ form: @autoclosure () -> MemberValue<Value>) {
    var value: Value?
    self.value(name, &value, form())
  }

  private mutating func read<Value>(_ name: String, _ form: () -> MemberValue<Value>) -> Value? {
    guard case .reading(let object) = work else { return nil }
    names.append(name)
    guard let json = object[name] else { return nil }
    do throws(MemberRefusal) {
      return try form().read(json, place.inside(name))
    } catch {
      if !place.isLenient { refuse(error) }
      return nil
    }
  }

  private mutating func refuse(_ refusal: MemberRefusal) {
    if case .reading = work, self.refusal == nil { self.refusal = refusal }
  }

  /// Keeps the members that are still unnamed, such as those of a later version, and writes them as they are.
  package mutating func others(_ others: inout JSONObject) {
    switch work {
    case .writing: for member in others where json[member.name] == nil { json[member.name] = member.value }
    case .describing: break
    case .reading: (others, keepsOthers) = (unnamed, true)
    }
  }

  private var unnamed: JSONObject {
    guard case .reading(let object) = work else { return [:] }
    return object.reduce(into: [:]) { unnamed, member in
      if !names.contains(where: member.name.isIdentical) { unnamed[member.name] = member.value }
    }
  }

  /// Ends a reading. Throws if a member was refused or, for a strict reader, is unknown. `further` are names that it may
  /// resemble.
  package func finish(orAmong further: @autoclosure () -> [String] = []) throws(MemberRefusal) {
    if let refusal { throw refusal }
    if keepsOthers || place.isLenient { return }
    if let unknown = unnamed.first {
      throw .unknownMember(unknown.name, at: place.path, among: names + further())
    }
  }
}

/// The path of the member that is refused, and the reason.
package struct MemberRefusal: Error {
  package let path: [String]
  package let reason: Message

  static func unknownMember(
    _ name: String, at path: [String] = [], among names: some Sequence<String>
  ) -> MemberRefusal {
    let nearest = nearestName(to: name, among: names)
    return MemberRefusal(
      path: path + [name],
      reason: nearest.map { "unknown member \"\(name, upTo: 60)\", did you mean \"\($0)\"?" }
        ?? "unknown member \"\(name, upTo: 60)\"")
  }
}
