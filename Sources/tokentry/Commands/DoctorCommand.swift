import GLibSupport
import Language
import LoginCore
import Platform
import SignIn
import WindowProtocol

/// `tokentry doctor`: checks whether logins work on this machine, and says what to do if they do not.
///
/// The status is 0 if TLS and at least one way to the user work, and 7 otherwise. An agent on another machine counts as a
/// way. With `--silent` no way is needed, because programs that only use kept tokens never ask.
final class DoctorCommand: Action {
  private let shared: Composition
  private let doctor: Doctor
  private let isForReader: Bool
  private let isSilent: Bool

  static let options = AskingWishes.options("silent", "browser") + AnswerWishes.options

  init(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    self.shared = shared
    (isForReader, isSilent) = (wishes.answer.isForReader, wishes.asking.isSilent)
    let environment = shared.environment
    let display = environment["WAYLAND_DISPLAY"] ?? environment["DISPLAY"]
    var usual = Wishes()
    usual.asking.browser = wishes.asking.browser
    doctor = Doctor(
      shared: shared, router: Router(shared.host, try SignInOptions(usual, shared)),
      window: WindowCheck(
        programs: environment.windowPrograms, display: display, isHidden: isSilent,
        asked: try Rendering(asked: environment),
        remembered: WindowMemory(environment).rendering))
  }

  func text() async throws(Failure) -> String {
    let tasks = doctor.table.map { check in GLibActor.task { await check.findings() } }
    var findings: [Finding] = []
    for task in tasks { findings += await task.value }
    let isAway = shared.agent != nil && !findings.isFailed("agent")
    let open = Self.ways(findings)
    findings.append(Finding("login", doctor.login(among: open)))
    let ways = open.map(\.rawValue) + (isAway ? ["agent"] : [])
    if isSilent { findings = findings.map(\.withoutUser) }
    let obstacle = obstacle(findings, ways)
    let table = isForReader ? Self.table(findings, ways, .ofTable) : nil
    if obstacle == nil, let table { return table }
    if let table { shared.messages.show(table.parts(at: "\n")) } else { tell(findings) }
    if let obstacle { throw obstacle }
    let object: JSONObject = ["ways": .array(ways.map(JSONValue.string)), "checks": findings.json]
    return object.text + "\n"
  }

  private func obstacle(_ findings: [Finding], _ ways: [String]) -> Failure? {
    let details: JSONObject = ["checks": findings.json]
    if ways.isEmpty, !isSilent {
      return Failure(
        .noUserAgent, "logins on this machine cannot reach the user",
        hint: "`tokentry doctor --silent` checks only what programs need that never ask the user",
        details: details)
    }
    if findings.isFailed("tls") {
      return Failure(
        .noUserAgent, "logins on this machine cannot reach the provider", details: details)
    }
    guard isSilent, findings.isFailed("agent") else { return nil }
    return Failure(.noUserAgent, "the agent that keeps the accounts does not answer", details: details)
  }

  private func tell(_ findings: [Finding]) {
    for finding in findings {
      let answer = finding.answer
      let message: Message =
        (answer.hint?.words).map { "\(finding.name): \(answer.message) (\($0))" }
        ?? "\(finding.name): \(answer.message)"
      let isQuiet = answer.state == .ok || answer.state == .unknown
      if isQuiet { shared.messages.info(message) } else { shared.messages.tell(message) }
    }
  }

  /// Returns the ways to the user for which no check failed.
  private static func ways(_ findings: [Finding]) -> [LoginWay] {
    let needs: [(LoginWay, any: [[String]])] = [
      (.window, [["display", "window", "sandbox"]]), (.browser, [["browser", "loopback"]]),
      (.paste, [["terminal"], ["display", "window"]]),
    ]
    return needs.filter { _, any in any.contains { !$0.contains(where: findings.isFailed) } }.map(\.0)
  }

  static func table(_ findings: [Finding], _ ways: [String], _ style: TerminalStyle) -> String {
    let rows = findings.flatMap { finding -> [[TerminalStyle.Cell]] in
      let (mark, colour) = finding.answer.state.mark
      let row: [TerminalStyle.Cell] = [
        (mark, colour), (finding.name, .bold), (finding.answer.message.text, nil),
      ]
      return [row] + ((finding.answer.hint?.words).map { [[("", nil), ("", nil), ($0.text, .faint)]] } ?? [])
    }
    let open: Message = ways.isEmpty ? "none" : ways.verbatim.list
    let head: Message = "ways to the user:"
    return style.table(rows) + "\n" + style.shown(head.text, .bold) + " " + open.text + "\n"
  }
}

extension [Finding] {
  fileprivate func isFailed(_ name: String) -> Bool {
    contains { $0.name == name && $0.answer.state == .failed }
  }
}

extension Finding {
  /// The finding for programs that never ask the user: a missing way to the user is not a failure.
  fileprivate var withoutUser: Finding {
    let isAboutUser = [
      "display", "window", "sandbox", "browser", "terminal", "loopback", "login",
    ].contains(name)
    guard isAboutUser, answer.state == .failed else { return self }
    return Finding(name, Answer(.unknown, answer.message, hint: answer.hint))
  }
}

extension Answer.State {
  fileprivate var mark: (String, TerminalStyle.Colour) {
    switch self {
    case .ok: ("✓", .green)
    case .warning: ("!", .yellow)
    case .failed: ("✗", .red)
    case .unknown: ("?", .faint)
    }
  }
}
