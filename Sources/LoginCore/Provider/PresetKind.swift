/// What a value in a preset file, tokentry-provider(5), may be.
indirect enum PresetKind: Sendable {
  case text
  case flag
  case oneOf([String])
  case list(PresetKind)
  /// An object of texts.
  case texts
  case responseType
  /// An object with these members, of each of which it is made out when it is there.
  case object([String: @Sendable () -> PresetKind])

  /// Kinds alone; addresses are checked when their variables have been filled in.
  func check(_ value: JSONValue, at path: [String] = []) throws(PresetRefusal) {
    switch (self, value) {
    case (.flag, .bool), (.text, .string): return
    case (.oneOf(let choices), .string(let text)):
      if choices.contains(where: text.isIdentical) { return }
      throw PresetRefusal(path: path, reason: .choice(text, of: choices))
    case (.responseType, .string(let text)):
      if ResponseType(text) == nil { throw PresetRefusal(path: path, reason: .responseType(text)) }
    case (.list(let element), .array(let values)):
      for value in values { try element.check(value, at: path) }
    case (.texts, .object(let members)):
      for member in members { try Self.text.check(member.value, at: path + [member.name]) }
    case (.object(let kinds), .object(let members)):
      for member in members {
        let path = path + [member.name]
        guard let kind = kinds[member.name] else {
          let nearest = nearestName(to: member.name, among: kinds.keys)
          throw PresetRefusal(path: path, reason: .unknownMember(member.name, nearest: nearest))
        }
        try kind().check(member.value, at: path)
      }
    default:
      let member = path.joined(separator: ".")
      throw PresetRefusal(path: path, reason: .kind(member: member, wanted: wanted, found: value.kind))
    }
  }

  /// What a value must be.
  var wanted: JSONKind {
    switch self {
    case .flag: .flag
    case .list: .array
    case .texts, .object: .object
    case .text, .oneOf, .responseType: .string
    }
  }
}

/// Which member of a preset is refused, and why.
struct PresetRefusal: Error {
  let path: [String]
  let reason: PresetFault.Reason
}
