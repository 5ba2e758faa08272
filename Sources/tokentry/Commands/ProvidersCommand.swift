import LoginCore
import Wording

/// `tokentry providers`: the presets, or one preset's object as it is in its file.
struct ProvidersCommand: Action {
  private let run: Composition
  private let name: String?
  private let isForReader: Bool

  init(_ settings: Settings, _ run: Composition) {
    self.run = run
    name = settings.operand
    isForReader = settings.isForReader
  }

  func text() throws(Failure) -> String {
    if let name { return try run.catalog.preset(name).json.text + "\n" }
    let presets = run.catalog.files().map { file -> (name: String, path: String, Result<Preset, Failure>) in
      do throws(Failure) {
        return (file.name, file.path, .success(try ProviderCatalog.read(file.path)))
      } catch {
        if !isForReader { run.messages.warning(.failure(error)) }
        return (file.name, file.path, .failure(error))
      }
    }
    if isForReader { return TableText.providers(presets.map { Self.row($0.name, $0.2) }, .ofUser) }
    let list = presets.map { JSONValue.object(Self.entry($0.name, $0.path, $0.2)) }
    let object: JSONObject = ["providers": .array(list)]
    return object.text + "\n"
  }

  private static func row(_ name: String, _ read: Result<Preset, Failure>) -> TableText.Preset {
    switch read {
    case .success(let preset):
      TableText.Preset(name, title: preset.name, variables: preset.variables.map(\.name))
    case .failure(let failure):
      TableText.Preset(name, title: nil, variables: [], fault: Report(failure).message)
    }
  }

  private static func entry(_ name: String, _ path: String, _ read: Result<Preset, Failure>) -> JSONObject {
    var entry: JSONObject = ["provider": .string(name)]
    switch read {
    case .success(let preset):
      entry["name"] = preset.name.map(JSONValue.string)
      entry["verified"] = .bool(preset.isVerified)
      if !preset.variables.isEmpty {
        entry["variables"] = .object(
          preset.variables.reduce(into: [:]) { $0[$1.name] = .string($1.meaning) })
        entry["variable_defaults"] = preset.json["variable_defaults"]
      }
    case .failure(let failure): entry["error"] = .string(Report(failure).message.source)
    }
    entry["file"] = .string(path)
    return entry
  }
}
