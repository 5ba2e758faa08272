@testable import LoginCore

extension Check {
  /// Preset files.
  static let preset = Check(growing: [
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
    do throws(JSONError) { preset = try Preset(bytes, extra: .skipped) } catch {
      require(
        error.line >= 1 && error.line <= 1 + bytes.count { $0 == 0x0A },
        "an error is in a line of the file: \(error)")
      return checkText(of: Failure(.invalidConfiguration, error.located))
    }
    require(
      (try? Preset(preset.json.text.bytes))?.json == preset.json,
      "a preset can be read back: \(preset.json.text)")
    let value = fillings[Int(PlainCryptography.mixed(bytes, 2)[1]) % fillings.count]
    let values = Dictionary(preset.variables.map { ($0.name, value) }) { $1 }
    do throws(Failure) { check(try preset.provider(variables: values, clientID: value)) } catch {
      checkText(of: error)
    }
  }

  /// Values for variables. Some fit and some do not.
  private static let fillings = ["a", "a.example", "1", "%2F", "@evil.example", "..", "/?#"]

  /// Checks that a provider is kept unchanged, and that its addresses and header fields are valid.
  private static func check(_ provider: Provider) {
    let text = provider.json.text
    let again = try? Provider(strict: provider.json)
    require(again?.json.text == text, "a provider is kept unchanged: \(text)")
    for endpoint in provider.endpoints.values {
      require((try? Endpoint(endpoint.description)) == endpoint, "an endpoint is an address: \(endpoint)")
    }
    for header in provider.headers {
      require(
        isShowable(header.value) || !header.value.utf8.contains { $0 < 0x20 },
        "a header field has no control characters: \(header)")
      require(header.name.lowercased() != "authorization", "a preset does not set Authorization")
    }
  }
}
