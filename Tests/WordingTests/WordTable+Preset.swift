import LoginWays
import Wording

@testable import LoginCore

/// What is wrong with a preset file.
extension WordTable {
  static let preset: [Row] = [
    Row(
      .configuration(.preset(path: "/a.json", PresetFault(line: 3, reason: .notJSON(.unexpectedEnd)))),
      "invalid_configuration", "/a.json:3: the document ends too early"),
    Row(
      .configuration(
        .preset(path: "/a.json", PresetFault(line: 3, reason: .unknownMember("scop", nearest: "scope")))),
      "invalid_configuration", #"/a.json:3: unknown member "scop", did you mean "scope"?"#),
    Row(
      .configuration(
        .preset(path: "/a.json", PresetFault(line: 3, reason: .unknownMember("x", nearest: nil)))),
      "invalid_configuration", #"/a.json:3: unknown member "x""#),
    Row(
      .configuration(
        .preset(
          path: "/a.json",
          PresetFault(line: 3, reason: .kind(member: "scope", wanted: .string, found: .array)))),
      "invalid_configuration", "/a.json:3: scope must be a string, and is an array"),
    Row(
      .configuration(
        .preset(
          path: "/a.json", PresetFault(line: 3, reason: .kind(member: "pkce", wanted: .flag, found: .null)))),
      "invalid_configuration", "/a.json:3: pkce must be true or false, and is null"),
    Row(
      .configuration(
        .preset(
          path: "/a.json",
          PresetFault(line: 3, reason: .kind(member: "variables", wanted: .object, found: .number)))),
      "invalid_configuration", "/a.json:3: variables must be an object, and is a number"),
    Row(
      .configuration(
        .preset(path: "/a.json", PresetFault(line: 3, reason: .choice("S255", of: ["S256", "plain"])))),
      "invalid_configuration", #"/a.json:3: "S255" is not one of S256, plain"#),
    Row(
      .configuration(.preset(path: "/a.json", PresetFault(line: 3, reason: .responseType("tokn")))),
      "invalid_configuration", #"/a.json:3: "tokn" is not a response type"#),
    Row(
      .configuration(.preset(path: "/a.json", PresetFault(line: 3, reason: .variableName))),
      "invalid_configuration", "/a.json:3: a variable's name must be made of letters, digits and underscores"),
    Row(
      .configuration(.preset(path: "/a.json", PresetFault(line: 3, reason: .reservedVariable))),
      "invalid_configuration", "/a.json:3: client_id is always a variable"),
    Row(
      .configuration(.preset(path: "/a.json", PresetFault(line: 3, reason: .reservedParameter("state")))),
      "invalid_configuration", "/a.json:3: the request sets the parameter state itself"),
    Row(
      .configuration(.preset(path: "/a.json", PresetFault(line: 3, reason: .defaultWithoutVariable("host")))),
      "invalid_configuration", "/a.json:3: {host} is not a variable of this preset"),
    Row(
      .configuration(.preset(path: "/a.json", PresetFault(line: 3, reason: .issuerPattern))),
      "invalid_configuration", "/a.json:3: id_token_issuer must be an https URL with one {claim} in its path"),
    Row(
      .configuration(.preset(path: "/a.json", PresetFault(line: 3, reason: .authorizationScheme))),
      "invalid_configuration", "/a.json:3: authorization_scheme must be made of letters, digits and hyphens"),
    Row(
      .configuration(.preset(path: "/a.json", PresetFault(line: 3, reason: .windowSize))),
      "invalid_configuration",
      "/a.json:3: window_size must be a width and a height, each from 200 to 10000, such as 960x720"),
    Row(
      .configuration(.preset(path: "/a.json", PresetFault(line: 3, reason: .header("Host", .reserved)))),
      "invalid_configuration", "/a.json:3: Host: the request sets this field itself"),
    Row(
      .configuration(
        .preset(
          path: "/a.json",
          PresetFault(line: 3, reason: .template(member: "token_endpoint", .unknownVariable("host"))))),
      "invalid_configuration", "/a.json:3: token_endpoint: {host} is not a variable of this preset"),
    Row(
      .configuration(
        .preset(
          path: "/a.json", PresetFault(line: 3, reason: .template(member: "name", .value(of: "a", .text))))),
      "invalid_configuration", "/a.json:3: name: the value of a is not text"),
    Row(
      .configuration(
        .preset(
          path: "/a.json",
          PresetFault(line: 3, reason: .template(member: "token_endpoint", .value(of: "a", .scheme))))),
      "invalid_configuration", "/a.json:3: token_endpoint: the value of a is not a scheme"),
    Row(
      .configuration(
        .preset(
          path: "/a.json",
          PresetFault(line: 3, reason: .template(member: "token_endpoint", .value(of: "a", .server))))),
      "invalid_configuration",
      "/a.json:3: token_endpoint: the value of a is not a host with an optional port and path"),
    Row(
      .configuration(
        .preset(
          path: "/a.json",
          PresetFault(line: 3, reason: .template(member: "token_endpoint", .value(of: "a", .hostPart))))),
      "invalid_configuration", "/a.json:3: token_endpoint: the value of a is not part of a host name"),
    Row(
      .configuration(
        .preset(
          path: "/a.json",
          PresetFault(line: 3, reason: .template(member: "token_endpoint", .value(of: "a", .port))))),
      "invalid_configuration", "/a.json:3: token_endpoint: the value of a is not a port"),
    Row(
      .configuration(
        .preset(
          path: "/a.json",
          PresetFault(line: 3, reason: .template(member: "token_endpoint", .value(of: "a", .pathOrQuery))))),
      "invalid_configuration", "/a.json:3: token_endpoint: the value of a is not text"),
    Row(
      .configuration(
        .preset(
          path: "/a.json",
          PresetFault(
            line: 3, reason: .template(member: "token_endpoint", .address("ftp://h.test", .notHTTPS))))),
      "invalid_configuration",
      #"/a.json:3: token_endpoint: "ftp://h.test" is not https (plain http is for loopback addresses only)"#),
  ]
}
