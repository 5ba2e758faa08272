import Foundation
import GLibSupport
import LoginCore
import SignIn
import Synchronization
import TestSupport
import WindowProtocol

/// A folder with a script that replaces the window's program.
final class WindowScript: Sendable {
  let path = FileManager.default.temporaryDirectory.appending(path: "window-\(UUID().uuidString)").path()
  var program: String { path + "/tokentry-window" }

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes the script, which begins in the folder and has read its first line as `$line`.
  func write(_ script: String) throws {
    let text = "#!/bin/sh\ncd '\(path)' && read -r line && echo \"$line\" >opened\n\(script)\n"
    try writeProgram(text, to: program)
  }

  /// The text of a file that the script wrote. Empty if there is no such file.
  func file(_ name: String) -> String {
    ((try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)) ?? "")
      .trimmingCharacters(in: .newlines)
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(name)") }

  /// True if a process has ended, even if its parent has not waited for it yet.
  private func hasEnded(_ process: pid_t) -> Bool {
    guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
      return true
    }
    return stat.contains(") Z ")
  }

  /// Waits up to ten seconds until a process has ended.
  func ends(_ process: pid_t) async -> Bool {
    for _ in 0..<1_000 where !hasEnded(process) { try? await Task.sleep(for: .milliseconds(10)) }
    return hasEnded(process)
  }
}

/// A visit with a script instead of the window.
struct WindowVisit {
  let folder: WindowScript
  let result: Result<Arrival, Failure>
  let notices: [String]
  /// The time from the start of the visit until the agent was dismissed.
  let duration: Duration

  private static var usual: WindowOptions {
    var options = WindowOptions()
    options.title = "Mail"
    options.hasNoClose = true
    return options
  }

  init(
    _ script: String, hasDisplay: Bool = true, mayOpenTwice: Bool = true, options: WindowOptions = usual,
    in run: Run? = nil, onward: (any OnwardAgent)? = nil, keeper: CertificateKeeper? = nil,
    isPrepared: Bool = false
  ) async throws {
    let folder = try WindowScript()
    try folder.write(script)
    let log = Log()
    let agent = WindowAgent(
      candidates: ["/nowhere/tokentry-window", folder.program], hasDisplay: hasDisplay,
      options: options, in: run, onward: onward, keeper: keeper, memory: WindowMemory(state: folder.path)
    ) { log.add($0) }
    let visit = try Self.visit(mayOpenTwice: mayOpenTwice)
    (result, duration) = await Self.timedResult(of: agent, visit, isPrepared: isPrepared)
    (self.folder, notices) = (folder, log.entries)
  }

  static func visit(mayOpenTwice: Bool = true) throws -> Visit {
    let policy = NavigationPolicy(
      redirectURI: try RedirectURI("https://app.example/done"), aliases: [try RedirectURI("app:/done")],
      errorPages: [try ErrorPage("https://as.example/error")])
    return Visit(
      url: "https://as.example/", policy: policy, state: OAuthState("S"), mayOpenTwice: mayOpenTwice)
  }

  static func result(of agent: WindowAgent, _ visit: Visit) async -> Result<Arrival, Failure> {
    await timedResult(of: agent, visit, isPrepared: false).0
  }

  private static func timedResult(
    of agent: WindowAgent, _ visit: Visit, isPrepared: Bool
  ) async -> (Result<Arrival, Failure>, Duration) {
    signal(SIGPIPE) { _ in }  // as in the program: the window may end at any time
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

  /// What the next window of this machine is told.
  var memory: WindowMemory { WindowMemory(state: folder.path) }

  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    var entries: [String] { lines.withLock { $0 } }

    func add(_ notice: SignInEvent) {
      let line =
        switch notice {
        case .page(let origin): "page \(origin)"
        case .fault(let fault): fault.map { "fault \($0.failure.code)" } ?? "no fault"
        case .slow(let host): "slow \(host)"
        case .stray: "stray"
        case .windowWarning(let text): "warning \(text)"
        case .restarted: "restarted"
        case .blank: "blank"
        case .remembered: "remembered"
        case .left: "left"
        default: "\(notice)"
        }
      lines.withLock { $0.append(line) }
    }
  }
}

extension Result<Arrival, Failure> {
  var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }

  var failureCode: String? { failure?.code.description }
}
