import Foundation
import LoginCore
import Synchronization
@testable import TestSupport
import Testing

/// A user's folders, of which a program may leave behind nothing but its store, and a provider whose refresh tokens are
/// good for one use: the first tokens are `T1` and `R1`.
final class FaultDesk: Sendable {
  private struct State {
    var number = 0
    /// The refresh tokens that nobody has used yet.
    var good: Set<String> = []
    var life = 3_600
    var asked: [String: String] = [:]
    var answers: [String: StandInServer.Answer] = [:]
    var held: String?
    var isReached = false
  }

  let folder: String
  private let state = Mutex(State())
  private let started = Mutex<StandInServer?>(nil)

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "faults-\(UUID().uuidString)").path()
    for name in ["home", "run", "tmp"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    }
    let server = try StandInServer { [weak self] request, base in
      self?.answer(request, base) ?? .hangUp
    }
    started.withLock { $0 = server }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var base: String { started.withLock { $0?.base } ?? "" }

  var environment: [String: String] {
    [
      "HOME": folder + "/home", "TMPDIR": folder + "/tmp", "XDG_RUNTIME_DIR": folder + "/run",
      "TOKENTRY_STORE": "file:\(folder)/store", "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    ]
  }

  /// How many refresh tokens the provider has given out.
  var issued: Int { state.withLock(\.number) }

  /// How long tokens live from now on.
  func setLife(_ seconds: Int) { state.withLock { $0.life = seconds } }

  /// From now on this path is answered so; the provider then does nothing.
  func answer(_ path: String, with answer: StandInServer.Answer?) {
    state.withLock { $0.answers[path] = answer }
  }

  /// Holds whoever asks for this path until it is let go.
  func hold(_ path: String) { state.withLock { ($0.held, $0.isReached) = (path, false) } }

  func letGo() { state.withLock { $0.held = nil } }

  /// Waits until somebody asks for what is held.
  func isReached() -> Bool {
    for _ in 0..<6_000 {
      if state.withLock(\.isReached) { return true }
      usleep(5_000)
    }
    return false
  }

  private func hasToWait(_ path: String) -> Bool {
    state.withLock { state in
      if state.held == path { state.isReached = true }
      return state.held == path
    }
  }

  private func answer(_ request: StandInServer.Request, _ base: String) -> StandInServer.Answer {
    while hasToWait(request.path) {
      if request.isAbandoned() { return .hangUp }
      usleep(5_000)
    }
    // Who has gone meanwhile is not given a token in the place of the old one.
    if request.isAbandoned() { return .hangUp }
    return state.withLock { state in
      if let answer = state.answers[request.path] { return answer }
      if request.path == "/auth" { state.asked = request.query }
      switch request.path {
      case "/t": return Self.rotate(request, &state)
      case "/api", "/revoke": return .json("{}")
      case "/codes":
        return .json(
          #"{"device_code":"D","user_code":"U","verification_uri":"\#(base)/","expires_in":60,"interval":1}"#)
      default:
        let conduct = Conduct(base: base, request: request, asked: state.asked, readings: 1)
        return (try? conduct.answer()) ?? StandInServer.Answer(500)
      }
    }
  }

  private static func rotate(_ request: StandInServer.Request, _ state: inout State) -> StandInServer.Answer {
    if let old = request.form["refresh_token"], state.good.remove(old) == nil {
      return .json(#"{"error":"invalid_grant"}"#, status: 400)
    }
    state.number += 1
    state.good.insert("R\(state.number)")
    return .json(
      #"{"access_token":"T\#(state.number)","token_type":"Bearer","expires_in":\#(state.life),"#
        + #""refresh_token":"R\#(state.number)"}"#)
  }

  /// A login whose token is kept as `work`.
  var login: [String] {
    [
      "login", "--authorization-endpoint", base + "/auth", "--token-endpoint", base + "/t",
      "--revocation-endpoint", base + "/revoke", "--client-id", "me", "--redirect-uri",
      "https://app.example/done", "--for", base, "--headless-test", "--account", "work",
    ]
  }

  /// One at a provider that describes itself, and signs an id_token.
  var identifiedLogin: [String] {
    [
      "login", "--issuer", base, "--scope", "openid", "--client-id", "client", "--redirect-uri",
      "https://app.example/done", "--headless-test", "--account", "work",
    ]
  }

  static let kept = ["token", "--account", "work", "--silent"]
  static let refresh = kept + ["--min-valid", "7200"]

  func run(
    _ arguments: [String], input: String? = "", _ more: [String: String] = [:], wrapper: [String] = []
  ) throws -> Program.Outcome {
    try Program.run(
      arguments, input: input, environment: environment.merging(more) { $1 }, wrapper: wrapper)
  }

  func start(
    _ arguments: [String], _ more: [String: String] = [:], input: String? = nil, wrapper: [String] = []
  ) throws -> Caller {
    try Caller(
      arguments, environment.merging(more) { $1 }, in: URL(filePath: folder + "/caller"), input: input,
      wrapper: wrapper)
  }

  func logIn() throws {
    let outcome = try run(login)
    try #require(outcome.status == 0, "\(outcome.messages)")
  }

  /// What is left that should not be: in the folders of the user, and beside the account in its own.
  var leftovers: [String] {
    let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    let allowed = [
      "home", "run", "tmp", "store", "store/work.json", "store/.work.lock", "store/.work.attempts",
    ]
    return all.filter { !allowed.contains($0) && !$0.hasPrefix("caller") && !$0.hasPrefix("tool") }
  }

  /// What is wrong with the account that a fault has left: there has to be a whole one, whose refresh token is good.
  func faultsOfAccount() throws -> [String] {
    letGo()
    state.withLock { $0.answers = [:] }
    let refreshed = try run(Self.refresh)
    guard refreshed.status == 0 else { return ["it cannot be refreshed: \(refreshed.output)"] }
    return leftovers.map { "left behind: \($0)" }
  }
}

extension Program.Outcome {
  /// What is wrong with an answer that should be one JSON object, and say why where there is no token.
  var faultsOfAnswer: [String] {
    var faults: [String] = []
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.count != 2 || lines.last != "" { faults.append("not one line: \(output)") }
    if self["error"] == nil, status != 0 { faults.append("no error: \(output)") }
    if self["error"] != nil, status == 0 { faults.append("an error and status 0: \(output)") }
    if status != 0, !messages.contains("tokentry: error: ") { faults.append("no message: \(messages)") }
    return faults
  }

  /// The same of one that should be nothing at all.
  var faultsOfSilence: [String] {
    (output.isEmpty ? [] : ["an answer: \(output)"])
      + (messages.contains("tokentry: error: ") ? [] : ["no message: \(messages)"])
  }
}
