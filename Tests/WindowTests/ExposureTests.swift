import Foundation
import Synchronization
@testable import TestSupport
import Testing

extension WindowTests {
  /// Each secret of a login is a unique text, which is searched for in every place that other programs may read.
  @Suite("Secrets during a login")
  struct ExposureTests {
    private static let table = ResultTable(
      "secrets-window.md", "Where secrets were found, with a window", "step | holder | place | secret | ")

    /// The reason why a secret may be in a place. nil if it may not.
    private static func reason(for exposure: Exposure) -> String? {
      let ofPage = ["password", "code", "state", "nonce"].contains(exposure.secret)
      switch (exposure.holder, exposure.place) {
      case ("tokentry", .memory): return "no promise"
      case ("tokentry", .environment):
        return exposure.secret == "client secret" ? "the caller gave it so" : nil
      case ("tokentry", .output): return exposure.secret.hasSuffix("token") ? "the answer" : nil
      case (_, .memory): return ofPage ? "it is the page's" : nil
      case ("the store", .file): return ofPage && exposure.secret != "nonce" ? nil : "the account"
      default: return nil
      }
    }

    @Test("A page's processes have only the page's own secrets, and titles, labels, files and logs have none")
    func canaries() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let watch = try Watch()
      let log = desk.folder + "/log"
      let login = try Program(
        Desk.program("tokentry"),
        [
          "login", "--endpoint", "authorization=\(watch.base)/auth", "--endpoint", "token=\(watch.base)/t",
          "--client-id", "me", "--redirect-uri", "https://app.example/done", "--account", "work", "--store",
          "file:\(desk.folder)/store", "--scope", "offline", "-vv",
        ],
        environment: desk.environment.merging(reader.variables) { $1 }
          .merging(["TOKENTRY_LOG": log, "TOKENTRY_CLIENT_SECRET": watch.secret("client secret")]) { $1 },
        errorPath: desk.folder + "/messages")
      watch.begin(login.identifier)
      try #require(await desk.showsPage(login), "\(login.errors)")
      try desk.screen.type("ann")
      try desk.screen.press("Tab")
      try desk.screen.type(watch.secret("password"))
      watch.note("typed", "tokentry-window", .title, try desk.screen.run("xwininfo", "-root", "-tree"))
      let elements = try reader.elements(withPage: true)
      #expect(elements.contains { $0.role.contains("password") }, "\(elements)")
      watch.note("typed", "tokentry-window", .words, "\(elements)")
      try desk.screen.press("Return")
      #expect(await login.end() == 0, "\(login.errors)")

      watch.note("end", "tokentry", .output, login.text)
      watch.note("end", "tokentry", .messages, login.errors)
      watch.note("end", "tokentry", .log, try String(contentsOfFile: log, encoding: .utf8))
      for path in FileManager.default.enumerator(atPath: desk.folder)?.compactMap({ $0 as? String }) ?? []
      where path != "messages" {
        guard let data = FileManager.default.contents(atPath: "\(desk.folder)/\(path)") else { continue }
        let holder = path.hasPrefix("store/") ? "the store" : path
        watch.note("end", holder, .file, String(decoding: data + Data(path.utf8), as: UTF8.self))
      }
      for (step, exposure) in watch.found {
        let reason = Self.reason(for: exposure)
        #expect(reason != nil, "\(step): \(exposure)")
        Self.table.note("\(step) | \(exposure)", reason ?? "WRONG")
      }
      // The search works: it finds the secrets where they have to be.
      #expect(["state", "code verifier"].allSatisfy { !watch.secret($0).isEmpty })
      let seen = Set(watch.found.map(\.exposure))
      #expect(seen.contains(Exposure("tokentry", .output, "access token")))
      if geteuid() == 0 { #expect(seen.contains(Exposure("WebKitWebProces", .memory, "password"))) }
    }
  }
}

/// A provider that searches all processes of a login at every request. The client waits meanwhile.
private final class Watch: Sendable {
  private struct State {
    var secrets: [String: String]
    var login: pid_t?
    var asked: [String: String] = [:]
    var found: [(step: String, exposure: Exposure)] = []
  }

  private let state: Mutex<State>
  private let server = Mutex<StandInServer?>(nil)

  private static let page = """
    <!doctype html><title>Wait</title><form method=post action=/in>
    <input name=user autofocus onfocus="document.title='Sign in'"><input type=password name=pw><button>Go on</button></form>
    """

  init() throws {
    let names = ["client secret", "code", "access token", "refresh token", "password"]
    let values = names.map { ($0, "c4n-" + UUID().uuidString.lowercased()) }
    state = Mutex(State(secrets: Dictionary(uniqueKeysWithValues: values)))
    let server = try StandInServer { [weak self] request, _ in self?.answer(request) ?? .hangUp }
    self.server.withLock { $0 = server }
  }

  var base: String { server.withLock { $0?.base } ?? "" }
  var found: [(step: String, exposure: Exposure)] { state.withLock(\.found) }
  func secret(_ name: String) -> String { state.withLock { $0.secrets[name] } ?? "" }
  func begin(_ login: pid_t) { state.withLock { $0.login = login } }

  /// Records the secrets that are in a text.
  func note(_ step: String, _ holder: String, _ place: Exposure.Place, _ text: String) {
    state.withLock { state in
      for secret in Exposure.secrets(state.secrets, in: Data(text.utf8)) {
        state.found.append((step, Exposure(holder, place, secret)))
      }
    }
  }

  private func answer(_ request: StandInServer.Request) -> StandInServer.Answer {
    state.withLock { state in
      if request.path == "/auth" { state.asked = request.query }
      for (name, value) in [
        ("state", request.query["state"]), ("code verifier", request.form["code_verifier"]),
      ] { if let value { state.secrets[name] = value } }
    }
    search(request.path)
    let (asked, secrets) = state.withLock { ($0.asked, $0.secrets) }
    switch request.path {
    case "/auth": return .html(Self.page)
    case "/in":
      return .redirect(
        "\(asked["redirect_uri"] ?? "")?code=\(secrets["code"] ?? "")&state=\(asked["state"] ?? "")")
    case "/t":
      return .json(
        #"{"access_token":"\#(secrets["access token"] ?? "")","token_type":"Bearer","expires_in":3600,"#
          + #""refresh_token":"\#(secrets["refresh token"] ?? "")"}"#)
    default: return .json("{}")
    }
  }

  private func search(_ step: String) {
    for _ in 0..<500 where state.withLock({ $0.login == nil }) { usleep(2_000) }
    let (login, secrets) = state.withLock { ($0.login, $0.secrets) }
    for process in login.map({ Descendants(of: $0).identifiers }) ?? [] {
      for exposure in Exposure.of(process, secrets, withMemory: geteuid() == 0) {
        state.withLock { $0.found.append((step, exposure)) }
      }
    }
  }
}
