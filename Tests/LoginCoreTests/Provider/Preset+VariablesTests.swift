import Testing

@testable import LoginCore

/// The variables of a preset, and the values that are given for them.
@Suite("Preset+Variables")
struct PresetVariablesTests {
  private func preset(_ variables: String = "{\"tenant\":\"your tenant\",\"zone\":\"\"}") throws -> Preset {
    try Preset(
      Array(
        """
        {"variables":\(variables),"authorization_endpoint":"https://{tenant}.auth0.com/{zone}/authorize",
         "redirect_uri":"app{client_id}://cb","scope":"{zone} {x-y}"}
        """.utf8))
  }

  @Test("variables are listed with what they mean")
  func listed() throws {
    let variables = try preset().variables
    #expect(variables.map(\.name) == ["tenant", "zone"])
    #expect(variables.map(\.meaning) == ["your tenant", ""])
    #expect(try Preset(Array("{}".utf8)).variables.isEmpty)
  }

  @Test("values are filled in everywhere, and the client identifier always is")
  func filledIn() throws {
    let provider = try preset().provider(variables: ["tenant": "acme", "zone": "a/b"], clientID: "42")
    #expect(provider.endpoints[.authorization]?.description == "https://acme.auth0.com/a%2Fb/authorize")
    #expect(provider.redirectURI?.description == "app42://cb")
    #expect(provider.scope == "a/b {x-y}")
  }

  @Test("every variable has to be given")
  func missing() throws {
    let preset = try preset()
    expectFailure(.caller(.noVariable("zone", meaning: ""))) {
      _ = try preset.provider(variables: ["tenant": "a"], clientID: "1")
    }
    expectFailure(.caller(.noVariable("tenant", meaning: "your tenant"))) {
      _ = try preset.provider(variables: [:], clientID: "1")
    }
  }

  @Test("a variable with a value of its own need not be given, and the value has to be of a variable")
  func defaults() throws {
    let preset = try preset("{\"tenant\":\"\",\"zone\":\"\"},\"variable_defaults\":{\"tenant\":\"acme\"}")
    let usual = try preset.provider(variables: ["zone": "z"], clientID: "1")
    #expect(usual.endpoints[.authorization]?.description == "https://acme.auth0.com/z/authorize")
    let own = try preset.provider(variables: ["zone": "z", "tenant": "b"], clientID: "1")
    #expect(own.endpoints[.authorization]?.description == "https://b.auth0.com/z/authorize")
    expectFailure(.caller(.noVariable("zone", meaning: ""))) {
      _ = try preset.provider(variables: [:], clientID: "1")
    }
    let text = "{\n\"variable_defaults\": {\n\"zone\": \"z\"}}"
    #expect(throws: PresetFault(line: 3, reason: .defaultWithoutVariable("zone"))) {
      try Preset(Array(text.utf8))
    }
  }

  @Test("an empty value is none")
  func empty() throws {
    let preset = try preset()
    expectFailure(.caller(.noVariable("zone", meaning: ""))) {
      _ = try preset.provider(variables: ["tenant": "a", "zone": ""], clientID: "1")
    }
  }

  @Test("a variable that no address uses has to be given, too")
  func missingInText() throws {
    let preset = try Preset(Array(#"{"variables":{"group":"your group"},"scope":"read:{group}"}"#.utf8))
    expectFailure(.caller(.noVariable("group", meaning: "your group"))) {
      _ = try preset.provider(variables: [:], clientID: "1")
    }
    let provider = try preset.provider(variables: ["group": "a"], clientID: "1")
    #expect(provider.scope == "read:a")
  }

  @Test(
    "a variable that the preset does not have is refused",
    arguments: ["tenent", "x", "client_id", "Tenant", ""])
  func unknown(name: String) throws {
    let preset = try preset()
    let nearest = ["tenent", "Tenant"].contains(name) ? "tenant" : nil
    expectFailure(.caller(.unknownVariable(name, nearest: nearest))) {
      _ = try preset.provider(variables: ["tenant": "a", "zone": "b", name: "c"], clientID: "1")
    }
  }

  @Test(
    "a value that would lead elsewhere is refused",
    arguments: [
      "evil.test/", "a@b", "evil.test#", "evil.test?", "evil.test:443", "evil.test\\", "a b", "é", "../x",
      "0x7f.1/",
    ])
  func injection(tenant: String) throws {
    let preset = try preset()
    let reason = PresetFault.Reason.template(
      member: "authorization_endpoint", .value(of: "tenant", .hostPart))
    expectFailure(.caller(.unfitVariables(reason))) {
      _ = try preset.provider(variables: ["tenant": tenant, "zone": "z"], clientID: "1")
    }
  }

  @Test("a value cannot climb out of its path", arguments: [".", ".."])
  func climbing(zone: String) throws {
    let preset = try preset()
    let address = "https://acme.auth0.com/\(zone)/authorize"
    let reason = PresetFault.Reason.template(
      member: "authorization_endpoint", .address(address, .dotSegment))
    expectFailure(.caller(.unfitVariables(reason))) {
      _ = try preset.provider(variables: ["tenant": "acme", "zone": zone], clientID: "1")
    }
  }

  @Test(
    "a value that is escaped in its path stays there", arguments: [("../x", "..%2Fx"), (".%2e", ".%252e")])
  func escaped(zone: String, segment: String) throws {
    let provider = try preset().provider(variables: ["tenant": "acme", "zone": zone], clientID: "1")
    let endpoint = provider.endpoints[.authorization]
    #expect(endpoint?.description == "https://acme.auth0.com/\(segment)/authorize")
  }

  @Test(
    "a client identifier cannot leave its place either",
    arguments: ["1://evil", "a b", "", "javascript:", "é"])
  func clientID(clientID: String) throws {
    let preset = try preset()
    let reason = PresetFault.Reason.template(member: "redirect_uri", .value(of: "client_id", .scheme))
    expectFailure(.caller(.unfitVariables(reason))) {
      _ = try preset.provider(variables: ["tenant": "a", "zone": "b"], clientID: clientID)
    }
  }

  @Test(
    "a variable's name must be made of letters, digits and underscores, and is not client_id",
    arguments: ["", "a-b", "a b", "é", "a.b", "client_id", "{a}", "a\\n"])
  func names(name: String) throws {
    let text = "{\n\"variables\": {\n\"ok\": \"\",\n\"\(name)\": \"\"}}"
    let reason: PresetFault.Reason = name == "client_id" ? .reservedVariable : .variableName
    #expect(throws: PresetFault(line: 4, reason: reason)) { try Preset(Array(text.utf8)) }
  }

  // RFC 9110 section 5.5: no control character but a tab in a field's value.
  @Test("a value cannot add a header field", arguments: ["a\r\nX-Evil: 1", "a\n", "a\u{0}"])
  func headerInjection(value: String) throws {
    let text = #"{"variables":{"app":"the application"},"headers":{"User-Agent":"app/{app}"}}"#
    let preset = try Preset(Array(text.utf8))
    expectFailure(.caller(.unfitVariables(.header("User-Agent", .controlCharacters)))) {
      _ = try preset.provider(variables: ["app": value], clientID: "1")
    }
  }

  @Test("a file of nothing but variables and their defaults is read at once")
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

  @Test("a port can be a variable")
  func port() throws {
    let text = "{\"variables\":{\"port\":\"the port\"},\"token_endpoint\":\"https://h.test:{port}/token\"}"
    let provider = try Preset(Array(text.utf8)).provider(variables: ["port": "8443"], clientID: "1")
    #expect(provider.endpoints[.token]?.description == "https://h.test:8443/token")
  }
}
