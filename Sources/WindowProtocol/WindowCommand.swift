import LoginCore

/// A line to the window's program: a JSON object with one member.
package enum WindowCommand: Sendable, Equatable {
  /// Comes first, and once.
  case open(WindowOpening)
  /// Go to the page, which was not known when the window was opened.
  case go(to: String)
  /// Say what can be shown on this machine, and end. Comes in place of `open`.
  case check
  /// Come to the front, unless the window is hidden.
  case raise
  /// Be visible, even without a page, and even if the window was hidden.
  case show
  /// The login is over without an answer.
  case cancel
  /// The last callback was the answer.
  case accept
  /// Ask the user, in front of the page or in its place.
  case ask(Question)
  /// The server gets this certificate, or none.
  case certificate(host: String, ClientCertificate?)
  /// The PIN that the server's certificate needs, or none.
  case pin(host: String, Secret<PINRole>?)
  /// No browser could be opened, so the user goes on with the page, or elsewhere.
  case unopened
  /// The login now waits for this long.
  case deadline(TimeLeft)

  /// The length of the longest line that is read.
  package static let maximumLength = 1_024 * 1_024
}

extension WindowCommand: WindowLine {
  package static let hasWords = true

  package static let cases: [WindowCommand] = [
    .open(WindowOpening()), .go(to: ""), .check, .raise, .show, .cancel, .accept, .ask(Question()),
    .certificate(host: "", nil), .pin(host: "", nil), .unopened, .deadline(TimeLeft()),
  ]

  package func coded(by coder: inout MemberCoder) -> (name: String, value: WindowCommand) {
    switch self {
    case .open(let opening): return ("open", .open(coder.members(opening)))
    case .go(let url): return ("go", .go(to: coder.text("url", url)))
    case .check: return ("check", self)
    case .raise: return ("raise", self)
    case .show: return ("show", self)
    case .cancel: return ("cancel", self)
    case .accept: return ("accept", self)
    case .ask(let question): return ("ask", .ask(coder.members(question)))
    case .certificate(let host, let certificate):
      let host = coder.text("host", host)
      return ("certificate", .certificate(host: host, ClientCertificate.coded(certificate, by: &coder)))
    case .pin(let host, let pin):
      return ("pin", .pin(host: coder.text("host", host), coder.value("pin", pin, .secret())))
    case .unopened: return ("unopened", self)
    case .deadline(let time): return ("deadline", .deadline(coder.members(time)))
    }
  }
}

package enum PINRole {}

/// A line between the window and its caller: an object whose only member has the name of the case.
package protocol WindowLine: CaseCoded {
  /// The length of the longest line that is read.
  static var maximumLength: Int { get }
  /// True if a case without members is written as `true`.
  static var hasWords: Bool { get }
}

extension WindowLine {
  /// Reads a line. Returns nil for an unknown one, which comes from a later version.
  package init?(line: [UInt8]) {
    guard let object = (try? JSONReader.read(line, maximumSize: Self.maximumLength))?.object,
      object.count == 1, let member = object.first
    else { return nil }
    self.init(member.name, lenient: member.value.object ?? [:])
    guard isWord ? member.value == true : member.value.object != nil else { return nil }
  }

  /// The line, with its line feed.
  package var line: String {
    let (name, members) = members
    let object: JSONObject = [name: isWord ? true : .object(members)]
    return object.text + "\n"
  }

  private var isWord: Bool { Self.hasWords && members.json.isEmpty }
}

/// Tells the window which page to open, where the visit ends, and how to present itself. It contains no secret and no
/// token endpoint. Without redirect URIs the window shows no pages of others, only our own.
package struct WindowOpening: Sendable, Equatable {
  /// The page to open. nil while it is unknown: the window then gets ready and waits for ``WindowCommand/go(to:)``. In a
  /// window without pages it is the one that the user opens in a browser.
  package var url: String?
  /// The redirect URI of the request, followed by other forms in which the provider sends it.
  package var redirectURIs: [String]
  /// Pages on which the provider shows its errors.
  package var errorPages: [String]
  package var options: WindowOptions
  /// The page that ends the login in place of a redirect.
  package var finalPage: FinalPage?
  /// The form that is sent to the first page. nil if that is only loaded.
  package var form: [Parameter]?
  /// True if the page cannot be requested a second time.
  package var opensOnce = false
  /// The other ways that the window may offer to the user.
  package var ways: [LoginWay] = []
  /// Says why the login is over. The window shows only that, and stays for a moment after its caller.
  package var explanation: Question?

  /// The time for storing the session when the window ends. A disk that takes longer has failed.
  package static let writing = Duration.seconds(5)

  package init(
    url: String?, redirectURIs: [String], errorPages: [String] = [], options: WindowOptions = WindowOptions()
  ) {
    self.url = url
    self.redirectURIs = redirectURIs
    self.errorPages = errorPages
    self.options = options
  }

  /// True if the page can be opened once more, in a window with another rendering.
  package var canBeReopened: Bool { !opensOnce && options.rendering != .software }

  package var showsPages: Bool { !redirectURIs.isEmpty || finalPage != nil }

  /// True if the user may go on in a browser, or have it opened.
  package var offersBrowser: Bool { ways.contains(.browser) }

  /// Returns the policy for navigations. Throws the clause that continues "a redirect URI is …".
  package func policy() throws(Message) -> NavigationPolicy {
    guard let first = redirectURIs.first else {
      if finalPage != nil { return .ofFinalPage }
      throw "not an absolute URL"
    }
    return NavigationPolicy(
      redirectURI: try RedirectURI(parsing: first),
      aliases: try redirectURIs.dropFirst().map { text throws(Message) in try RedirectURI(parsing: text) },
      errorPages: try errorPages.map { text throws(Message) in try ErrorPage(text) })
  }
}

extension WindowOpening: MemberCoded {
  package init() { self.init(url: nil, redirectURIs: []) }

  package mutating func code(_ coder: inout MemberCoder) {
    coder.checked("url", &url, .text)
    coder.required("redirect_uris", &redirectURIs, .list(.text))
    coder.texts("error_pages", &errorPages)
    options.code(&coder)
    coder.checked("final_page", &finalPage, .object)
    coder.checked("post", &form, .form)
    coder.flag("opens_once", &opensOnce)
    coder.value("ways", &ways, else: [], .list(.choice()))
    coder.value("explain", &explanation, .object)
  }
}

extension MemberValue where Value == [Parameter] {
  /// The parameters of a form in one string.
  fileprivate static var form: Self {
    .parsed(as: FormEncoding.encode) { ParameterList(form: Array($0.utf8), upTo: .max - 1)?.parameters }
  }
}

/// The time for which a login still waits for its user.
package struct TimeLeft: Sendable, Equatable {
  package var seconds: Int64
  /// The number of seconds left at which the user is warned.
  package var warning: Int64
  /// True if the user gets the whole time again by using the window. False if the caller has set the time, which is
  /// exact then.
  package var isExtendable: Bool

  /// The user is warned for a minute, or for the last quarter of a short time.
  package init(_ seconds: Int64, of whole: Int64, isExtendable: Bool) {
    self.seconds = seconds
    warning = min(60, whole / 4)
    self.isExtendable = isExtendable
  }

  /// Fits any clock, and is longer than any user waits.
  private static let longest: Int64 = 1 << 40
}

extension TimeLeft: MemberCoded {
  package init() { self.init(0, of: 0, isExtendable: false) }

  package mutating func code(_ coder: inout MemberCoder) {
    coder.required("seconds_left", &seconds, .number(in: 0...Self.longest))
    coder.required("warn_at", &warning, .count)
    coder.required("extendable", &isExtendable, .flag)
  }
}

/// A way to take the user to the provider.
package enum LoginWay: String, Sendable, CaseIterable {
  /// A window of ours that shows the provider's pages.
  case window
  /// The user's own browser, as RFC 8252 section 8.12 wants it.
  case browser
  /// A code that the user enters on a page on another device (RFC 8628).
  case device
  /// The user opens the page anywhere and copies the answer by hand.
  case paste
}
