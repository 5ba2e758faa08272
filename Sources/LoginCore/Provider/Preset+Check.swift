/// What can be said of a preset before its variables are filled in.
extension Preset {
  /// Every member has to be known and of the right kind.
  func checkMembers() throws(PresetFault) {
    for member in json { try checkKnown(member.name) }
  }

  private func checkKnown(_ name: String) throws(PresetFault) {
    guard let kind = PresetKey.kinds[name] else {
      throw fault([name], .unknownMember(name, nearest: nearestName(to: name, among: PresetKey.kinds.keys)))
    }
    guard let value = json[name] else { return }
    try check(value, kind, at: [name])
  }

  /// Names that mean something else already.
  func checkNames() throws(PresetFault) {
    for name in variables.map(\.name) {
      if !Self.isVariableName(name) {
        throw fault(["variables", name], .variableName)
      }
      if name == "client_id" { throw fault(["variables", name], .reservedVariable) }
    }
    for key in ["authorization_parameters", "token_parameters"] {
      for (name, _) in texts(key) where ReservedNames.parameters.contains(name) {
        throw fault([key, name], .reservedParameter(name))
      }
    }
  }

  /// What need not be given has to be declared.
  func checkDefaults() throws(PresetFault) {
    for (name, _) in texts("variable_defaults")
    where !variables.contains(where: { $0.name.isIdentical(to: name) }) {
      throw fault(["variable_defaults", name], .defaultWithoutVariable(name))
    }
  }

  private static func isVariableName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
  }

  /// Kinds alone; addresses are checked when their variables have been filled in.
  private func check(_ value: JSONValue, _ kind: PresetKey.Kind, at path: [String]) throws(PresetFault) {
    switch (kind, value) {
    case (.flag, .bool): return
    case (.oneOf(let choices), .string(let text)):
      if choices.contains(where: text.isIdentical) { return }
      throw fault(path, .choice(text, of: choices))
    case (.responseType, .string(let text)):
      if ResponseType(text) == nil { throw fault(path, .responseType(text)) }
    case (.text, .string), (.endpoint, .string), (.issuer, .string), (.redirectURI, .string),
      (.errorPage, .string), (.origin, .string):
      return
    case (.list(let element), .array(let values)):
      for value in values { try check(value, element, at: path) }
    case (.texts, .object(let members)):
      for member in members { try check(member.value, .text, at: path + [member.name]) }
    case (.object(let kinds), .object(let members)):
      for member in members {
        guard let kind = kinds[member.name] else {
          throw fault(path + [member.name], .unknownMember(member.name, nearest: nil))
        }
        try check(member.value, kind, at: path + [member.name])
      }
    default:
      throw fault(
        path, .kind(member: path.joined(separator: "."), wanted: kind.wanted, found: value.kind))
    }
  }
}

extension PresetKey.Kind {
  /// What a value must be.
  fileprivate var wanted: JSONKind {
    switch self {
    case .flag: .flag
    case .list: .array
    case .texts, .object: .object
    default: .string
    }
  }
}
