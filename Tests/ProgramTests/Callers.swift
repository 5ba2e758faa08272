import Foundation
import Synchronization
import TestSupport
import Testing

/// Programs that want a token of one account, and the provider that sees what they do.
final class Callers: Sendable {
  /// What the provider has seen.
  struct Seen {
    /// The number of the refresh token that is valid, once.
    var current = 1
    var (logins, tokenRequests, refreshes, deadTokens) = (0, 0, 0, 0)
    /// The most requests at once whose senders were still there. More than one is always a fault.
    var mostAtOnce = 0
    /// When the last token was issued.
    var issued = ContinuousClock.now
    var issuedDate = Date()
    /// When the last token was issued that no program had kept by the next refresh.
    var issuedInVain = ContinuousClock.now
    fileprivate var open: [Int: @Sendable () -> Bool] = [:]
    fileprivate var next = 0
  }

  /// How the provider treats a login or a refresh. `holds` and `holdsRefresh` wait until the behavior changes.
  enum Behavior: Sendable {
    case signsIn, denies, holds, holdsRefresh
  }

  let state = Mutex(Seen())
  let behavior = Mutex(Behavior.signsIn)
  let environment: [String: String]
  private let life: Int
  private let delay: UInt32
  private let folder = TemporaryFolder()
  private let started = Mutex<StandInServer?>(nil)

  /// Makes an account, in a folder or on `bus`. Every request takes `delay` microseconds.
  init(life: Int = 3_600, delay: UInt32 = 0, bus: [String: String]? = nil) throws {
    self.life = life
    self.delay = delay
    environment = bus ?? ["TOKENTRY_STORE": "file:\(folder.path)/store"]
    let server = try StandInServer { [weak self] request, _ in self?.answer(request) ?? .hangUp }
    started.withLock { $0 = server }
    let outcome = try run(
      ["login"] + server.endpoints("/a", "/t")
        + ["--redirect-uri", "https://app.example/done", "--headless-test", "--account", "work", "--for"]
        + [server.base])
    #expect(outcome.status == 0, "\(outcome.messages)")
    state.withLock { ($0.logins, $0.tokenRequests) = (0, 0) }
  }

  /// The provider's address.
  var base: String? { started.withLock { $0?.base } }

  var seen: Seen { state.withLock { $0 } }

  private func answer(_ request: StandInServer.Request) -> StandInServer.Answer {
    let number = state.withLock { seen in
      seen.next += 1
      seen.open[seen.next] = request.isAbandoned
      seen.mostAtOnce = max(seen.mostAtOnce, seen.open.values.count { !$0() })
      return seen.next
    }
    defer { state.withLock { $0.open[number] = nil } }
    usleep(delay)
    if request.path == "/api" { return .json("{}") }
    if request.path == "/a" {
      state.withLock { $0.logins += 1 }
      hold(request, while: .holds)
      let result = behavior.withLock { $0 == .denies } ? "error=access_denied" : "code=C"
      return .redirect("https://app.example/done?\(result)&state=\(request.query["state"] ?? "")")
    }
    state.withLock { $0.tokenRequests += 1 }
    hold(request, while: .holdsRefresh)
    return state.withLock { seen in
      if request.body.contains("grant_type=refresh_token") {
        guard request.body.contains("refresh_token=R\(seen.current)&") else {
          seen.deadTokens += 1
          seen.issuedInVain = seen.issued
          return .json(#"{"error":"invalid_grant"}"#, status: 400)
        }
        seen.refreshes += 1
      }
      seen.current += 1
      (seen.issued, seen.issuedDate) = (.now, Date())
      // The first login's token expires at once.
      let life = seen.current == 2 ? 1 : life
      return .json(
        #"{"access_token":"T\#(seen.current)","token_type":"Bearer","expires_in":\#(life),"#
          + #""refresh_token":"R\#(seen.current)"}"#)
    }
  }

  private func hold(_ request: StandInServer.Request, while held: Behavior) {
    for _ in 0..<3_000 where behavior.withLock({ $0 == held }) && !request.isAbandoned() { usleep(10_000) }
  }

  /// Makes the refresh token invalid, so that a login is needed.
  func revoke() { state.withLock { $0.current += 1_000 } }

  /// Ends the pause after a refusal, by making the refusal an old one.
  func letTimePass() throws {
    let path = folder.path + "/store/.work.attempts"
    let log = try String(contentsOfFile: path, encoding: .utf8)
    try log.replacing(/"last":"[0-9]*/, with: #""last":"2000"#).write(
      toFile: path, atomically: false, encoding: .utf8)
  }

  func run(_ arguments: [String]) throws -> Outcome { try Tokentry.run(arguments, environment: environment) }

  /// Runs several programs at once.
  func run(_ count: Int, _ arguments: [String]) async throws -> [Outcome] {
    try await atOnce(count) { [self] _ in try run(arguments) }
  }

  /// Starts a program in the background.
  func start(
    _ arguments: [String], input: String? = nil, output: Pipe? = nil, wrapper: [String] = []
  ) throws -> RunningTokentry {
    try RunningTokentry(
      arguments, environment: environment, input: input, output: output, wrapper: wrapper)
  }

  func wait(until condition: () -> Bool) {
    let isSo = waitUntil(condition)
    #expect(isSo)
  }

  /// When the account's file was written.
  var written: Date? {
    try? FileManager.default.attributesOfItem(atPath: folder.path + "/store/work.json")[.modificationDate]
      as? Date
  }
}
