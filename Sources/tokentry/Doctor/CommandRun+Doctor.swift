import GLibSupport
import LoginCore

extension CommandRun {
  /// `tokentry doctor`: what logins need of this machine, what of it is there, and what mends the rest.
  ///
  /// The status is 0 if there is at least one way to the user that works, and TLS; else 7, with the same checks.
  func doctor(_ settings: Settings) async throws(Failure) -> String {
    let tasks = checks(settings).map { check in GLibActor.task { await check.findingsInTime() } }
    var findings: [Finding] = []
    for task in tasks { findings += await task.value }
    for finding in findings {
      if finding.state == .ok || finding.state == .unknown {
        messages.info("\(finding.name): \(finding.message)")
      } else {
        messages.tell("\(finding.name): \(finding.message)" + (finding.hint.map { " (\($0))" } ?? ""))
      }
    }
    let ways = Self.ways(findings)
    if ways.isEmpty { throw .display(.unfit("no login can reach its user here", findings)) }
    if findings.isFailed("tls") { throw .display(.unfit("no login can reach its provider here", findings)) }
    let object: JSONObject = [
      "ways": .array(ways.map { .string($0.rawValue) }), "checks": findings.json,
    ]
    return object.text + "\n"
  }

  private func checks(_ settings: Settings) -> [any Check] {
    let display = environment["WAYLAND_DISPLAY"] ?? environment["DISPLAY"]
    let asked = settings[.rendering].flatMap(Rendering.init)
    return [
      WindowCheck(
        programs: windowPrograms, display: display, isHidden: settings.has(.silent), asked: asked,
        remembered: RenderingMemory(environment).rendering),
      KeyringCheck(), EncryptionCheck(), ProxyCheck(environment: environment),
      BrowserCheck(
        command: settings[.browser] ?? environment["BROWSER"], isDesktop: display != nil && !isRemote),
      PortalCheck(), TerminalCheck(), LoopbackCheck(), FolderCheck(environment: environment),
    ]
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
