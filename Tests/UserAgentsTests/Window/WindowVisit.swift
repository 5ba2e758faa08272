import LoginWays
import Foundation
import GLibSupport
import LoginCore
import Synchronization
import TestSupport
import UserAgents

/// A visit with a script in place of the window.
struct WindowVisit {
  let folder: WindowScript
  let result: Result<Arrival, Failure>
  let notices: [String]
  /// How long it took, once it was its turn on the main loop.
  let duration: Duration

  /// What the window is told if a test does not care.
  private static var usual: WindowAgent.Presentation {
    var presentation = WindowAgent.Presentation()
    presentation.title = "Mail"
    presentation.hasNoClose = true
    return presentation
  }

  init(
    _ script: String, hasDisplay: Bool = true, mayOpenTwice: Bool = true,
    presentation: WindowAgent.Presentation = usual, onward: (any OnwardAgent)? = nil, isPrepared: Bool = false
  ) async throws {
    signal(SIGPIPE) { _ in }  // as the program does, whose window may end at any time
    let folder = try WindowScript()
    try folder.write(script)
    let log = Log()
    let agent = WindowAgent(
      candidates: ["/nowhere/tokentry-window", folder.program], hasDisplay: hasDisplay,
      presentation: presentation, onward: onward
    ) { log.add($0) }
    let visit = try Self.visit(mayOpenTwice: mayOpenTwice)
    (result, duration) = await Self.timedResult(of: agent, visit, isPrepared: isPrepared)
    (self.folder, notices) = (folder, log.entries)
  }

  static func visit(mayOpenTwice: Bool = true) throws -> Visit {
    let policy = NavigationPolicy(
      redirectURI: try RedirectURI("https://app.example/done"), aliases: [try RedirectURI("app:/done")],
      errorPages: [try ErrorPage("https://as.example/error")])
    return Visit(url: "https://as.example/", policy: policy, state: State("S"), mayOpenTwice: mayOpenTwice)
  }

  static func result(of agent: WindowAgent, _ visit: Visit) async -> Result<Arrival, Failure> {
    await timedResult(of: agent, visit, isPrepared: false).0
  }

  private static func timedResult(
    of agent: WindowAgent, _ visit: Visit, isPrepared: Bool
  ) async -> (Result<Arrival, Failure>, Duration) {
    signal(SIGPIPE) { _ in }  // as the program does: a window may have ended when it is told something
    return await onMainLoop { () async -> (Result<Arrival, Failure>, Duration) in
      if isPrepared { await agent.prepare(for: visit.policy) }
      let started = ContinuousClock.now
      let result: Result<Arrival, Failure>
      do throws(Failure) { result = .success(try await agent.visit(visit)) } catch {
        result = .failure(error)
      }
      await agent.dismiss()
      return (result, ContinuousClock.now - started)
    }
  }

  var callback: String? {
    get throws {
      guard case .success(.callback(let callback)) = result else { return nil }
      return try callback.text()
    }
  }

  var code: String? { result.failureCode }

  func file(_ name: String) -> String { folder.file(name) }

  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    var entries: [String] { lines.withLock { $0 } }

    func add(_ notice: WindowAgent.Notice) {
      let line =
        switch notice {
        case .page(let origin): "page \(origin)"
        case .fault(let failure): failure.map { "fault \($0.code)" } ?? "no fault"
        case .deadline(let failure): "deadline \(failure.code)"
        case .slow(let host): "slow \(host)"
        case .arranged(let layout): "arranged \(layout)"
        case .stray: "stray"
        case .warning(let text): "warning \(text)"
        case .restarted: "restarted"
        case .blank(let next): "blank \(next.rawValue)"
        case .painted(let rendering): "painted \(rendering.rawValue)"
        case .left: "left"
        }
      lines.withLock { $0.append(line) }
    }
  }
}

extension Result<Arrival, Failure> {
  var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }

  var failureCode: String? { failure?.code }
}
