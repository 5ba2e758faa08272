@testable import LoginCore

extension Room {
  /// Files of presets.
  static let preset = Room(
    name: "preset", longest: 3_072,
    growing: [
      ("variables", { elements($0, from: "{\"variables\":{", to: "}}") { "\"v\($0)\":\"x\"" } }),
      (
        "defaults",
        { count in
          let variables = elements(count / 2, from: "{\"variables\":{", to: "},") { "\"v\($0)\":\"x\"" }
          return variables
            + elements(count / 2, from: "\"variable_defaults\":{", to: "}}") { "\"v\($0)\":\"x\"" }
        }
      ),
      (
        "parameters",
        { elements($0, from: "{\"authorization_parameters\":{", to: "}}") { "\"v\($0)\":\"x\"" } }
      ),
      (
        "aliases",
        { elements($0, from: "{\"redirect_aliases\":[", to: "]}") { "\"https://a\($0).example/\"" } }
      ),
      (
        "pattern", { pieces($0, from: "{\"variables\":{\"a\":\"x\"},\"scope\":\"", to: "\"}") { _ in "{a}" } }
      ),
      ("braces", { pieces($0, from: "{\"scope\":\"", to: "\"}") { _ in "{" } }),
    ]
  ) { bytes in
    let preset: Preset
    do throws(PresetFault) { preset = try Preset(bytes) } catch {
      demand(
        error.line >= 1 && error.line <= 1 + bytes.count { $0 == 0x0A }, "a fault is in the file: \(error)")
      return checkWords(of: .caller(.unfitVariables(error.reason)))
    }
    demand(
      (try? Preset(preset.json.text.bytes))?.json == preset.json,
      "what was read is read again: \(preset.json.text)")
    let value = fillings[Int(PlainCryptography.mixed(bytes, 2)[1]) % fillings.count]
    let values = Dictionary(preset.variables.map { ($0.name, value) }) { $1 }
    do throws(Failure) { check(try preset.provider(variables: values, clientID: value)) } catch {
      checkWords(of: error)
    }
  }

  /// What may be put into the place of a variable, and what may not.
  private static let fillings = ["a", "a.example", "1", "%2F", "@evil.example", "..", "/?#"]

  /// A provider can be kept, and is read as it was. What was filled in changes no server that is not a variable itself.
  private static func check(_ provider: Provider) {
    let text = provider.json.text
    let again = try? Provider(json: provider.json)
    demand(again?.json.text == text, "a provider is kept as it was: \(text)")
    for endpoint in provider.endpoints.values {
      demand((try? Endpoint(endpoint.description)) == endpoint, "an endpoint is an address: \(endpoint)")
    }
    for header in provider.headers {
      demand(
        isShowable(header.value) || !header.value.utf8.contains { $0 < 0x20 }, "a header is one: \(header)")
      demand(header.name.lowercased() != "authorization", "a header is not one that requests set")
    }
  }
}
