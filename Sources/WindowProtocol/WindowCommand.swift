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

  /// Reads a line. Returns nil for an unknown one, which comes from a later version.
  package init?(line: [UInt8]) {
    guard let member = WindowLine.member(of: line, upTo: Self.maximumLength) else { return nil }
    let object = member.value.object
    let command: WindowCommand? =
      switch member.name {
      case "open": object.flatMap(WindowOpening.init).map { .open($0) }
      case "go": object?["url"]?.string.map { .go(to: $0) }
      case "ask": object.flatMap(Question.init(lenient:)).map { .ask($0) }
      case "certificate":
        object.flatMap { object in
          object["host"]?.string.map { .certificate(host: $0, ClientCertificate(object)) }
        }
      case "pin":
        object.flatMap { object in
          object["host"]?.string.map { .pin(host: $0, object["pin"]?.string.map { Secret($0) }) }
        }
      case "deadline": object.flatMap(TimeLeft.init(lenient:)).map { .deadline($0) }
      default: member.value == true ? Self.words.first { $0.name == member.name }?.command : nil
      }
    guard let command else { return nil }
    self = command
  }

  /// The commands without a value.
  private static let words: [(name: String, command: WindowCommand)] = [
    ("check", .check), ("raise", .raise), ("show", .show), ("cancel", .cancel), ("accept", .accept),
    ("unopened", .unopened),
  ]

  /// The line, with its line feed.
  package var line: String {
    let object: JSONObject =
      switch self {
      case .open(let opening): ["open": .object(opening.json)]
      case .go(let url): ["go": ["url": .string(url)]]
      case .ask(let question): ["ask": .object(question.json)]
      case .certificate(let host, let certificate):
        ["certificate": .object(ClientCertificate.json(of: certificate, for: host))]
      case .pin(let host, let pin):
        ["pin": ["host": .string(host), "pin": pin.map { .string($0.revealed()) }]]
      case .deadline(let time): ["deadline": .object(time.json)]
      case .check, .raise, .show, .cancel, .accept, .unopened:
        Self.words.reduce(into: [:]) { if $1.command == self { $0[$1.name] = true } }
      }
    return object.text + "\n"
  }
}

package enum PINRole {}

enum WindowLine {
  /// Returns the only member of the object in a line.
  static func member(of line: [UInt8], upTo limit: Int) -> JSONObject.Member? {
    guard let object = (try? JSONReader.read(line, maximumSize: limit))?.object, object.count == 1 else {
      return nil
    }
    return object.first
  }
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
  /// The other ways that the window may offer to the user, such as `browser`.
  package var ways: [String] = []
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
  package var offersBrowser: Bool { ways.contains(AgentKind.browser.rawValue) }

  /// Returns the policy for navigations. Throws the clause that continues "a redirect URI is …".
  package func policy() throws(Message) -> NavigationPolicy {
    guard let first = redirectURIs.first else {
      if finalPage != nil { return .ofFinalPage }
      throw "not an absolute URL"
    }
    return NavigationPolicy(
      redirectURI: try RedirectURI(first),
      aliases: try redirectURIs.dropFirst().map { text throws(Message) in try RedirectURI(text) },
      errorPages: try errorPages.map { text throws(Message) in try ErrorPage(text) })
  }

  /// Reads the members. Unknown ones come from later versions and are ignored.
  init?(_ object: JSONObject) {
    guard let redirectURIs = object["redirect_uris"]?.strings else { return nil }
    if let url = object["url"], url.string == nil { return nil }
    self.init(
      url: object["url"]?.string, redirectURIs: redirectURIs,
      errorPages: object["error_pages"]?.strings ?? [],
      options: WindowOptions(lenient: object) ?? WindowOptions())
    if let final = object["final_page"]?.object {
      guard let page = FinalPage(final) else { return nil }
      finalPage = page
    }
    if let post = object["post"] {
      guard let text = post.string else { return nil }
      form = ParameterList(form: Array(text.utf8), upTo: .max - 1)?.parameters
    }
    opensOnce = object["opens_once"]?.bool ?? false
    ways = object["ways"]?.strings ?? []
    explanation = object["explain"]?.object.flatMap(Question.init(lenient:))
  }

  var json: JSONObject {
    var json: JSONObject = [
      "url": url.map(JSONValue.string), "redirect_uris": .texts(redirectURIs),
      "error_pages": errorPages.isEmpty ? nil : .texts(errorPages),
    ]
    for member in options.json { json[member.name] = member.value }
    if let finalPage { json["final_page"] = .object(finalPage.json) }
    if let form { json["post"] = .string(FormEncoding.encode(form)) }
    if opensOnce { json["opens_once"] = true }
    if !ways.isEmpty { json["ways"] = .texts(ways) }
    if let explanation { json["explain"] = .object(explanation.json) }
    return json
  }
}

extension FinalPage {
  /// Reads the members. Returns nil for a page that can never load.
  fileprivate init?(_ object: JSONObject) {
    if let uri = object["uri"], uri.string == nil { return nil }
    do throws(Message) {
      try self.init(
        uri: try object["uri"]?.string.map { text throws(Message) in try RedirectURI(text) },
        cookies: object["cookies"]?.strings ?? [], headers: object["headers"]?.strings ?? [])
    } catch {
      return nil
    }
  }

  fileprivate var json: JSONObject {
    [
      "uri": uri.map { .string($0.description) }, "cookies": cookies.isEmpty ? nil : .texts(cookies),
      "headers": headers.isEmpty ? nil : .texts(headers),
    ]
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
package enum AgentKind: String, Sendable, CaseIterable {
  /// A window of ours that shows the provider's pages.
  case window
  /// The user's own browser, as RFC 8252 section 8.12 wants it.
  case browser
  /// A code that the user enters on a page on another device (RFC 8628).
  case device
  /// The user opens the page anywhere and copies the answer by hand.
  case paste
}
