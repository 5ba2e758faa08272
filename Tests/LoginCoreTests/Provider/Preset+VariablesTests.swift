import Testing

@testable import LoginCore

@Suite("Preset, variables")
struct PresetVariablesTests {
  private func preset(_ variables: String = "{\"tenant\":\"your tenant\",\"zone\":\"\"}") throws -> Preset {
    try Preset(
      Array(
        """
        {"variables":\(variables),"authorization_endpoint":"https://{tenant}.auth0.com/{zone}/authorize",
         "redirect_uri":"app{client_id}://cb","scope":"{zone} {x-y}"}
        """.utf8))
  }

  private func unfit(_ reason: Message) -> Failure {
    Failure(.invalidConfiguration, "the values given for the preset do not fit: \(reason)")
  }

  @Test("Variables are listed with their meaning")
  func listed() throws {
    let variables = try preset().variables
    #expect(variables.map(\.name) == ["tenant", "zone"])
    #expect(variables.map(\.meaning) == ["your tenant", ""])
    #expect(try Preset(Array("{}".utf8)).variables.isEmpty)
  }

  @Test("Values are filled in everywhere, and so is the client identifier")
  func filledIn() throws {
    let provider = try preset().provider(variables: ["tenant": "acme", "zone": "a/b"], clientID: "42")
    #expect(provider.endpoints[.authorization]?.description == "https://acme.auth0.com/a%2Fb/authorize")
    #expect(provider.redirectURI?.description == "app42://cb")
    #expect(provider.scope == "a/b {x-y}")
  }

  @Test("Every variable needs a value")
  func missing() throws {
    let preset = try preset()
    expectFailure(.missingVariable("zone", meaning: "")) {
      _ = try preset.provider(variables: ["tenant": "a"], clientID: "1")
    }
    expectFailure(.missingVariable("tenant", meaning: "your tenant")) {
      _ = try preset.provider(variables: [:], clientID: "1")
    }
  }

  @Test("A default replaces a missing value, and every default belongs to a variable")
  func defaults() throws {
    let preset = try preset("{\"tenant\":\"\",\"zone\":\"\"},\"variable_defaults\":{\"tenant\":\"acme\"}")
    let usual = try preset.provider(variables: ["zone": "z"], clientID: "1")
    #expect(usual.endpoints[.authorization]?.description == "https://acme.auth0.com/z/authorize")
    let own = try preset.provider(variables: ["zone": "z", "tenant": "b"], clientID: "1")
    #expect(own.endpoints[.authorization]?.description == "https://b.auth0.com/z/authorize")
    expectFailure(.missingVariable("zone", meaning: "")) {
      _ = try preset.provider(variables: [:], clientID: "1")
    }
    let text = "{\n\"variable_defaults\": {\n\"zone\": \"z\"}}"
    #expect(throws: JSONError(message: "{zone} is not a variable of this preset", line: 3)) {
      try Preset(Array(text.utf8), extra: .skipped)
    }
  }

  @Test("An empty value counts as missing")
  func empty() throws {
    let preset = try preset()
    expectFailure(.missingVariable("zone", meaning: "")) {
      _ = try preset.provider(variables: ["tenant": "a", "zone": ""], clientID: "1")
    }
  }

  @Test("A variable that only a text uses needs a value, too")
  func missingInText() throws {
    let preset = try Preset(Array(#"{"variables":{"group":"your group"},"scope":"read:{group}"}"#.utf8))
    expectFailure(.missingVariable("group", meaning: "your group")) {
      _ = try preset.provider(variables: [:], clientID: "1")
    }
    let provider = try preset.provider(variables: ["group": "a"], clientID: "1")
    #expect(provider.scope == "read:a")
  }

  @Test(
    "A value for an unknown variable is refused",
    arguments: ["tenent", "x", "client_id", "Tenant", ""])
  func unknown(name: String) throws {
    let preset = try preset()
    let hint: Failure.Hint? =
      ["tenent", "Tenant"].contains(name) ? "did you mean tenant?" : "it has tenant, zone"
    expectFailure(Failure(.invalidOption, "the preset has no variable \"\(name)\"", hint: hint)) {
      _ = try preset.provider(variables: ["tenant": "a", "zone": "b", name: "c"], clientID: "1")
    }
  }

  @Test(
    "A value that would lead elsewhere is refused",
    arguments: [
      "evil.test/", "a@b", "evil.test#", "evil.test?", "evil.test:443", "evil.test\\", "a b", "é", "../x",
      "0x7f.1/",
    ])
  func injection(tenant: String) throws {
    let preset = try preset()
    expectFailure(unfit("authorization_endpoint: the value of tenant is not part of a host name")) {
      _ = try preset.provider(variables: ["tenant": tenant, "zone": "z"], clientID: "1")
    }
  }

  @Test("A value cannot leave its path", arguments: [".", ".."])
  func climbing(zone: String) throws {
    let preset = try preset()
    let address = "https://acme.auth0.com/\(zone)/authorize"
    let reason: Message =
      "authorization_endpoint: \"\(address)\" is a URL with . or .. as a part of its path"
    expectFailure(unfit(reason)) {
      _ = try preset.provider(variables: ["tenant": "acme", "zone": zone], clientID: "1")
    }
  }

  @Test(
    "A value in a path is escaped", arguments: [("../x", "..%2Fx"), (".%2e", ".%252e")])
  func escaped(zone: String, segment: String) throws {
    let provider = try preset().provider(variables: ["tenant": "acme", "zone": zone], clientID: "1")
    let endpoint = provider.endpoints[.authorization]
    #expect(endpoint?.description == "https://acme.auth0.com/\(segment)/authorize")
  }

  @Test(
    "A client identifier cannot leave its place either",
    arguments: ["1://evil", "a b", "", "javascript:", "é"])
  func clientID(clientID: String) throws {
    let preset = try preset()
    expectFailure(unfit("redirect_uri: the value of client_id is not a scheme")) {
      _ = try preset.provider(variables: ["tenant": "a", "zone": "b"], clientID: clientID)
    }
  }

  @Test(
    "A variable's name is made of letters, digits and underscores, and is not client_id",
    arguments: ["", "a-b", "a b", "é", "a.b", "client_id", "{a}", "a\\n"])
  func names(name: String) throws {
    let text = "{\n\"variables\": {\n\"ok\": \"\",\n\"\(name)\": \"\"}}"
    let message: Message =
      name == "client_id"
      ? "client_id is always a variable"
      : "a variable's name must be made of letters, digits and underscores"
    #expect(throws: JSONError(message: message, line: 4)) { try Preset(Array(text.utf8), extra: .skipped) }
  }

  // RFC 9110 section 5.5: no control character but a tab in a field's value.
  @Test("A value cannot add a header field", arguments: ["a\r\nX-Evil: 1", "a\n", "a\u{0}"])
  func headerInjection(value: String) throws {
    let text = #"{"variables":{"app":"the application"},"headers":{"User-Agent":"app/{app}"}}"#
    let preset = try Preset(Array(text.utf8))
    expectFailure(unfit("User-Agent: its value has control characters")) {
      _ = try preset.provider(variables: ["app": value], clientID: "1")
    }
  }

  @Test("Many variables and defaults are read in linear time")
  func many() throws {
    let members = (0..<8_000).map { "\"v\($0)\":\"x\"" }.joined(separator: ",")
    let bytes = Array("{\"variables\":{\(members)},\"variable_defaults\":{\(members)}}".utf8)
    let duration = try processorTime {
      let preset = try Preset(bytes)
      #expect(preset.variables.count == 8_000)
      _ = try preset.provider(variables: [:], clientID: "1")
    }
    #expect(duration < .seconds(5))
  }

  @Test("A port can be a variable")
  func port() throws {
    let text = "{\"variables\":{\"port\":\"the port\"},\"token_endpoint\":\"https://h.test:{port}/token\"}"
    let provider = try Preset(Array(text.utf8)).provider(variables: ["port": "8443"], clientID: "1")
    #expect(provider.endpoints[.token]?.description == "https://h.test:8443/token")
  }
}
