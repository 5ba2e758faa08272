/// Values of a preset, in which variables are filled in, tokentry-provider(5).
extension MemberValue where Value == String {
  /// A string with variables.
  static var pattern: Self {
    Self(text: \.self) { (text, place) throws(MemberRefusal) in try place.fill(text) }
  }

  /// A host with variables. A variable may be a server with a path, which is cut off.
  package static var host: Self {
    Self(text: \.self) { (text, place) throws(MemberRefusal) in try place.fill(text).splitOnce(at: "/").0 }
  }
}

extension MemberValue {
  /// An address with variables.
  static func address(_ parse: @escaping (String) throws(Message) -> Value) -> Self
  where Value: CustomStringConvertible {
    Self(text: \.description) { (text, place) throws(MemberRefusal) in try place.address(text, parse) }
  }
}

extension MemberValue where Value == Origin {
  /// An origin with variables. A variable may be a server with a path, which is cut off. A path in the file itself is a
  /// mistake.
  static var origin: Self {
    Self(text: \.description) { (pattern, place) throws(MemberRefusal) in
      let hasPath = !withoutPath(pattern).isIdentical(to: pattern)
      return try place.address(pattern) { text throws(Message) in
        try Origin(hasPath ? text : withoutPath(text))
      }
    }
  }

  private static func withoutPath(_ text: String) -> String {
    let start = text.startOfAuthority ?? text.startIndex
    return String(text[..<start]) + String(text[start...]).splitOnce(at: "/").0
  }
}

extension MemberValue where Value: RangeReplaceableCollection<Parameter> {
  /// An object of strings with variables. `fault` returns the reason to refuse one.
  static func texts(refusing fault: @escaping (Parameter) -> Message? = { _ in nil }) -> Self {
    Self(.texts, of: \.object, { .object($0.reduce(into: [:]) { $0[$1.name] = .string($1.value) }) }) {
      (members, place) throws(MemberRefusal) in
      let list = try members.map { member throws(MemberRefusal) in
        let place = place.inside(member.name)
        let parameter = Parameter(member.name, try MemberValue<String>.pattern.read(member.value, place))
        if let reason = fault(parameter) { throw place.refusal(reason) }
        return parameter
      }
      return Value(list)
    }
  }
}

extension MemberPlace {
  fileprivate func fill(_ pattern: String) throws(MemberRefusal) -> String {
    do throws(Message) { return try template.text(pattern) } catch { throw prefixed(error) }
  }

  /// Returns the address that a pattern becomes.
  fileprivate func address<Address>(
    _ pattern: String, _ parse: (String) throws(Message) -> Address
  ) throws(MemberRefusal) -> Address {
    do throws(Message) {
      let text = try template.address(pattern)
      do throws(Message) { return try parse(text) } catch { throw "\"\(text, upTo: 100)\" is \(error)" }
    } catch {
      throw prefixed(error)
    }
  }

  private func prefixed(_ reason: Message) -> MemberRefusal {
    refusal("\(path.joined(separator: ".")): \(reason)")
  }
}
