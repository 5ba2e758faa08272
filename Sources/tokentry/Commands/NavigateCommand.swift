import LoginCore
import LoginWays
import Wording

/// `tokentry navigate`: takes the user to a page and prints the URL that came back, for callers with an OAuth library
/// of their own.
struct NavigateCommand: Action {
  private let run: Composition
  private let way: WaySettings
  private let visit: Visit
  private let question: WayChoice.Question

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    self.run = run
    guard let url = settings[.url] else { throw Self.lacks(.url) }
    guard let redirect = settings[.redirectURI] else { throw Self.lacks(.redirectURI) }
    let redirectURI = try Option.redirectURI.parse(redirect, as: RedirectURI.init)
    // Only a page is asked for here, so its fragment belongs to it; its query is nobody's business.
    _ = try failing(Endpoint(url.splitOnce(at: "#").0)) {
      .commandLine(.address(Option.url.flag, text: url.splitOnce(at: "?").0, $0))
    }
    way = try WaySettings(settings)
    let asked = AskedOf(url)
    var visit = Visit(url: url, policy: NavigationPolicy(redirectURI: redirectURI), state: asked.state)
    visit.isForCaller = true
    visit.isPosted = asked.responseMode == .formPost
    self.visit = visit
    question = try Self.question(way, redirectURI, asked.responseMode)
  }

  private static func lacks(_ option: Option) -> Failure {
    .commandLine(.lacks(command: Command.navigate.rawValue, .options([option.flag])))
  }

  /// The URL names the redirect URI already, so no port can be chosen for it any more.
  private static func question(
    _ way: WaySettings, _ redirectURI: RedirectURI, _ mode: ResponseMode
  ) throws(Failure) -> WayChoice.Question {
    var question = WayChoice.Question(redirectURI: redirectURI, responseMode: mode, asked: way.asked)
    question.registersScheme = way.registersScheme
    if case .loopback(_, port: nil) = redirectURI.kind {
      if question.asked == .browser { throw .configuration(.noPort) }
      question.preset = [.window]
    }
    return question
  }

  func text() async throws(Failure) -> String {
    let agent = try await Router(run, way).route(question).agent
    let callback = try await PageVisit.callback(of: visit, with: agent)
    let object: JSONObject = ["callback": .string(try callback.text())]
    return object.text + "\n"
  }
}

/// What a request of the caller's own making asks for, as far as it decides where the answer will be and what it
/// repeats.
private struct AskedOf {
  let state: State?
  let responseMode: ResponseMode

  init(_ url: String) {
    let query = url.splitOnce(at: "#").0.splitOnce(at: "?").1 ?? ""
    let parameters = ParameterList(form: Array(query.utf8), upTo: Callback.maximumParameters)
    state = parameters?["state"].map { State($0) }
    let type = parameters?["response_type"].flatMap(ResponseType.init)
    responseMode =
      parameters?["response_mode"].flatMap(ResponseMode.init) ?? type?.defaultMode ?? .query
  }
}
