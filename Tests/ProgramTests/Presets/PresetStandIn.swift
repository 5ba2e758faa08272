import Foundation
import TestSupport

/// A preset of ours whose servers are all one stand-in, with their own paths, and whose everything else is as it is in
/// the file; with a place for an account.
struct PresetStandIn {
  let file: URL
  let server: StandInServer
  private let variables: [String: String]
  private let folder: URL

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The text of a preset's file.
  static func text(_ name: String) throws -> Data {
    try Data(contentsOf: root.appending(path: "data/providers/\(name).json"))
  }

  /// `page` is what the page to sign in answers, `answer` the endpoints; `own` is what the preset says otherwise than
  /// the file.
  init(
    _ name: String, variables: [String: String] = [:], own: [String: Any] = [:],
    page: @escaping @Sendable (StandInServer.Request) -> StandInServer.Answer,
    answer: @escaping @Sendable (StandInServer.Request) -> StandInServer.Answer
  ) throws {
    guard var preset = try JSONSerialization.jsonObject(with: Self.text(name)) as? [String: Any],
      let address = preset["authorization_endpoint"] as? String
    else { throw CocoaError(.fileReadCorruptFile) }
    let filledIn = (preset["variable_defaults"] as? [String: String] ?? [:]).merging(variables) { $1 }
    let path = filledIn.reduce(Self.target(of: address)) {
      $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value)
    }
    let server = try StandInServer { request, _ in request.path == path ? page(request) : answer(request) }
    preset["$schema"] = nil
    preset.merge(own) { $1 }
    for (key, value) in preset where key.hasSuffix("_endpoint") || key == "jwks_uri" {
      preset[key] = (value as? String).map { server.base + Self.target(of: $0) }
    }
    if preset["api_origins"] != nil { preset["api_origins"] = [server.base] }
    folder = FileManager.default.temporaryDirectory.appending(path: "preset-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    file = folder.appending(path: "preset.json")
    try JSONSerialization.data(withJSONObject: preset).write(to: file)
    self.server = server
    self.variables = variables
  }

  /// One whose page to sign in sends the user back with `callback` at once.
  init(
    _ name: String, own: [String: Any] = [:], callback: @escaping @Sendable (_ state: String) -> String,
    answer: @escaping @Sendable (StandInServer.Request) -> StandInServer.Answer
  ) throws {
    try self.init(
      name, own: own, page: { .redirect(callback($0.query["state"] ?? "")) }, answer: answer)
  }

  /// The redirect to wherever the request says, with these parameters and its state.
  static func redirect(_ request: StandInServer.Request, with parameters: String) -> StandInServer.Answer {
    .redirect("\(request.query["redirect_uri"] ?? "")?\(parameters)&state=\(request.query["state"] ?? "")")
  }

  /// Path and query of an address.
  private static func target(of address: String) -> String {
    let rest = address.components(separatedBy: "://").dropFirst().joined(separator: "://")
    return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
  }

  /// A headless login with it.
  func login(_ more: [String] = [], environment: [String: String] = [:]) throws -> Program.Outcome {
    defer { remove() }
    return try run(["login", "--headless-test"] + more, environment: environment)
  }

  /// A command that is given the preset, which stays.
  func run(
    _ command: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    try Program.run(
      command + ["--provider", file.path, "--client-id", "53"]
        + variables.flatMap { ["--var", "\($0.key)=\($0.value)"] },
      input: input, environment: environment)
  }

  private var account: [String] { ["--account", "work", "--store", "file:\(folder.path)/accounts"] }

  /// A login whose token is kept: headless, unless there is a browser.
  func keep(
    _ more: [String] = [], in browser: Browser? = nil, environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    let way = browser.map { ["--agent", "browser", "--browser", $0.command] } ?? ["--headless-test"]
    return try run(["login"] + way + account + more, environment: environment)
  }

  /// The words of a command about the kept account.
  func words(of command: String) -> [String] { [command] + account }

  /// A command about the kept account, which asks nobody.
  func use(_ command: String, _ more: String...) throws -> Program.Outcome {
    try Program.run(words(of: command) + (command == "userinfo" ? [] : ["--silent"]) + more)
  }

  /// A token that is newer than the kept one.
  func refresh() throws -> Program.Outcome { try use("token", "--min-valid", "99999999") }

  func remove() { try? FileManager.default.removeItem(at: folder) }
}
