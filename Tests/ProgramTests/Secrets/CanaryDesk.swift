import Foundation
import LoginCore
import Synchronization
@testable import TestSupport
import Testing

/// A user's folders and a provider, with a value of its own for each secret, which looks for all of them in all processes
/// whenever it is asked something: whoever asks is held for as long.
final class CanaryDesk: Sendable {
  private struct State {
    var secrets: [String: String]
    var process: pid_t?
    var found: Set<Exposure> = []
    /// What the program's own memory holds at each step.
    var remembered: [(step: String, secrets: [String])] = []
    var asked: [String: String] = [:]
  }

  let folder: String
  private let state: Mutex<State>
  private let started = Mutex<StandInServer?>(nil)

  /// Secrets that are chosen here; the others are learned from what the provider is sent.
  static let chosen = [
    "client secret", "code", "access token", "refresh token", "id_token", "password", "device code",
    "registration token", "second access token", "second refresh token",
  ]

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "canaries-\(UUID().uuidString)").path()
    for name in ["home", "run", "tmp"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
      )
    }
    let values = Self.chosen.map { ($0, "c4n-" + UUID().uuidString.lowercased()) }
    state = Mutex(State(secrets: Dictionary(uniqueKeysWithValues: values)))
    let server = try StandInServer { [weak self] request, base in self?.answer(request, base) ?? .hangUp }
    started.withLock { $0 = server }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var base: String { started.withLock { $0?.base } ?? "" }
  var secrets: [String: String] { state.withLock(\.secrets) }
  func secret(_ name: String) -> String { secrets[name] ?? "" }
  var found: Set<Exposure> { state.withLock(\.found) }
  var remembered: [(step: String, secrets: [String])] { state.withLock(\.remembered) }

  func learn(_ name: String, _ value: String?) {
    if let value, !value.isEmpty { state.withLock { $0.secrets[name] = value } }
  }

  /// Everything that libraries can be told to say is said.
  var environment: [String: String] {
    [
      "HOME": folder + "/home", "TMPDIR": folder + "/tmp", "XDG_RUNTIME_DIR": folder + "/run",
      "TOKENTRY_STORE": "file:\(folder)/store", "DBUS_SESSION_BUS_ADDRESS": "disabled:",
      "TOKENTRY_LOG": folder + "/log", "TOKENTRY_CLIENT_SECRET": secret("client secret"),
      "TOKENTRY_PASSWORD": secret("password"),
    ].merging(StandardOutputTests.variables) { $1 }
  }

  func run(_ arguments: [String], input: String? = nil, _ more: [String: String] = [:]) throws
    -> Program.Outcome
  {
    let caller = try Caller(
      arguments, environment.merging(more) { $1 }, in: URL(filePath: folder + "/caller"), input: input)
    state.withLock { $0.process = caller.identifier }
    let outcome = caller.outcome()
    state.withLock { $0.process = nil }
    note(outcome.output, .output)
    note(outcome.messages, .messages)
    note((try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "", .log)
    return outcome
  }

  private func note(_ text: String, _ place: Exposure.Place) {
    for secret in Exposure.secrets(secrets, in: Data(text.utf8)) {
      _ = state.withLock { $0.found.insert(Exposure("tokentry", place, secret)) }
    }
  }

  /// Looks into every file that a run has left.
  func lookIntoFiles() {
    for path in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? []
    where !path.hasPrefix("caller") && !path.hasPrefix("tool") && path != "log" {
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(path)") else { continue }
      let name = path.hasPrefix("store/") ? "the store" : path
      for secret in Exposure.secrets(secrets, in: data + Data(path.utf8)) {
        _ = state.withLock { $0.found.insert(Exposure(name, .file, secret)) }
      }
    }
  }

  private func look(_ step: String) {
    for _ in 0..<500 where state.withLock({ $0.process == nil }) { usleep(2_000) }
    guard let process = state.withLock(\.process) else { return }
    let secrets = secrets
    for identifier in Descendants(of: process).identifiers {
      let all = Exposure.of(identifier, secrets, withMemory: geteuid() == 0)
      let own = identifier == process ? all.filter { $0.place == .memory } : []
      state.withLock { state in
        state.found.formUnion(all.subtracting(own))
        if identifier == process { state.remembered.append((step, own.map(\.secret).sorted())) }
      }
    }
  }

  private func answer(_ request: StandInServer.Request, _ base: String) -> StandInServer.Answer {
    learn("state", request.query["state"])
    learn("nonce", request.query["nonce"])
    learn("code verifier", request.form["code_verifier"])
    if request.path == "/auth" { state.withLock { $0.asked = request.query } }
    look(request.path)
    let asked = state.withLock(\.asked)
    switch request.path {
    case "/auth":
      return .html("<form method=post action=/in><input name=user><input type=password name=pw></form>")
    case "/in", "/back":
      return .redirect(
        "\(asked["redirect_uri"] ?? "")?code=\(secret("code"))&state=\(asked["state"] ?? "")")
    case "/t": return .json(token(request))
    case "/codes":
      return .json(
        #"{"device_code":"\#(secret("device code"))","user_code":"WDJB-MJHT","verification_uri":"\#(base)/device","#
          + #""expires_in":60,"interval":1}"#)
    case "/register":
      return .json(
        #"{"client_id":"me","client_secret":"\#(secret("client secret"))","registration_access_token":"#
          + #""\#(secret("registration token"))","registration_client_uri":"\#(base)/client"}"#, status: 201)
    default: return .json("{}")
    }
  }

  private func token(_ request: StandInServer.Request) -> String {
    let isSecond = request.form["grant_type"] == "refresh_token"
    let kind = request.headers["dpop"] == nil ? "Bearer" : "DPoP"
    let prefix = isSecond ? "second " : ""
    return
      #"{"access_token":"\#(secret(prefix + "access token"))","token_type":"\#(kind)","expires_in":\#(isSecond ? 3_600 : 30),"#
      + #""refresh_token":"\#(secret(prefix + "refresh token"))","id_token":"\#(secret("id_token"))"}"#
  }
}
