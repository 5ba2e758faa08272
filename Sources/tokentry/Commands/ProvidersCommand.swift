import LoginCore
import Wording

/// `tokentry providers`: the presets, or one preset's object as it is in its file.
struct ProvidersCommand: Action {
  private let run: Composition
  private let name: String?

  init(_ settings: Settings, _ run: Composition) {
    self.run = run
    name = settings.operand
  }

  func text() throws(Failure) -> String {
    if let name { return try run.catalog.preset(name).json.text + "\n" }
    let list = run.catalog.files().map { file -> JSONValue in
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
        run.messages.warning(.failure(error))
        entry["error"] = .string(Report(error).message)
      }
      entry["file"] = .string(file.path)
      return .object(entry)
    }
    let object: JSONObject = ["providers": .array(list)]
    return object.text + "\n"
  }
}
