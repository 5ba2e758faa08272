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
  private let isForReader: Bool

  init(_ settings: Settings, _ run: Composition) {
    self.run = run
    isForReader = settings.isForReader
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
    let ways = Self.ways(findings)
    let isFit = !ways.isEmpty && !findings.isFailed("tls")
    let table = isForReader ? TableText.doctor(findings, ways, .ofUser) : nil
    if isFit, let table { return table }
    if let table { run.messages.show(table.parts(at: "\n")) } else { tell(findings) }
    if ways.isEmpty { throw .run(.unfit(.noUser, findings)) }
    if !isFit { throw .run(.unfit(.noProvider, findings)) }
    let object: JSONObject = [
      "ways": .array(ways.map { .string($0.rawValue) }), "checks": findings.json,
    ]
    return object.text + "\n"
  }

  private func tell(_ findings: [Finding]) {
    for finding in findings {
      let isQuiet = finding.state == .ok || finding.state == .unknown
      if isQuiet { run.messages.info(.finding(finding)) } else { run.messages.tell(.finding(finding)) }
    }
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
