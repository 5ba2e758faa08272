import Foundation
import LoginCore
import Synchronization
@testable import TestSupport
import Testing

/// Looks for secrets in every place that another program could read, at every step of every way to a token.
@Suite("Where secrets can be found", .blocking)
struct CanaryTests {
  private static let table = ResultTable(
    "secrets.md", "Where secrets were found, without a window", "way | holder | place | secret | ")

  /// Where a secret may be, and why.
  private static let allowed: [Exposure: String] = {
    var allowed: [Exposure: String] = [:]
    for secret in ["client secret", "password"] {
      allowed[Exposure("tokentry", .environment, secret)] = "the caller gave it so"
    }
    for secret in [
      "access token", "refresh token", "id_token", "second access token", "second refresh token",
    ] {
      allowed[Exposure("tokentry", .output, secret)] = "the answer"
      allowed[Exposure("the store", .file, secret)] = "the account"
    }
    allowed[Exposure("tokentry", .output, "proof key")] =
      "the answer, for callers that sign requests themselves"
    for secret in ["client secret", "registration token", "nonce", "proof key"] {
      allowed[Exposure("the store", .file, secret)] = "the account or its client"
    }
    return allowed
  }()

  private func check(
    _ way: String, _ fixture: CanaryFixture, _ more: [Exposure: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    fixture.lookIntoFiles()
    let allowed = Self.allowed.merging(more) { $1 }
    let wrong = fixture.found.filter { allowed[$0] == nil }.sorted()
    #expect(wrong == [], "\(way)", sourceLocation: sourceLocation)
    for exposure in fixture.found { Self.table.note("\(way) | \(exposure)", allowed[exposure] ?? "WRONG") }
    for (step, secrets) in fixture.remembered {
      Self.table.note(
        "\(way) | tokentry | its own memory at \(step) | \(secrets.joined(separator: ", "))", "no promise")
    }
    if geteuid() == 0 {
      #expect(
        fixture.remembered.contains { !$0.secrets.isEmpty }, "memory is searched",
        sourceLocation: sourceLocation)
    }
  }

  /// The options of a login at a provider whose id_token is passed on unverified.
  private func endpoints(_ fixture: CanaryFixture, _ page: String = "/auth") throws -> [String] {
    let preset = fixture.folder + "/tool-preset.json"
    try """
    {"name":"Canaries","authorization_endpoint":"\(fixture.base)\(page)","token_endpoint":"\(fixture.base)/t",
     "revocation_endpoint":"\(fixture.base)/r","id_token":"opaque"}
    """.write(toFile: preset, atomically: true, encoding: .utf8)
    return ["--provider", preset, "--client-id", "me", "--scope", "openid", "-vv"]
  }

  private func form(_ fixture: CanaryFixture) throws -> [String] {
    let file = fixture.folder + "/tool-password"
    _ = FileManager.default.createFile(
      atPath: file, contents: Data(fixture.secret("password").utf8), attributes: [.posixPermissions: 0o600])
    return [
      "--redirect-uri", "https://app.example/done", "--headless-test", "--form", "user=ann", "--form",
      "pw=@" + file,
    ]
  }

  @Test("Login without a window, refresh, request, helper and logout", arguments: [false, true])
  func kept(isBound: Bool) throws {
    let fixture = try CanaryFixture()
    let login = try fixture.run(
      [
        "login", "--account", "work", "--for", fixture.base,
      ]
        + endpoints(fixture) + form(fixture) + (isBound ? ["--dpop"] : []))
    try #require(login.status == 0, "\(login.messages)")
    #expect(["state", "code verifier"].allSatisfy { fixture.secrets[$0] != nil }, "\(fixture.secrets.keys)")
    if isBound {
      let text = try String(contentsOfFile: fixture.folder + "/store/work.json", encoding: .utf8)
      fixture.learn("proof key", try #require(text.firstMatch(of: /"d":"([^"]+)"/)).1.description)
    }
    let refreshed = try fixture.run(["token", "--account", "work", "--silent", "-vv"])
    #expect(refreshed.accessToken == fixture.secret("second access token"), "\(refreshed.messages)")
    let request = try fixture.run(["request", "--account", "work", fixture.base + "/api", "-vv"])
    #expect(request.output == "{}", "\(request.messages)")
    if !isBound {
      let helper = try fixture.run(["helper", "bazel", "get"], input: #"{"uri":"\#(fixture.base)/api"}"#)
      #expect(helper.output.contains("Bearer"), "\(helper.messages)")
    }
    #expect(try fixture.run(["logout", "--account", "work", "-vv"]).status == 0)
    check(isBound ? "login with DPoP and what follows" : "login and what follows", fixture)
  }

  @Test("Device code, password, client credentials and registration")
  func direct() throws {
    let fixture = try CanaryFixture()
    let token = ["login", "--endpoint", "token=\(fixture.base)/t", "--client-id", "me", "-vv"]
    let device = try fixture.run(
      token + ["--grant", "device", "--endpoint", "device_authorization=\(fixture.base)/codes"])
    #expect(device.status == 0, "\(device.messages)")
    let password = try fixture.run(token + ["--grant", "password", "--login-hint", "ann"])
    #expect(password.status == 0, "\(password.messages)")
    let client = try fixture.run(token + ["--grant", "client-credentials"])
    #expect(client.status == 0, "\(client.messages)")
    check("device, password, client-credentials", fixture)

    let registering = try CanaryFixture()
    let register = try registering.run(
      token.filter { !["--client-id", "me"].contains($0) } + [
        "--grant", "device", "--endpoint", "device_authorization=\(registering.base)/codes", "--endpoint",
        "registration=\(registering.base)/register",
      ])
    #expect(register.status == 0, "\(register.messages)")
    check("register", registering)
  }

  @Test("A crashed program that holds a token leaves no core file")
  func core() throws {
    for signal in [SIGSEGV, SIGABRT, SIGBUS, SIGTRAP] {
      let fixture = try FaultFixture()
      try fixture.logIn()
      fixture.hold("/t")
      let work = fixture.folder + "/tmp"
      let caller = try fixture.start(
        FaultFixture.refresh,
        wrapper: ["/bin/sh", "-c", "cd \(work); ulimit -c unlimited; exec \"$0\" \"$@\""])
      try #require(fixture.isReached())
      let limits = try String(contentsOfFile: "/proc/\(caller.identifier)/limits", encoding: .utf8)
      #expect(limits.contains(#/Max core file size +0 +0 /#))
      caller.end(signal)
      let outcome = caller.outcome()
      #expect(outcome.status == 70 && outcome.error == "internal_error")
      #expect(outcome.faultsOfAnswer == [])
      #expect(!outcome.messages.contains("R1") && !outcome.messages.contains("T1"), "\(outcome.messages)")
      #expect(try fixture.faultsOfAccount() == [])
      FaultTable.note("crash: signal \(signal) | token, refreshing", outcome)
    }
  }
}

/// The folders of a user and a provider, with a different value for each secret. Whenever the provider gets a
/// request, it looks for all secrets in all processes, and answers afterwards.
final class CanaryFixture: Sendable {
  private struct State {
    var secrets: [String: String]
    var process: pid_t?
    var found: Set<Exposure> = []
    /// The secrets in the program's own memory at each step.
    var remembered: [(step: String, secrets: [String])] = []
    var asked: [String: String] = [:]
  }

  var folder: String { root.path }
  private let root = TemporaryFolder()
  private let state: Mutex<State>
  private let started = Mutex<StandInServer?>(nil)

  /// Secrets that are chosen here. The others are learned from the requests.
  static let chosen = [
    "client secret", "code", "access token", "refresh token", "id_token", "password", "device code",
    "registration token", "second access token", "second refresh token",
  ]

  init() throws {
    for name in ["home", "run", "tmp"] { mkdir("\(root.path)/\(name)", 0o700) }
    let values = Self.chosen.map { ($0, "c4n-" + UUID().uuidString.lowercased()) }
    state = Mutex(State(secrets: Dictionary(uniqueKeysWithValues: values)))
    let server = try StandInServer { [weak self] request, base in self?.answer(request, base) ?? .hangUp }
    started.withLock { $0 = server }
  }

  var base: String { started.withLock { $0?.base } ?? "" }
  var secrets: [String: String] { state.withLock(\.secrets) }
  func secret(_ name: String) -> String { secrets[name] ?? "" }
  var found: Set<Exposure> { state.withLock(\.found) }
  var remembered: [(step: String, secrets: [String])] { state.withLock(\.remembered) }

  func learn(_ name: String, _ value: String?) {
    if let value, !value.isEmpty { state.withLock { $0.secrets[name] = value } }
  }

  /// Makes the libraries log as much as they can.
  var environment: [String: String] {
    [
      "HOME": folder + "/home", "TMPDIR": folder + "/tmp", "XDG_RUNTIME_DIR": folder + "/run",
      "TOKENTRY_STORE": "file:\(folder)/store", "DBUS_SESSION_BUS_ADDRESS": "disabled:",
      "TOKENTRY_LOG": folder + "/log", "TOKENTRY_CLIENT_SECRET": secret("client secret"),
      "TOKENTRY_PASSWORD": secret("password"),
    ].merging(StandardOutputTests.variables) { $1 }
  }

  func run(_ arguments: [String], input: String? = nil, _ more: [String: String] = [:]) throws -> Outcome {
    let caller = try RunningTokentry(arguments, environment: environment.merging(more) { $1 }, input: input)
    state.withLock { $0.process = caller.identifier }
    let outcome = caller.outcome()
    state.withLock { $0.process = nil }
    note(outcome.output, .output)
    note(outcome.messages, .messages)
    note(root.text(of: "log"), .log)
    return outcome
  }

  private func note(_ text: String, _ place: Exposure.Place) {
    for secret in Exposure.secrets(secrets, in: Data(text.utf8)) {
      _ = state.withLock { $0.found.insert(Exposure("tokentry", place, secret)) }
    }
  }

  /// Looks for secrets in the files that are left.
  func lookIntoFiles() {
    for path in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? []
    where !path.hasPrefix("tool") && path != "log" {
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
      return .redirect("\(asked["redirect_uri"] ?? "")?code=\(secret("code"))&state=\(asked["state"] ?? "")")
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
