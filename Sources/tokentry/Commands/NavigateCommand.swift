import LoginCore
import SignIn
import WindowProtocol

/// `tokentry navigate`: takes the user to a page and prints the URL that came back, for callers with an OAuth library of
/// their own.
final class NavigateCommand: Action {
  private let signIn: SignIn
  private let page: PageVisit

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    let options = try SignInOptions(settings, run)
    page = try Self.page(settings)
    if let option = settings.given.first(where: Command.windowOnly.contains) {
      try Self.checkWindow(options, option)
    }
    signIn = SignIn(run.host, options)
  }

  private static func page(_ settings: Settings) throws(Failure) -> PageVisit {
    func required(_ option: Option) throws(Failure) -> String {
      guard let value = settings[option] else { throw .lacks(.navigate, Message(verbatim: option.flag)) }
      return value
    }
    let url = try required(.url)
    let endsWithCookie =
      settings.has(.cookie) && !settings.has(.responseHeader) && !settings.has(.redirectURI)
    let redirect = endsWithCookie ? nil : try required(.redirectURI)
    var end = PageVisit.End(
      try redirect.map { text throws(Failure) in try Option.redirectURI.parse(text, as: RedirectURI.init) })
    (end.cookies, end.headers) = (settings.all(.cookie), settings.all(.responseHeader))
    return try failing(PageVisit(to: url, posting: settings.postedForm, until: end)) {
      (flaw: PageVisit.Flaw) in Failure(flaw)
    }
  }

  /// Refuses another way than the window for an option that only a window can obey.
  private static func checkWindow(_ options: SignInOptions, _ option: Option) throws(Failure) {
    if let asked = options.way, asked != .window {
      throw .contradiction(option.flag, "\(Option.way.flag) \(asked.rawValue)")
    }
    if options.browser != nil { throw .contradiction(option.flag, Option.browser.flag) }
    // A list of navigations says nothing about the pages.
    if case .navigations = options.user { throw .contradiction(option.flag, Option.navigations.flag) }
  }

  func text() async throws(Failure) -> String {
    let callback = try await signIn.visit(page)
    var object: JSONObject = [:]
    let final = page.visit.finalPage
    if final == nil || final?.uri != nil { object["callback"] = .string(try callback.text()) }
    if let final {
      let values = try final.values(of: callback)
      for value in values.cookies + values.headers { Messages.hide(value.value) }
      if !final.cookies.isEmpty { object["cookies"] = values.json["cookies"] }
      if !final.headers.isEmpty { object["headers"] = values.json["headers"] }
    }
    return object.text + "\n"
  }
}

extension Failure {
  /// Names the option to blame for a page that cannot be visited. The message must not show the query.
  fileprivate init(_ flaw: PageVisit.Flaw) {
    self =
      switch flaw {
      case .url(let text, let reason): .address(Option.url.flag, text, reason)
      case .form(let text, let reason): .address(Option.post.flag, text, reason)
      case .redirectURI(let text, let reason): .address(Option.redirectURI.flag, text, reason)
      case .cookieName: .takes(Option.cookie.flag, "the name of a cookie or header field")
      case .headerName: .takes(Option.responseHeader.flag, "the name of a cookie or header field")
      case .setCookie:
        Failure(
          .invalidOption, "\(Option.responseHeader.flag) returns no cookies", hint: "name them with --cookie")
      }
  }
}
