import LoginCore
import SignIn
import WindowProtocol

/// The page that the user is taken to.
struct PageWishes: WishGroup {
  var url: String?
  var cookies: [String] = []
  var responseHeaders: [String] = []
  var post: String?
  /// The form in the file of ``post``.
  private(set) var form: PostedForm?

  static let rows = under(
    .page,
    [
      text(\.url, "url", .text("URL"), "the page to open"),
      values(\.cookies, "cookie", .texts("NAME"), "print this cookie of the last page") { $0.text },
      values(\.responseHeaders, "response-header", .texts("NAME"), "print this field of the last page") {
        $0.text
      },
      text(\.post, "post", .text("FILE"), "a form for the page, or a page that sends one"),
    ])

  /// The options that only a window can obey, since a browser hands neither cookies nor header fields back.
  static let forWindow = options("cookie", "response-header", "post")

  mutating func readFiles() async throws(Failure) {
    guard let post else { return }
    let file = InputFile(Self.option("post"), post)
    let bytes = try await file.readOwn(limit: PostedForm.maximumSize, othersMayRead: true)
    guard let form = PostedForm(bytes) else {
      throw .takes(file.flag, "a file with an encoded form, or with a page whose only form is posted")
    }
    self.form = form
  }
}

/// `tokentry navigate`: takes the user to a page and prints the URL that came back, for callers with an OAuth library of
/// their own.
final class NavigateCommand: Action {
  private let signIn: SignIn
  private let page: PageVisit

  static let options =
    PageWishes.options + ProviderWishes.options("redirect-uri") + Command.asking
    + RequestWishes.options("options")

  init(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    let options = try SignInOptions(wishes, shared)
    page = try Self.page(wishes)
    if let option = wishes.given.map(\.option).first(where: PageWishes.forWindow.contains) {
      try Self.checkWindow(options, option)
    }
    signIn = SignIn(shared.host, options)
  }

  private static func page(_ wishes: Wishes) throws(Failure) -> PageVisit {
    let (page, redirectURI) = (wishes[PageWishes.self], wishes.provider.redirectURI)
    guard let url = page.url else { throw .lacks(.navigate, Message(verbatim: PageWishes.flag("url"))) }
    let endsWithCookie = !page.cookies.isEmpty && page.responseHeaders.isEmpty
    if redirectURI == nil, !endsWithCookie {
      throw .lacks(.navigate, Message(verbatim: ProviderWishes.flag("redirect-uri")))
    }
    var end = PageVisit.End(redirectURI)
    (end.cookies, end.headers) = (page.cookies, page.responseHeaders)
    return try failing(PageVisit(to: url, posting: page.form, until: end)) {
      (flaw: PageVisit.Flaw) in Failure(flaw)
    }
  }

  /// Refuses another way than the window for an option that only a window can obey.
  private static func checkWindow(_ options: SignInOptions, _ option: Option) throws(Failure) {
    if let asked = options.way, asked != .window {
      throw .contradiction(option.flag, "\(AskingWishes.flag("way")) \(asked.rawValue)")
    }
    if options.browser != nil { throw .contradiction(option.flag, AskingWishes.flag("browser")) }
    // A list of navigations says nothing about the pages.
    if case .navigations = options.user {
      throw .contradiction(option.flag, AskingWishes.flag("navigations"))
    }
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
      case .url(let text, let reason): .address(PageWishes.flag("url"), text, reason)
      case .form(let text, let reason): .address(PageWishes.flag("post"), text, reason)
      case .redirectURI(let text, let reason): .address(ProviderWishes.flag("redirect-uri"), text, reason)
      case .cookieName: .takes(PageWishes.flag("cookie"), "the name of a cookie or header field")
      case .headerName: .takes(PageWishes.flag("response-header"), "the name of a cookie or header field")
      case .setCookie:
        Failure(
          .invalidOption, "\(PageWishes.flag("response-header")) returns no cookies",
          hint: "name them with --cookie")
      }
  }
}
