import GLibSupport
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

  private let run: Composition
  private let agent: AgentLink
  private let url: String
  private let patience: Int

  /// The seconds without a limit of the caller's. The agent ends the login long before, unless its machine is asleep.
  private static let longestPatience = 3_600
  /// The number of redirects that are followed from the program's own address.
  private static let mostRedirects = 5

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    guard let url = settings.operand else { throw .lacks(.open, "the address of the page") }
    guard let agent = run.agent else { throw .noAgentNamed }
    (self.run, self.agent, self.url) = (run, agent, url)
    patience = settings.timeout > 0 ? settings.timeout : Self.longestPatience
  }

  func text() async throws(Failure) -> String {
    var isTold = false
    while !SignInChild.isThis {
      do throws(Failure) {
        try await SignInChild.end(run)
        return ""
      } catch {
        // The browser at home has one port of this number.
        guard error.code == .alreadyInProgress, (try? await pause(for: .seconds(1))) != nil else {
          throw error
        }
        run.time.failAtDeadline(error)
        if !isTold { run.messages.tell("\(error.message); this one begins when that one is over") }
        isTold = true
      }
    }
    let page = try CarriedPage(try await address())
    let sockets = listeners(at: page.port) ?? []
    do throws(Failure) {
      _ = try await agent.answer(to: "open", ["url": .string(page.url)])
    } catch {
      guard error.code == .cancelled, let visit = page.visit?.visit else { throw error }
      // Some programs do not look at the status of this command, and would wait for an answer.
      try await goOn(after: SignInChild.refusal.output(Report(error)))
      _ = await deliver(visit.refusal(because: error), visit, page.port, sockets)
      return ""
    }
    try await goOn(after: "")
    if let visit = page.visit?.visit { try await takeAnswer(to: visit, page.port, sockets) }
    return ""
  }

  /// Lets the command end with this report. This process goes on.
  @GLibActor
  private func goOn(after report: String) async throws(Failure) {
    run.interruption.outliveCaller()
    run.time.pauseDeadline()
    try await StreamedOutput().giveAnswer(report)
  }

  /// The address of the page. Some programs name one of their own, which redirects to the provider.
  private func address() async throws(Failure) -> String {
    guard let own = try? Endpoint(url), (try? WebAddress(url))?.zone == .machine else { return url }
    let answer = try await run.host.transport.send(HTTPRequest(get: own, accepting: "text/html"))
    guard let location = answer[header: "Location"], (300..<400).contains(answer.status) else {
      throw Failure(
        .invalidConfiguration, "the page at \(own.origin) is on this machine, and leads to no other")
    }
    return location
  }

  /// Waits for the answer, and takes it to the program at its port. If there is none, the program hears why. If the program
  /// ends, there is nothing to wait for.
  @GLibActor
  private func takeAnswer(to visit: Visit, _ port: UInt16, _ sockets: Set<String>) async throws(Failure) {
    var sockets = sockets
    let first = FirstResult<JSONObject, Failure>()
    GLibActor.task { [agent] in
      do throws(Failure) { first.finish(.success(try await agent.answer(to: "callback", [:]))) } catch {
        first.finish(.failure(error))
      }
    }
    let deadline = Source.timer(every: .seconds(patience)) { first.finish(.failure(.noAnswer)) }
    let watch = Source.timer(every: .seconds(1)) {
      if sockets.isEmpty { sockets = listeners(at: port) ?? [] }
      if Self.areClosed(sockets, port) { first.finish(.failure(.noAnswer)) }
    }
    defer { withExtendedLifetime((deadline, watch)) {} }
    switch await first.result() {
    case .success(let answer):
      let status = await deliver(answer["url"]?.string ?? "", visit, port, sockets)
      _ = try await agent.answer(
        to: "close", status.map { ["status": .number(JSONNumber(Int64($0)))] } ?? [:])
    case .failure(let failure): _ = await deliver(visit.refusal(because: failure), visit, port, sockets)
    }
  }

  /// True if the program has closed the sockets at which it listened. Another program may listen at its port since.
  private static func areClosed(_ sockets: Set<String>, _ port: UInt16) -> Bool {
    !sockets.isEmpty && listeners(at: port)?.isDisjoint(with: sockets) == true
  }

  /// Sends the answer to the program as the browser would have done, and follows its redirects on this machine. Returns the
  /// status of its last answer, or nil if the program has ended.
  private func deliver(_ uri: String, _ visit: Visit, _ port: UInt16, _ sockets: Set<String>) async -> Int? {
    guard !Self.areClosed(sockets, port), case .callback = visit.policy.decision(for: Array(uri.utf8)) else {
      return nil
    }
    let address = visit.programsAddress
    let answer = uri.splitOnce(at: "#").0.replacingAll("'", with: "%27")
    // The listener has put the fields of a form behind the address.
    let form = visit.isPosted ? Array(answer.utf8.dropFirst(address.utf8.count + 1)) : nil
    var next = try? Endpoint(form == nil ? answer : address)
    // A program that closes the connection without a word has the answer all the same. The system may lead the port to
    // another machine, where no program is known to listen.
    var status = listeners(at: port)?.isEmpty == true ? nil : 200
    for count in 0...Self.mostRedirects {
      guard let endpoint = next else { break }
      let request =
        if let form, count == 0 {
          HTTPRequest(post: form, as: "application/x-www-form-urlencoded", to: endpoint)
        } else {
          HTTPRequest(get: endpoint, accepting: "text/html")
        }
      guard let answer = try? await run.host.transport.send(request) else { break }
      status = answer.status
      let isRedirect = (300..<400).contains(answer.status)
      next = isRedirect ? answer[header: "Location"].flatMap(endpoint.redirected) : nil
      if next?.origin != endpoint.origin { break }
    }
    return status
  }
}

extension Visit {
  /// The redirect URI as a browser writes it.
  fileprivate var programsAddress: String {
    let text = policy.redirectTexts[0]
    return (try? Endpoint(text))?.description ?? text
  }

  /// The answer that a provider would give to a login that the user refuses (RFC 6749 section 4.1.2.1).
  fileprivate func refusal(because failure: Failure) -> String {
    let parameters = [
      Parameter("error", "access_denied"), Parameter("error_description", failure.message.description),
    ]
    let address = programsAddress
    return address + (address.contains("?") ? "&" : "?")
      + FormEncoding.encode(parameters + (state.map { [Parameter("state", $0.revealed())] } ?? []))
  }
}

extension Failure {
  fileprivate static let noAgentNamed = Failure(
    .invalidConfiguration, "there is no agent that could open the page",
    hint: "set TOKENTRY_AGENT to the path of its socket")

  fileprivate static let noAnswer = Failure(.timeout, "the user did not sign in at home in time")
}
