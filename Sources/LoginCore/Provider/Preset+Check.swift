/// What can be said of a preset before its variables are filled in.
extension Preset {
  /// The provider that a preset describes, of which every member has to be known and of the right kind.
  func provider(filledIn template: Template) throws(PresetFault) -> Provider {
    try located { () throws(PresetRefusal) in try Provider(json, filledIn: template) }
  }

  private func located<Result>(_ body: () throws(PresetRefusal) -> Result) throws(PresetFault) -> Result {
    do throws(PresetRefusal) { return try body() } catch { throw fault(error.path, error.reason) }
  }

  /// Names that mean something else already.
  func checkNames() throws(PresetFault) {
    for name in variables.map(\.name) {
      if !Template.isName(name) { throw fault(["variables", name], .variableName) }
      if name == "client_id" { throw fault(["variables", name], .reservedVariable) }
    }
    for key in ["authorization_parameters", "token_parameters"] {
      for text in json[key]?.texts ?? [] where ReservedNames.parameters.contains(text.name) {
        throw fault([key, text.name], .reservedParameter(text.name))
      }
    }
  }

  /// What need not be given has to be declared.
  func checkDefaults() throws(PresetFault) {
    let declared = declared
    for name in json["variable_defaults"]?.texts.map(\.name) ?? [] where declared[name] == nil {
      throw fault(["variable_defaults", name], .defaultWithoutVariable(name))
    }
  }
}
