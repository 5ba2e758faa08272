import GLibSupport
import Glibc
import LoginCore
import SignIn
import SoupNetwork

/// `tokentry open`: what `BROWSER` names on a machine where the user has no browser. The agent opens the page at home, and
/// the answer of a login there comes back to the program that waits for it here.
///
/// Programs wait for the end of their browser's command before they wait for the answer. So this command ends once the page
/// is open, and a process of its own stays for the answer.
final class OpenCommand: Action {
  /// The names of links to this program. Some programs start nothing but these, and some take `BROWSER` for one path.
  static let links = ["xdg-open", "open", "x-www-browser"]

  private let shared: Composition
  private let agent: AgentLink
  private let url: String
  private let patience: Int

  /// The seconds without a limit of the caller's. The agent ends the login long before, unless its machine is asleep.
  private static let longestPatience = 3_600

  static let options = PlaceWishes.options("store") + AskingWishes.options("timeout")

  init(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    guard let url = wishes.operand else { throw .lacks(.open, "the address of the page") }
    guard let agent = shared.agent else { throw .noAgentNamed }
    (self.shared, self.agent, self.url) = (shared, agent, url)
    patience = wishes.asking.patience > 0 ? wishes.asking.patience : Self.longestPatience
  }

  func text() async throws(Failure) -> String {
    var isTold = false
    while !SignInChild.isThis {
      do throws(Failure) {
        try await SignInChild.signIn(shared)
        return ""
      } catch {
        // The browser at home has one port of this number.
        guard error.code == .alreadyInProgress, (try? await pause(for: .seconds(1))) != nil else {
          throw error
        }
        shared.run.failAtDeadline(error)
        if !isTold { shared.messages.tell("\(error.message); this one begins when that one is over") }
        isTold = true
      }
    }
    let page = try CarriedPage(try await address())
    let program = page.visit.map { WaitingProgram($0.visit, at: page.port, reachedBy: shared.host.transport) }
    if program?.hasStranger == true { throw .portInUse(page.port) }
    do throws(Failure) {
      _ = try await agent.answer(to: "open", ["url": .string(page.url)])
    } catch {
      guard error.code == .cancelled, let program else { throw error }
      // Some programs do not look at the status of this command, and would wait for an answer.
      try await goOn(after: SignInChild.refusal.output(Report(error)))
      await program.hear(error)
      return ""
    }
    try await goOn(after: "")
    if let program { await takeAnswer(to: program) }
    return ""
  }

  /// Hands the report to the command, which then ends. This process goes on.
  @GLibActor
  private func goOn(after report: String) async throws(Failure) {
    shared.interruption.outliveCaller()
    shared.run.pauseDeadline()
    try await StreamedOutput().giveAnswer(report)
  }

  /// The address of the page. Some programs name one of their own, which redirects to the provider.
  private func address() async throws(Failure) -> String {
    guard let own = try? Endpoint(url), (try? WebAddress(url))?.zone == .machine else { return url }
    let answer = try await shared.host.transport.send(HTTPRequest(get: own, accepting: "text/html"))
    guard let location = answer[header: "Location"], (300..<400).contains(answer.status) else {
      throw Failure(
        .invalidConfiguration, "the page at \(own.origin) is on this machine, and leads to no other")
    }
    return location
  }

  /// Waits for the answer, and takes it to the program. If there is none, the program hears why. If the program ends, there
  /// is nothing to wait for.
  @GLibActor
  private func takeAnswer(to program: WaitingProgram) async {
    var program = program
    let first = FirstResult<JSONObject, Failure>()
    GLibActor.task { [agent] in
      do throws(Failure) { first.finish(.success(try await agent.answer(to: "callback", [:]))) } catch {
        first.finish(.failure(error))
      }
    }
    let deadline = Source.after(.seconds(patience)) { first.finish(.failure(.noAnswer)) }
    let watch = Source.every(.seconds(1)) {
      program.look()
      if program.hasEnded { first.finish(.failure(.noAnswer)) }
    }
    defer { withExtendedLifetime((deadline, watch)) {} }
    switch await first.result() {
    case .success(let answer):
      if await !program.take(answer["url"]?.string ?? "") {
        _ = try? await agent.answer(to: "callback", ["lost": true])
        await program.hear(.undeliverable)
      }
    case .failure(let failure): await program.hear(failure)
    }
  }
}

/// The program on this machine that has opened the page, and waits for the answer at a port.
private struct WaitingProgram: Sendable {
  private let visit: Visit
  private let host: RedirectURI.LoopbackHost
  private let port: UInt16
  private let transport: any HTTPTransport
  /// The redirect URI as a browser writes it.
  private let address: String
  /// The sockets at which the program listens. Empty if it does not listen yet, or if the system leads the port to another machine.
  private var sockets: Set<ListeningSocket> = []

  /// The number of the program's redirects that are followed.
  private static let mostRedirects = 5

  init(_ visit: Visit, at port: UInt16, reachedBy transport: any HTTPTransport) {
    (self.visit, self.port, self.transport) = (visit, port, transport)
    let text = visit.policy.redirectTexts[0]
    host = if case .loopback(let host, _)? = (try? RedirectURI(text))?.kind { host } else { .name }
    address = (try? Endpoint(text))?.description ?? text
    look()
  }

  /// Notes the sockets of a program that has begun to listen.
  mutating func look() { if sockets.isEmpty { sockets = listening ?? [] } }

  private var listening: Set<ListeningSocket>? { ListeningSocket.all(at: host, port) }

  /// True if a program of another user could get the answer, because `localhost` has two addresses.
  var hasStranger: Bool { listening?.contains { $0.user != geteuid() && $0.user != 0 } == true }

  /// True if the program has closed its sockets, or if another user's program listens at its port, too.
  var hasEnded: Bool {
    let isGone = !sockets.isEmpty && listening?.isDisjoint(with: sockets) == true
    return isGone || hasStranger
  }

  /// Sends the program the answer as the browser would have done, and follows the program's redirects on this machine.
  /// Returns false if the program did not get it.
  func take(_ uri: String) async -> Bool {
    guard !hasEnded, case .callback = visit.policy.decision(for: Array(uri.utf8)) else { return false }
    let added = uri.splitOnce(at: "#").0.utf8.dropFirst(address.utf8.count)
    let answer = PercentEncoding.strict(query: String(Substring(added)))
    // The listener has put the fields of a form behind the address.
    let form = visit.isPosted ? Array(answer.utf8.dropFirst()) : nil
    var next = try? Endpoint(form == nil ? address + answer : address)
    for count in 0...Self.mostRedirects {
      guard let endpoint = next else { return count > 0 }
      let request =
        if let form, count == 0 {
          HTTPRequest(post: form, as: "application/x-www-form-urlencoded", to: endpoint)
        } else {
          HTTPRequest(get: endpoint, accepting: "text/html")
        }
      guard let reply = try? await transport.send(request) else { return count > 0 }
      next = (300..<400).contains(reply.status) ? reply[header: "Location"].flatMap(endpoint.redirected) : nil
      if next?.origin != endpoint.origin { return true }
    }
    return true
  }

  /// Sends the program the answer that a provider would give to a login that the user refuses (RFC 6749 section 4.1.2.1).
  func hear(_ failure: Failure) async {
    let parameters = [
      Parameter("error", "access_denied"), Parameter("error_description", failure.message.description),
    ]
    let state = visit.state.map { [Parameter("state", $0.revealed())] } ?? []
    let mark = address.contains("?") ? "&" : "?"
    _ = await take(address + mark + FormEncoding.encode(parameters + state))
  }
}

extension Failure {
  fileprivate static let noAgentNamed = Failure(
    .invalidConfiguration, "there is no agent that could open the page",
    hint: "set TOKENTRY_AGENT to the path of its socket")

  fileprivate static let undeliverable = Failure(
    .malformedCallback, "the answer from home could not be taken to the program")

  fileprivate static let noAnswer = Failure(.timeout, "the user did not sign in at home in time")
}
