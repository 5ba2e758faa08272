import Foundation
import Synchronization
import TestSupport
import Testing

/// Services that take a token, a provider that issues tokens, and an account there.
///
/// The provider's tokens are `T1`, `T2` and so on, one more with every refresh. The first one of a login at
/// its page is `T101`. The services take the token that ``accept(_:)`` names.
final class Services {
  /// The folder of everything, deleted with this object.
  var folder: String { root.path }
  private let root = TemporaryFolder()
  /// The port of the API and of the git server.
  let port: Int
  /// The port of the mail server.
  let mailPort: Int
  let provider: StandInServer
  private let firstToken: String
  private let state = State()
  private let process = Process()
  private let input = Pipe()

  private final class State: Sendable {
    let isDead = Mutex(false)
  }

  /// Every access token begins with `prefix`. If there is a prefix, every id_token is `I` and the access
  /// token, and a refreshed token lives for an hour.
  init(life: Int = 3_600, prefix: String? = nil) throws {
    let start = prefix ?? "T"
    firstToken = start + "1"
    try root.write("T1", to: "good")
    let state = state
    provider = try StandInServer { request, _ in
      if request.path == "/a" {
        return .redirect("https://app.example/done?code=P&state=\(request.query["state"] ?? "")")
      }
      if request.form["refresh_token"] != nil, state.isDead.withLock({ $0 }) {
        return .json(#"{"error":"invalid_grant"}"#, status: 400)
      }
      let old = request.form["refresh_token"].flatMap { Int($0.dropFirst()) }
      let number = (old ?? (request.form["code"] == "P" ? 100 : 0)) + 1
      let identity = prefix.map { #","id_token":"I\#($0)\#(number)""# } ?? ""
      let life = prefix == nil || number == 1 ? life : 3_600
      return .json(
        #"{"access_token":"\#(start)\#(number)","token_type":"Bearer","expires_in":\#(life)"#
          + #","refresh_token":"R\#(number)"\#(identity)}"#)
    }
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = [Command.script("services.py"), root.path]
    process.environment = ["PATH": "/usr/bin:/bin"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let ports = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      .split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    try #require(ports.count == 2)
    (port, mailPort) = (ports[0], ports[1])
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The address of the web server.
  var base: String { "http://127.0.0.1:\(port)" }

  /// Makes the services accept this token only.
  func accept(_ token: String) throws {
    try root.write(token, to: "good")
  }

  /// Makes the provider refuse every refresh.
  func refuseRefresh() { state.isDead.withLock { $0 = true } }

  /// The requests of the services.
  var log: [String] { root.text(of: "log").split(separator: "\n").map(String.init) }

  /// The environment of the program, and of programs that start it.
  var environment: [String: String] {
    ["TOKENTRY_STORE": "file:\(folder)/accounts", "XDG_CONFIG_HOME": folder + "/config", "HOME": folder]
  }

  func run(_ arguments: [String], input: String = "", _ more: [String: String] = [:]) throws -> Outcome {
    try Tokentry.run(arguments, input: input, environment: environment.merging(more) { $1 })
  }

  /// Writes a preset for these services, unless `hosts` or `origins` say otherwise.
  func writePreset(_ name: String = "here", hosts: String? = nil, origins: String? = nil) throws {
    let folder = folder + "/config/tokentry/providers"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let preset = """
      {"name":"Here","authorization_endpoint":"\(provider.base)/a","token_endpoint":"\(provider.base)/t",
       "redirect_uri":"https://app.example/done","api_origins":["\(origins ?? base)"],
       "git_hosts":["\(hosts ?? "127.0.0.1:\(port)")"],"git_user":"x-token","git_scope":"read write","id_token":"opaque"}
      """
    try preset.write(toFile: "\(folder)/\(name).json", atomically: true, encoding: .utf8)
  }

  /// Signs in, which brings the token `T1`.
  func logIn(
    _ account: String = "work", provider: String = "here", _ options: [String] = [],
    _ more: [String: String] = [:]
  ) throws {
    let outcome = try run(
      [
        "login", "--provider", provider, "--client-id", "me", "--login-hint", "ann@mail.example", "--state",
        "S", "--headless-test", "--navigations", "-", "--account", account,
      ] + options, input: "https://app.example/done?code=C&state=S\n", more)
    try #require(outcome.accessToken == firstToken, "\(outcome)")
  }
}
