import LoginCore

extension CommandRun {
  /// `tokentry providers`: the presets, or one preset's object as it is in its file.
  func providers() throws(Failure) -> String {
    if let operand { return try catalog.preset(operand).json.text + "\n" }
    let list = catalog.files().map { file -> JSONValue in
      var entry: JSONObject = ["provider": .string(file.name)]
      do throws(Failure) {
        let preset = try ProviderCatalog.read(file.path)
        entry["name"] = preset.name.map(JSONValue.string)
        entry["verified"] = .bool(preset.isVerified)
        if !preset.variables.isEmpty {
          entry["variables"] = .object(
            preset.variables.reduce(into: [:]) { $0[$1.name] = .string($1.meaning) })
          entry["variable_defaults"] = preset.json["variable_defaults"]
        }
      } catch {
        messages.warning(error.message)
        entry["error"] = .string(error.message)
      }
      entry["file"] = .string(file.path)
      return .object(entry)
    }
    let object: JSONObject = ["providers": .array(list)]
    return object.text + "\n"
  }
}
