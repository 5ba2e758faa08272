import Language
import LoginCore
import SignIn

/// `tokentry providers`: lists the presets, or prints the file of one.
struct ProvidersCommand: Action {
  private let shared: Composition
  private let name: String?
  private let isForReader: Bool

  static let options = AnswerWishes.options

  init(_ wishes: Wishes, _ shared: Composition) {
    self.shared = shared
    name = wishes.operand
    isForReader = wishes.answer.isForReader
  }

  func text() throws(Failure) -> String {
    if let name { return try shared.catalog.preset(name).json.text + "\n" }
    let presets = shared.catalog.files().map { file -> Listed in
      do throws(Failure) {
        return Listed(name: file.name, path: file.path, preset: .success(try ProviderCatalog.read(file.path)))
      } catch {
        if !isForReader { shared.messages.warning(error.message) }
        return Listed(name: file.name, path: file.path, preset: .failure(error))
      }
    }
    if let lack = shared.catalog.lack { shared.messages.warning(lack) }
    if isForReader { return Self.table(presets, .ofTable) }
    let object: JSONObject = ["providers": .array(presets.map { .object($0.json) })]
    return object.text + "\n"
  }

  /// A preset, or the reason why its file cannot be used.
  struct Listed {
    let name: String
    let path: String
    let preset: Result<Preset, Failure>
  }

  static func table(_ presets: [Listed], _ style: TerminalStyle) -> String {
    let heads: [Message] = ["PRESET", "PROVIDER", "NEEDS"]
    return style.table([heads.map { ($0.text, .faint) }] + presets.map(\.row))
  }
}

extension ProvidersCommand.Listed {
  fileprivate var row: [TerminalStyle.Cell] {
    switch preset {
    case .success(let preset):
      let defaults = preset.variableDefaults
      let needs = preset.variables.map { name, _ in
        defaults[name] == nil ? "--var \(name)=…" : "[--var \(name)=…]"
      }.joined(separator: " ")
      return [(name, .bold), ((preset.name ?? "").forDisplay(limit: 60), nil)]
        + (needs.isEmpty ? [] : [(needs, nil)])
    case .failure(let failure):
      return [(name, .bold), (failure.message.text.forDisplay(limit: 200), .red)]
    }
  }

  fileprivate var json: JSONObject {
    var entry: JSONObject = ["provider": .string(name)]
    switch preset {
    case .success(let preset):
      entry["name"] = preset.name.map(JSONValue.string)
      entry["tested"] = preset.tested.map(JSONValue.string)
      if !preset.variables.isEmpty {
        entry["variables"] = .object(
          preset.variables.reduce(into: [:]) { $0[$1.name] = .string($1.meaning) })
        entry["variable_defaults"] = preset.json["variable_defaults"]
      }
    case .failure(let failure): entry["error"] = .string(failure.message.description)
    }
    entry["file"] = .string(path)
    return entry
  }
}
