/// A member of an object in a preset file. What it may hold is made where there is such a member: to make all of them takes
/// longer than to read the few that an account keeps.
struct PresetMember<Described: Sendable>: Sendable {
  let name: String
  let content: @Sendable () -> PresetContent<Described>

  init(_ name: String, _ content: @autoclosure @escaping @Sendable () -> PresetContent<Described>) {
    (self.name, self.content) = (name, content)
  }
}

/// What a member may hold, what it says of whatever the object describes, and when it is written.
struct PresetContent<Described: Sendable>: Sendable {
  /// A key path would say both at once, but to make one takes the program longer than to read a whole provider without.
  typealias Setter<Value> = @Sendable (inout Described, Value) -> Void
  typealias Getter<Value> = @Sendable (Described) -> Value

  let kind: PresetKind
  let read: @Sendable (inout Described, JSONValue, PresetFilling) throws(PresetRefusal) -> Void
  /// Nothing where there is nothing to say.
  let write: @Sendable (Described) -> JSONValue?

  init<Value: Sendable>(
    _ value: PresetValue<Value>, read: @escaping Setter<Value>, write: @escaping Getter<Value?>
  ) {
    kind = value.kind
    self.read = { (described, json, filling) throws(PresetRefusal) in
      if let value = try value.read(json, filling) { read(&described, value) }
    }
    self.write = { write($0).map(value.write) }
  }

  /// One that is written where there is a value.
  static func some<Value: Sendable>(
    _ value: PresetValue<Value>, _ get: @escaping Getter<Value?>, _ set: @escaping Setter<Value>
  ) -> Self {
    Self(value, read: set, write: get)
  }

  /// One that is always written.
  static func always<Value: Sendable>(
    _ value: PresetValue<Value>, _ get: @escaping Getter<Value>, _ set: @escaping Setter<Value>
  ) -> Self {
    Self(value, read: set, write: get)
  }

  /// One that is written where the value is not the default.
  static func unusual<Value: Equatable & Sendable>(
    _ value: PresetValue<Value>, _ get: @escaping Getter<Value>, _ set: @escaping Setter<Value>
  ) -> Self where Described: PresetObject {
    Self(value, read: set) { get($0) == get(Described()) ? nil : get($0) }
  }

  /// One that has no effect on a login and is not written.
  static func idle<Value: Sendable>(_ value: PresetValue<Value>) -> Self {
    Self(value, read: { _, _ in }, write: { _ in nil })
  }
}

/// What an object in a preset file describes; without members it is what the standards say.
protocol PresetObject: Sendable {
  init()
  /// In the order in which they are written. What one changes, a later one may change again.
  static var members: [PresetMember<Self>] { get }
}

extension PresetObject {
  static var kind: PresetKind {
    var kinds: [String: @Sendable () -> PresetKind] = [:]
    for member in members { kinds[member.name] = { member.content().kind } }
    return .object(kinds)
  }

  /// Reads an object of which every member has to be known and of the right kind.
  init(_ object: JSONObject, filledIn template: Template, at path: [String] = []) throws(PresetRefusal) {
    self.init()
    var known = 0
    for member in Self.members {
      guard let json = object[member.name] else { continue }
      known += 1
      let content = member.content()
      let filling = PresetFilling(path: path + [member.name], template: template)
      try content.kind.check(json, at: filling.path)
      try content.read(&self, json, filling)
    }
    if known < object.count { try Self.kind.check(.object(object), at: path) }  // which names it
  }

  /// What has to be said to describe exactly this.
  var json: JSONObject { Self.members.reduce(into: [:]) { $0[$1.name] = $1.content().write(self) } }
}
