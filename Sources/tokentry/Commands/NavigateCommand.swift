import GLibSupport
import Language
import LoginCore
import SignIn
import WindowProtocol

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
    let url = try required(.url)
    let endsWithCookie =
      settings.has(.cookie) && !settings.has(.responseHeader) && !settings.has(.redirectURI)
    let redirect = endsWithCookie ? nil : try required(.redirectURI)
    let redirectURI = try redirect.map { text throws(Failure) in
      try Option.redirectURI.parse(text, as: RedirectURI.init)
    }
    try Self.check(address: url, as: .url)
    var way = try LoginSettings(settings)
    way.connectionCookies = connectionCookies
    self.way = way
    let target = settings.postedForm.map { $0.target(from: url) ?? "" } ?? url
    if target != url { try Self.check(address: target, as: .post) }
    let finalPage = try Self.finalPage(redirectURI, settings)
    let (state, responseMode) = Self.parameters(of: target)
    let place =
      if let redirectURI { redirectURI } else {
        try Option.url.parse(Self.withoutQuery(url), as: RedirectURI.init)
      }
    var visit = Visit(
      url: target, policy: finalPage == nil ? NavigationPolicy(redirectURI: place) : .ofFinalPage,
      state: state)
    visit.isForCaller = true
    visit.isPosted = responseMode == .formPost
    (visit.finalPage, visit.form) = (finalPage, settings.postedForm?.parameters)
    self.visit = visit
    question = try Self.question(way, place, finalPage == nil ? responseMode : .query)
  }

  /// A page may have a fragment, unlike an endpoint. The message must not show the query.
  private static func check(address: String, as option: Option) throws(Failure) {
    _ = try failing(Endpoint(address.splitOnce(at: "#").0)) {
      .address(option.flag, withoutQuery(address), $0)
    }
  }

  private static func withoutQuery(_ url: String) -> String {
    url.splitOnce(at: "#").0.splitOnce(at: "?").0
  }

  /// Returns the page whose cookies or header fields the caller wants, if it does.
  private static func finalPage(_ uri: RedirectURI?, _ settings: Settings) throws(Failure) -> FinalPage? {
    let (cookies, headers) = (settings.all(.cookie), settings.all(.responseHeader))
    if cookies.isEmpty, headers.isEmpty { return nil }
    for (option, names) in [(Option.cookie, cookies), (.responseHeader, headers)] {
      guard names.allSatisfy(\.isToken) else {
        throw .takes(option.flag, "the name of a cookie or header field")
      }
    }
    if headers.contains(where: { $0.lowercased() == "set-cookie" }) {
      throw Failure(
        .invalidOption, "\(Option.responseHeader.flag) returns no cookies", hint: "name them with --cookie")
    }
    return try failing(FinalPage(uri: uri, cookies: cookies, headers: headers)) {
      .address(Option.redirectURI.flag, uri?.description ?? "", $0)
    }
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
    if let option = way.given.first(where: OptionGroup.windowOnly.contains) {
      try checkWindow(way, option)
      (question.asked, question.allowsBrowser) = (.window, false)
    }
    if case .loopback(_, port: nil) = redirectURI.kind {
      if question.asked == .browser {
        throw Failure(
          .invalidConfiguration, "a browser can come back to this machine only if --redirect-uri has a port")
      }
      question.preset = [.window]
    }
    return question
  }

  /// Refuses another way than the window for an option that only a window can obey.
  private static func checkWindow(_ way: LoginSettings, _ option: Option) throws(Failure) {
    if let asked = way.asked, asked != .window {
      throw .contradiction(option.flag, "\(Option.agent.flag) \(asked.rawValue)")
    }
    if way.browser != nil { throw .contradiction(option.flag, Option.browser.flag) }
    // A list of navigations says nothing about the pages.
    if way.navigations != nil { throw .contradiction(option.flag, Option.navigations.flag) }
  }

  func text() async throws(Failure) -> String {
    let callback = try await callback()
    var object: JSONObject = [:]
    if visit.finalPage == nil || visit.finalPage?.uri != nil {
      object["callback"] = .string(try callback.text())
    }
    if let page = visit.finalPage {
      let values = try page.values(of: callback).json
      if !page.cookies.isEmpty { object["cookies"] = values["cookies"] }
      if !page.headers.isEmpty { object["headers"] = values["headers"] }
    }
    return object.text + "\n"
  }

  /// Returns the URL that came back.
  @GLibActor
  func callback() async throws(Failure) -> Callback {
    let agent = try await Router(run, way).route(question).agent
    let callback = try await PageVisit.callback(of: visit, with: agent)
    if let page = visit.finalPage {
      let values = try page.values(of: callback)
      for value in values.cookies + values.headers { Messages.hide(value.value) }
    }
    return callback
  }

  /// Returns the cookies and header fields that the caller wants.
  @GLibActor
  func values() async throws(Failure) -> PageValues {
    guard let page = visit.finalPage else { throw .defect() }
    return try page.values(of: try await callback())
  }
}

extension String {
  /// True for a name of a cookie or of a header field (RFC 9110 section 5.6.2).
  fileprivate var isToken: Bool {
    !isEmpty && utf8.allSatisfy { $0.isVisible && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
  }
}
