import GLibSupport
import LoginCore
import LoginWays
import Wording

/// `tokentry doctor`: what logins need of this machine, what of it is there, and what mends the rest.
///
/// The status is 0 if there is at least one way to the user that works, and TLS; else 7, with the same checks.
struct DoctorCommand: Action {
  private let run: Composition
  private let checks: [any Check]

  init(_ settings: Settings, _ run: Composition) {
    self.run = run
    let environment = run.environment
    let display = environment["WAYLAND_DISPLAY"] ?? environment["DISPLAY"]
    checks = [
      WindowCheck(
        programs: environment.windowPrograms, display: display, isHidden: settings.has(.silent),
        asked: settings[.rendering].flatMap(Rendering.init),
        remembered: WindowMemory(environment).rendering),
      KeyringCheck(), EncryptionCheck(), ProxyCheck(environment: environment),
      BrowserCheck(
        command: settings[.browser] ?? environment.windowsBrowser?.joined(separator: " ")
          ?? environment["BROWSER"],
        isDesktop: display != nil && !environment.isRemote),
      PortalCheck(), TerminalCheck(), LoopbackCheck(cryptography: run.cryptography),
      FolderCheck(environment: environment), HelpersCheck(environment: environment),
    ]
  }

  func text() async throws(Failure) -> String {
    let tasks = checks.map { check in GLibActor.task { await check.findingsInTime() } }
    var findings: [Finding] = []
    for task in tasks { findings += await task.value }
    for finding in findings {
      let isQuiet = finding.state == .ok || finding.state == .unknown
      if isQuiet { run.messages.info(.finding(finding)) } else { run.messages.tell(.finding(finding)) }
    }
    let ways = Self.ways(findings)
    if ways.isEmpty { throw .run(.unfit(.noUser, findings)) }
    if findings.isFailed("tls") { throw .run(.unfit(.noProvider, findings)) }
    let object: JSONObject = [
      "ways": .array(ways.map { .string($0.rawValue) }), "checks": findings.json,
    ]
    return object.text + "\n"
  }

  /// The ways to the user for which everything is there.
  private static func ways(_ findings: [Finding]) -> [Way] {
    let needs: [(Way, any: [[String]])] = [
      (.window, [["display", "window", "sandbox"]]), (.browser, [["browser", "loopback"]]),
      (.paste, [["terminal"], ["display", "window"]]),
    ]
    return needs.filter { _, any in any.contains { !$0.contains(where: findings.isFailed) } }.map(\.0)
  }
}

extension [Finding] {
  fileprivate func isFailed(_ name: String) -> Bool { contains { $0.name == name && $0.state == .failed } }
}
