/// A member of an object in a preset file. What it may hold is made where there is such a member: to make all of them takes
/// longer than to read the few that an account keeps.
struct PresetMember<Described: PresetObject>: Sendable {
  let name: String
  let content: @Sendable () -> PresetContent<Described>

  init(_ name: String, _ content: @autoclosure @escaping @Sendable () -> PresetContent<Described>) {
    (self.name, self.content) = (name, content)
  }
}

/// What a member may hold, what it says of whatever the object describes, and when it is written.
struct PresetContent<Described: PresetObject>: Sendable {
  typealias Path<Value> = any WritableKeyPath<Described, Value> & Sendable

  let kind: PresetKind
  let read: @Sendable (inout Described, JSONValue, PresetFilling) throws(PresetRefusal) -> Void
  /// Nothing where there is nothing to say.
  let write: @Sendable (Described) -> JSONValue?

  init<Value: Sendable>(
    _ value: PresetValue<Value>, read: @escaping @Sendable (inout Described, Value) -> Void,
    write: @escaping @Sendable (Described) -> Value?
  ) {
    kind = value.kind
    self.read = { (described, json, filling) throws(PresetRefusal) in
      if let value = try value.read(json, filling) { read(&described, value) }
    }
    self.write = { write($0).map(value.write) }
  }

  /// One that is written where there is a value.
  static func some<Value: Sendable>(_ value: PresetValue<Value>, _ path: Path<Value?>) -> Self {
    Self(value, read: { $0[keyPath: path] = $1 }, write: { $0[keyPath: path] })
  }

  /// One that is always written.
  static func always<Value: Sendable>(_ value: PresetValue<Value>, _ path: Path<Value>) -> Self {
    Self(value, read: { $0[keyPath: path] = $1 }, write: { $0[keyPath: path] })
  }

  /// One that is written where the value is not the default.
  static func unusual<Value: Equatable & Sendable>(_ value: PresetValue<Value>, _ path: Path<Value>) -> Self {
    Self(value, read: { $0[keyPath: path] = $1 }) { described in
      described[keyPath: path] == Described()[keyPath: path] ? nil : described[keyPath: path]
    }
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

  /// Reads an object whose members have been checked.
  init(_ object: JSONObject, filledIn template: Template) throws(PresetRefusal) {
    self.init()
    for member in Self.members {
      guard let json = object[member.name] else { continue }
      try member.content().read(&self, json, PresetFilling(member: member.name, template: template))
    }
  }

  /// What has to be said to describe exactly this.
  var json: JSONObject { Self.members.reduce(into: [:]) { $0[$1.name] = $1.content().write(self) } }
}
