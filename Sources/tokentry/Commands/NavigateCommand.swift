import GLibSupport
import LoginCore
import LoginWays
import Wording

/// `tokentry navigate`: takes the user to a page and prints the URL that came back, for callers with an OAuth library of
/// their own.
struct NavigateCommand: Action {
  private let run: Composition
  private let way: LoginSettings
  private let visit: Visit
  private let question: AgentChoice.Question

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    try self.init(settings, run, connectionCookies: nil)
  }

  /// Uses the cookies of a connection, if there is one, in place of those that are kept under a name.
  init(_ settings: Settings, _ run: Composition, connectionCookies: CookieJar?) throws(Failure) {
    self.run = run
    func required(_ option: Option) throws(Failure) -> String {
      guard let value = settings[option] else {
        throw .lacks(.navigate, Message(verbatim: option.flag))
      }
      return value
    }
    let (url, redirect) = (try required(.url), try required(.redirectURI))
    let redirectURI = try Option.redirectURI.parse(redirect, as: RedirectURI.init)
    // A page may have a fragment, unlike an endpoint. The message must not show the query.
    _ = try failing(Endpoint(url.splitOnce(at: "#").0)) {
      .address(Option.url.flag, url.splitOnce(at: "?").0, $0)
    }
    var way = try LoginSettings(settings)
    way.connectionCookies = connectionCookies
    self.way = way
    let (state, responseMode) = Self.parameters(of: url)
    var visit = Visit(url: url, policy: NavigationPolicy(redirectURI: redirectURI), state: state)
    visit.isForCaller = true
    visit.isPosted = responseMode == .formPost
    self.visit = visit
    question = try Self.question(way, redirectURI, responseMode)
  }

  /// Returns the parameters of the caller's request that say where the answer will be, and what it will repeat.
  private static func parameters(of url: String) -> (State?, ResponseMode) {
    let query = url.splitOnce(at: "#").0.splitOnce(at: "?").1 ?? ""
    let parameters = ParameterList(form: Array(query.utf8), upTo: Callback.maximumParameters)
    let type = parameters?["response_type"].flatMap(ResponseType.init)
    return (
      parameters?["state"].map { State($0) },
      parameters?["response_mode"].flatMap(ResponseMode.init) ?? type?.defaultMode ?? .query
    )
  }

  /// A browser cannot come back to a redirect URI without a port: the URL contains the redirect URI, so it is too late to
  /// choose a port.
  private static func question(
    _ way: LoginSettings, _ redirectURI: RedirectURI, _ mode: ResponseMode
  ) throws(Failure) -> AgentChoice.Question {
    var question = AgentChoice.Question(redirectURI: redirectURI, responseMode: mode, asked: way.asked)
    question.registersScheme = way.registersScheme
    question.allowsBrowser = way.allowsBrowser && !way.isSilent
    question.keepsRedirectURI = true
    if case .loopback(_, port: nil) = redirectURI.kind {
      if question.asked == .browser {
        throw Failure(
          .invalidConfiguration, "a browser can come back to this machine only if --redirect-uri has a port")
      }
      question.preset = [.window]
    }
    return question
  }

  func text() async throws(Failure) -> String {
    let object: JSONObject = ["callback": .string(try await callback().text())]
    return object.text + "\n"
  }

  /// Returns the URL that came back.
  @GLibActor
  func callback() async throws(Failure) -> Callback {
    let agent = try await Router(run, way).route(question).agent
    return try await PageVisit.callback(of: visit, with: agent)
  }
}
