import Foundation
import LoginCore
import Synchronization
@testable import TestSupport
import Testing

/// The folders of a user, in which a program may leave only its store, and a provider whose refresh tokens can be
/// used once. The first tokens are `T1` and `R1`.
final class FaultFixture: Sendable {
  private struct State {
    var number = 0
    /// The refresh tokens that have not been used yet.
    var good: Set<String> = []
    var life = 3_600
    var asked: [String: String] = [:]
    var answers: [String: StandInServer.Answer] = [:]
    var held: String?
    var isReached = false
  }

  var folder: String { root.path }
  private let root = TemporaryFolder()
  private let state = Mutex(State())
  private let started = Mutex<StandInServer?>(nil)

  init() throws {
    for name in ["home", "run", "tmp"] { mkdir("\(root.path)/\(name)", 0o700) }
    let server = try StandInServer { [weak self] request, base in
      self?.answer(request, base) ?? .hangUp
    }
    started.withLock { $0 = server }
  }

  var base: String { started.withLock { $0?.base } ?? "" }

  var environment: [String: String] {
    [
      "HOME": folder + "/home", "TMPDIR": folder + "/tmp", "XDG_RUNTIME_DIR": folder + "/run",
      "TOKENTRY_STORE": "file:\(folder)/store", "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    ]
  }

  /// The number of refresh tokens that the provider has issued.
  var issued: Int { state.withLock(\.number) }

  /// Sets the lifetime of new tokens.
  func setLife(_ seconds: Int) { state.withLock { $0.life = seconds } }

  /// Replaces the answer at a path. The provider then does nothing else.
  func answer(_ path: String, with answer: StandInServer.Answer?) {
    state.withLock { $0.answers[path] = answer }
  }

  /// Holds requests for a path until `letGo()`.
  func hold(_ path: String) { state.withLock { ($0.held, $0.isReached) = (path, false) } }

  func letGo() { state.withLock { $0.held = nil } }

  /// Waits for a request for the held path.
  func isReached() -> Bool { waitUntil { state.withLock(\.isReached) } }

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
    // A program that has gone meanwhile gets no new token.
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
        let behavior = ProviderBehavior(base: base, request: request, asked: state.asked, readings: 1)
        return (try? behavior.answer()) ?? StandInServer.Answer(500)
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
      "login", "--endpoint", "authorization=\(base)/auth", "--endpoint", "token=\(base)/t",
      "--endpoint", "revocation=\(base)/revoke", "--client-id", "me", "--redirect-uri",
      "https://app.example/done", "--for", base, "--headless-test", "--account", "work",
    ]
  }

  /// A login at a provider with metadata, with an id_token.
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
  ) throws -> Outcome {
    try Tokentry.run(
      arguments, input: input, environment: environment.merging(more) { $1 }, wrapper: wrapper)
  }

  func start(
    _ arguments: [String], _ more: [String: String] = [:], input: String? = nil, wrapper: [String] = []
  ) throws -> RunningTokentry {
    try RunningTokentry(
      arguments, environment: environment.merging(more) { $1 }, input: input, wrapper: wrapper)
  }

  func logIn() throws {
    let outcome = try run(login)
    try #require(outcome.status == 0, "\(outcome.messages)")
  }

  /// The files that should not be there: in the user's folders, and beside the account.
  var leftovers: [String] {
    let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    let allowed = [
      "home", "run", "tmp", "store", "store/work.json", "store/.work.lock", "store/.work.attempts",
    ]
    return all.filter { !allowed.contains($0) && !$0.hasPrefix("tool") }
  }

  /// The faults of an account after a fault: it has to be complete, with a valid refresh token.
  func faultsOfAccount() throws -> [String] {
    letGo()
    state.withLock { $0.answers = [:] }
    let refreshed = try run(Self.refresh)
    guard refreshed.status == 0 else { return ["it cannot be refreshed: \(refreshed.output)"] }
    return leftovers.map { "left behind: \($0)" }
  }
}

extension Outcome {
  /// The faults of an answer, which should be one JSON object that says why there is no token.
  var faultsOfAnswer: [String] {
    var faults: [String] = []
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.count != 2 || lines.last != "" { faults.append("not one line: \(output)") }
    if self["error"] == nil, status != 0 { faults.append("no error: \(output)") }
    if self["error"] != nil, status == 0 { faults.append("an error and status 0: \(output)") }
    if status != 0, !messages.contains("tokentry: error: ") { faults.append("no message: \(messages)") }
    return faults
  }

  /// The faults of an answer that should be an error on standard error only.
  var faultsOfSilence: [String] {
    (output.isEmpty ? [] : ["an answer: \(output)"])
      + (messages.contains("tokentry: error: ") ? [] : ["no message: \(messages)"])
  }
}

/// The table `faults.md`: the result of each fault in each state.
enum FaultTable {
  private static let table = ResultTable("faults.md", "Faults without a window", "fault | state | found")

  static func chosen<Cell: CustomStringConvertible>(_ cells: [Cell], _ isTelling: (Cell) -> Bool) -> [Cell] {
    table.chosen(cells, isTelling)
  }

  static func note(_ cell: some CustomStringConvertible, _ found: String) {
    table.note(cell.description, found)
  }

  /// Notes the status and the error of a program.
  static func note(_ cell: some CustomStringConvertible, _ outcome: Outcome, _ more: String = "") {
    let error = outcome.error
    note(cell, "status \(outcome.status)\(error.map { ", \($0)" } ?? "")\(more)")
  }
}
