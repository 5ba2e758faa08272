import Foundation
import TestSupport

/// A real preset whose endpoints are all on one stand-in server, with a store for an account.
struct PresetStandIn {
  private let file: String
  let server: StandInServer
  private let variables: [String: String]
  private let folder = TemporaryFolder()

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The text of a preset's file.
  static func text(_ name: String) throws -> Data {
    try Data(contentsOf: root.appending(path: "data/providers/\(name).json"))
  }

  /// The members of a preset's file.
  static func members(of name: String) throws -> [String: Any] {
    guard let preset = try JSONSerialization.jsonObject(with: text(name)) as? [String: Any] else {
      throw CocoaError(.fileReadCorruptFile)
    }
    return preset
  }

  /// The names of a preset's endpoints by their paths on the stand-in.
  static func endpoints(of name: String, variables: [String: String]) throws -> [String: String] {
    var names: [String: String] = [:]
    let preset = try members(of: name)
    let defaults = preset["variable_defaults"] as? [String: String] ?? [:]
    let variables = defaults.merging(variables) { $1 }
    for (key, value) in preset where key.hasSuffix("_endpoint") || key == "jwks_uri" {
      let target = filled(target(of: value as? String ?? ""), variables)
      names[target.split(separator: "?").first.map(String.init) ?? target] = key
    }
    return names
  }

  private static func filled(_ target: String, _ variables: [String: String]) -> String {
    variables.reduce(target) { $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value) }
  }

  /// `page` answers the authorization endpoint and `answer` the other endpoints. `own` replaces members of the
  /// preset.
  init(
    _ name: String, variables: [String: String] = [:], own: [String: Any] = [:],
    page: @escaping @Sendable (StandInServer.Request) -> StandInServer.Answer,
    answer: @escaping @Sendable (StandInServer.Request) -> StandInServer.Answer
  ) throws {
    var preset = try Self.members(of: name)
    let address = preset["authorization_endpoint"] as? String ?? "no page"
    let filledIn = (preset["variable_defaults"] as? [String: String] ?? [:]).merging(variables) { $1 }
    let path = Self.filled(Self.target(of: address), filledIn)
    let server = try StandInServer { request, _ in request.path == path ? page(request) : answer(request) }
    preset["$schema"] = nil
    preset.merge(own) { $1 }
    for (key, value) in preset where key.hasSuffix("_endpoint") || key == "jwks_uri" {
      preset[key] = (value as? String).map { server.base + Self.target(of: $0) }
    }
    if preset["api_origins"] != nil { preset["api_origins"] = [server.base] }
    let text = try JSONSerialization.data(withJSONObject: preset)
    file = try folder.write(String(decoding: text, as: UTF8.self), to: "preset.json")
    self.server = server
    self.variables = variables
  }

  /// A provider whose page sends the user back with `callback`.
  init(
    _ name: String, own: [String: Any] = [:], callback: @escaping @Sendable (_ state: String) -> String,
    answer: @escaping @Sendable (StandInServer.Request) -> StandInServer.Answer
  ) throws {
    try self.init(name, own: own, page: { .redirect(callback($0.query["state"] ?? "")) }, answer: answer)
  }

  /// The redirect to the redirect URI of the request, with these parameters and its state.
  static func redirect(_ request: StandInServer.Request, with parameters: String) -> StandInServer.Answer {
    .redirect("\(request.query["redirect_uri"] ?? "")?\(parameters)&state=\(request.query["state"] ?? "")")
  }

  /// Path and query of an address.
  private static func target(of address: String) -> String {
    let rest = address.components(separatedBy: "://").dropFirst().joined(separator: "://")
    return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
  }

  /// A headless login.
  func login(_ more: [String] = [], environment: [String: String] = [:]) throws -> Outcome {
    try run(["login", "--headless-test"] + more, environment: environment)
  }

  /// Runs a command with the preset.
  func run(_ command: [String], input: String = "", environment: [String: String] = [:]) throws -> Outcome {
    try Tokentry.run(
      command + ["--provider", file, "--client-id", "53"]
        + variables.flatMap { ["--var", "\($0.key)=\($0.value)"] }, input: input, environment: environment)
  }

  private var account: [String] { ["--account", "work", "--store", "file:\(folder.path)/accounts"] }

  /// A login whose token is kept: headless, unless there is a browser.
  func keep(
    _ more: [String] = [], in browser: Browser? = nil, environment: [String: String] = [:]
  ) throws -> Outcome {
    let way = browser.map { ["--way", "browser", "--browser", $0.command] } ?? ["--headless-test"]
    return try run(["login"] + way + account + more, environment: environment)
  }

  /// The command line of a command for the kept account.
  func words(of command: String) -> [String] { [command] + account }

  /// Runs a command for the kept account without asking the user.
  func use(_ command: String, _ more: String...) throws -> Outcome {
    try Tokentry.run(words(of: command) + (command == "userinfo" ? [] : ["--silent"]) + more)
  }

  /// Refreshes the kept token.
  func refresh() throws -> Outcome { try use("token", "--min-valid", "99999999") }
}
