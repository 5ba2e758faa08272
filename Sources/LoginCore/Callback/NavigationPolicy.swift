/// Decides what a web view, or whatever takes the place of one, does with a navigation it is asked to allow.
public struct NavigationPolicy: Sendable {
  private let redirectURIs: [(uri: RedirectURI, check: RedirectCheck)]
  private let errorPages: [ErrorPage]

  /// What is to be done with a navigation.
  public enum Decision: Sendable {
    /// Go there.
    case allow
    /// Do not go there; the login goes on where it is.
    case ignore
    /// Do not go there: this is what the login waited for.
    case callback(Callback)
    /// The provider shows an error there instead of redirecting.
    case errorPage(uri: String)
  }

  /// The redirect URI of the request, the other forms in which the provider sends it, and its error pages.
  public init(redirectURI: RedirectURI, aliases: [RedirectURI] = [], errorPages: [ErrorPage] = []) {
    redirectURIs = [(redirectURI, .exact)] + aliases.map { ($0, .alias) }
    self.errorPages = errorPages
  }

  /// The redirect URI and its other forms, as they were given.
  package var redirectTexts: [String] { redirectURIs.map(\.uri.description) }

  /// Where the redirect URI and its other forms lead.
  var landings: [RedirectMatcher] { redirectURIs.map(\.uri.landing) }

  /// The pages on which the provider shows its errors, as they were given.
  package var errorPageTexts: [String] { errorPages.map(\.description) }

  /// Judges a URI as it is reported, without decoding any of it.
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

  /// Whether it is a redirect URI only once escapes that need not be there are undone (RFC 3986 section 6.2.2): that is
  /// no answer, but what carries requests may undo them on the way, and must not take it there.
  private func isAlmostRedirect(_ uri: [UInt8]) -> Bool {
    guard uri.contains(UInt8(ascii: "%")) else { return false }
    let plain = PercentEncoding.normalize(uri)
    return landings.contains { $0.match(plain.span) != nil }
  }

  /// Pages come from the web alone: `file:` ends WebKit's web process, `javascript:` and `data:` imitate
  /// pages, and other schemes start other programs.
  private static func isWebPage(_ uri: [UInt8]) -> Bool {
    let start = uri.prefix(12).map(\.lowercased)
    // A frame whose page is written into the page around it; nothing else has this address.
    if start == Array("about:srcdoc".utf8) { return true }
    return ["https:", "http:"].contains { start.starts(with: $0.utf8) }
      || ["about:blank", "about:blank#", "about:blank?"].contains { start == Array($0.utf8) }
  }
}
