/// Decides what a web view, or a substitute for one, does with a navigation.
public struct NavigationPolicy: Sendable {
  private let redirectURIs: [(uri: RedirectURI, check: RedirectCheck)]
  private let errorPages: [ErrorPage]

  /// The decision about a navigation.
  public enum Decision: Sendable {
    /// Load the page.
    case allow
    /// Do not load the page; the login goes on where it is.
    case ignore
    /// Do not load the page: it is the answer to the login.
    case callback(Callback)
    /// The provider shows an error on this page instead of redirecting.
    case errorPage(uri: String)
  }

  /// A policy for the redirect URI of the request, the other forms in which the provider sends it, and the provider's
  /// error pages.
  package init(redirectURI: RedirectURI, aliases: [RedirectURI] = [], errorPages: [ErrorPage] = []) {
    redirectURIs = [(redirectURI, .exact)] + aliases.map { ($0, .alias) }
    self.errorPages = errorPages
  }

  init() { (redirectURIs, errorPages) = ([], []) }

  /// The redirect URI and its other forms, as they were given.
  package var redirectTexts: [String] { redirectURIs.map(\.uri.description) }

  /// The provider's error pages, as they were given.
  package var errorPageTexts: [String] { errorPages.map(\.description) }

  private var landings: [RedirectMatcher] { redirectURIs.map(\.uri.landing) }

  /// Returns the decision about a URI as the web view reports it. The URI is not decoded first.
  public func decision(for uri: [UInt8]) -> Decision {
    for redirect in redirectURIs {
      if let added = redirect.uri.landing.match(uri.span) {
        return .callback(Callback(uri: uri, added: added, redirect: redirect.check))
      }
    }
    if isAlmostRedirect(uri) { return .ignore }
    if errorPages.contains(where: { $0.landing.match(uri.span) != nil }) {
      return .errorPage(uri: String(decoding: uri, as: UTF8.self).forDisplay(limit: 2_000))
    }
    return Self.isWebPage(uri) ? .allow : .ignore
  }

  /// True if the URI becomes a redirect URI when unnecessary escapes are undone (RFC 3986 section 6.2.2). It is not an
  /// answer, but a server or a proxy may undo the escapes, so the request must not be sent there.
  private func isAlmostRedirect(_ uri: [UInt8]) -> Bool {
    guard uri.contains(UInt8(ascii: "%")) else { return false }
    let plain = PercentEncoding.normalize(uri)
    return landings.contains { $0.match(plain.span) != nil }
  }

  /// Only web pages are loaded: `file:` ends WebKit's web process, `javascript:` and `data:` imitate pages, and other
  /// schemes start other programs.
  private static func isWebPage(_ uri: [UInt8]) -> Bool {
    let start = uri.prefix(12).map(\.lowercased)
    // A frame whose content is written into the page around it. No other page has this address.
    if start == Array("about:srcdoc".utf8) { return true }
    return ["https:", "http:"].contains { start.starts(with: $0.utf8) }
      || ["about:blank", "about:blank#", "about:blank?"].contains { start == Array($0.utf8) }
  }
}

/// Rules for WebKit's content blocker, as JSON.
extension NavigationPolicy {
  /// Rules that keep WebKit from loading the redirect URIs, or nil if all of them have other schemes. They block exactly the
  /// addresses that ``decision(for:)`` takes for a callback.
  package var contentRules: String? {
    Self.contentRules(landings.filter(\.isWeb).flatMap(\.patterns))
  }

  /// Returns rules that keep WebKit from loading one address. `uri` is the address as WebKit reports it; the content
  /// blocker may compare it without its fragment.
  package static func contentRules(against uri: [UInt8]) -> String? {
    let address = "^" + RedirectMatcher.escaped(Array(uri.prefix { $0 != UInt8(ascii: "#") }))
    return contentRules([address + "$", address + "#"])
  }

  private static func contentRules(_ patterns: [String]) -> String? {
    if patterns.isEmpty { return nil }
    return JSONValue.array(
      patterns.map { pattern in
        [
          "trigger": [
            "url-filter": .string(pattern), "url-filter-is-case-sensitive": true,
            "resource-type": ["document"],
          ],
          "action": ["type": "block"],
        ]
      }
    ).text
  }
}
