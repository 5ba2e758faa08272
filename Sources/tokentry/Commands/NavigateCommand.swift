import GLibSupport
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
    try self.init(settings, run, cookiesIn: nil)
  }

  /// A visit whose cookies are kept below a folder other than the usual.
  init(_ settings: Settings, _ run: Composition, cookiesIn folder: String?) throws(Failure) {
    self.run = run
    guard let url = settings[.url] else { throw Self.lacks(.url) }
    guard let redirect = settings[.redirectURI] else { throw Self.lacks(.redirectURI) }
    let redirectURI = try Option.redirectURI.parse(redirect, as: RedirectURI.init)
    // Only a page is asked for here, so its fragment belongs to it; its query is nobody's business.
    _ = try failing(Endpoint(url.splitOnce(at: "#").0)) {
      .commandLine(.address(Option.url.flag, text: url.splitOnce(at: "?").0, $0))
    }
    var way = try WaySettings(settings)
    way.cookieFolder = folder
    self.way = way
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
    let object: JSONObject = ["callback": .string(try await callback().text())]
    return object.text + "\n"
  }

  /// The URL that came back.
  @GLibActor
  func callback() async throws(Failure) -> Callback {
    let agent = try await Router(run, way).route(question).agent
    return try await PageVisit.callback(of: visit, with: agent)
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
