import LoginCore

/// What the window has to know: a page, where its visit ends, and how it presents itself. No secret, and no
/// token endpoint. Without redirect URIs no visit can end, so no page is opened: such a window is there for what
/// the caller asks or tells the user.
package struct WindowOpening: Sendable, Equatable {
  /// The page to open; nothing if it is not known yet, and the window only gets ready. In a window without pages it
  /// is the one that the user opens in a browser.
  package var url: String?
  /// The redirect URI of the request, and behind it the other forms in which the provider sends it.
  package var redirectURIs: [String]
  /// Pages on which the provider shows its errors.
  package var errorPages: [String]
  /// What the title bar says, if not what it says by default.
  package var title: String?
  /// For whom somebody signs in; nothing if that is not to be said.
  package var requester: Requester?
  /// The window of the caller that this one belongs to.
  package var parent: ParentWindow?
  /// The absolute path of a private folder that cookies and other data of pages are kept in; without one nothing
  /// is kept.
  package var session: String?
  /// How long the window may take at its end until that is written. A disk that takes longer has failed.
  package static let writing = Duration.seconds(5)
  /// The languages in which pages are asked for, the best first; none for those of the environment.
  package var languages: [String] = []
  /// Whether the user has no way to close the window.
  package var hasNoClose = false
  /// Whether it stays out of sight until it is told to show itself.
  package var isHidden = false
  /// Whether it comes up without taking the keyboard from another window.
  package var isQuiet = false
  /// How the page gets to the screen.
  package var rendering = Rendering.standard
  /// How large it is, if not as large as windows are at first.
  package var layout = WindowLayout()
  /// Whether it stays as large, whatever its page needs.
  package var hasFixedSize = false
  /// Whether the page cannot be asked for a second time.
  package var opensOnce = false
  /// Certificates in PEM by the hosts for which they are accepted whatever is wrong with them.
  package var trust: [String: String] = [:]
  /// The other ways to the user that the window may offer, such as `browser`.
  package var ways: [String] = []

  package init(url: String?, redirectURIs: [String], errorPages: [String] = []) {
    self.url = url
    self.redirectURIs = redirectURIs
    self.errorPages = errorPages
  }

  /// Whether the page can be opened once more, in a window that paints in another way.
  package var canBeReopened: Bool { !opensOnce && rendering.next != nil }

  package var showsPages: Bool { !redirectURIs.isEmpty }

  /// Whether the user may go on in a browser, or have it opened.
  package var offersBrowser: Bool { ways.contains(Way.browser.rawValue) }

  /// What is asked about each navigation.
  package func policy() throws(AddressFault) -> NavigationPolicy {
    guard let first = redirectURIs.first else { throw .notAbsolute }
    return NavigationPolicy(
      redirectURI: try RedirectURI(first),
      aliases: try redirectURIs.dropFirst().map { text throws(AddressFault) in try RedirectURI(text) },
      errorPages: try errorPages.map { text throws(AddressFault) in try ErrorPage(text) })
  }
}

extension WindowOpening {
  /// Reads the members; those that are not known are left to later versions.
  init?(_ object: JSONObject) {
    guard let redirectURIs = object["redirect_uris"]?.strings else { return nil }
    if let url = object["url"], url.string == nil { return nil }
    self.init(
      url: object["url"]?.string, redirectURIs: redirectURIs, errorPages: object["error_pages"]?.strings ?? []
    )
    title = object["title"]?.string
    requester = object["requester"]?.object.map { Requester($0) }
    parent = object["parent"]?.string.flatMap(ParentWindow.init)
    session = object["session"]?.string
    languages = object["languages"]?.strings ?? []
    hasNoClose = object["no_close"]?.bool ?? false
    isHidden = object["hidden"]?.bool ?? false
    isQuiet = object["quiet"]?.bool ?? false
    rendering = object["rendering"]?.string.flatMap(Rendering.init) ?? .standard
    layout = WindowLayout(object)
    hasFixedSize = object["fixed_size"]?.bool ?? false
    opensOnce = object["opens_once"]?.bool ?? false
    for member in object["trust"]?.object ?? [:] { trust[member.name] = member.value.string }
    ways = object["ways"]?.strings ?? []
  }

  /// The members that say something.
  var json: JSONObject {
    func list(_ texts: [String]) -> JSONValue? { texts.isEmpty ? nil : .texts(texts) }
    func flag(_ isSet: Bool) -> JSONValue? { isSet ? true : nil }
    let trust = trust.sorted { $0.key < $1.key }
    return [
      "url": url.map(JSONValue.string), "redirect_uris": .texts(redirectURIs),
      "error_pages": list(errorPages), "title": title.map(JSONValue.string),
      "requester": requester.map { .object($0.json) },
      "parent": parent.map { .string($0.text) },
      "session": session.map(JSONValue.string), "languages": list(languages), "no_close": flag(hasNoClose),
      "hidden": flag(isHidden), "quiet": flag(isQuiet),
      "rendering": rendering == .standard ? nil : .string(rendering.rawValue),
      "size": layout.json["size"], "zoom": layout.json["zoom"], "fixed_size": flag(hasFixedSize),
      "opens_once": flag(opensOnce),
      "trust": trust.isEmpty
        ? nil : .object(trust.reduce(into: [:]) { $0[$1.key] = .string($1.value) }),
      "ways": list(ways),
    ]
  }
}

extension JSONValue {
  static func texts(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

  /// The texts of an array that holds nothing else.
  var strings: [String]? {
    guard let array else { return nil }
    let texts = array.compactMap(\.string)
    return texts.count == array.count ? texts : nil
  }
}
