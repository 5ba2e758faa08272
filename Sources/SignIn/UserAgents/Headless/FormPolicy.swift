import LoginCore

/// A page's own rules about where its forms may go: `form-action` (Content Security Policy Level 3).
struct FormPolicy {
  /// The lists of sources. All lists have to allow an address.
  private let lists: [[String]]

  /// Reads the values of `Content-Security-Policy`.
  init(_ texts: [String]) {
    lists = texts.flatMap { $0.split(separator: ",") }.compactMap { policy in
      let directives = policy.split(separator: ";").map { $0.split(whereSeparator: \.isWhitespace) }
      return directives.first { $0.first?.lowercased() == "form-action" }?.dropFirst().map(String.init)
    }
  }

  /// True if the page lets a form go to the address.
  func allows(_ address: String, on page: String) -> Bool {
    let (target, own) = (Place(address), Place(page))
    return lists.allSatisfy { $0.contains { Self.matches($0, target, own) } }
  }

  private static func matches(_ source: String, _ target: Place, _ own: Place) -> Bool {
    func fits(_ scheme: String) -> Bool {
      scheme == target.scheme || scheme == "http" && target.scheme == "https"
    }
    let word = source.lowercased()
    if word == "*" { return fits("http") }
    if word.hasPrefix("'"), word != "'self'" { return false }
    if word.hasSuffix(":") { return fits(String(word.dropLast())) }
    let hasScheme = source.startOfAuthority != nil
    var place = Place(hasScheme ? source : "\(own.scheme)://\(source)")
    if word == "'self'" {
      place = own
      place.path = ""
    }
    let isHost =
      place.host == "*" || place.host == target.host
      || place.host.hasPrefix("*.") && target.host.hasSuffix(place.host.dropFirst())
    let isPort =
      place.port == "*" || place.port ?? target.usualPort == target.port ?? target.usualPort
    let path = target.path.isEmpty ? "/" : target.path
    let isPath = place.path.hasSuffix("/") ? path.hasPrefix(place.path) : place.path == path
    return fits(place.scheme) && isHost && isPort && (isPath || place.path.isEmpty)
  }

  /// The parts of an address that count.
  private struct Place {
    let scheme: String
    let host: String
    /// The port, or nil for the usual one.
    let port: String?
    var path: String

    var usualPort: String { scheme == "https" ? "443" : "80" }

    init(_ text: String) {
      let (scheme, rest) = text.splitOnce(at: ":")
      self.scheme = scheme.lowercased()
      let place = (rest ?? "").drop { $0 == "/" }
      let end = place.firstIndex { "/?#".contains($0) } ?? place.endIndex
      let authority = place[..<end].lowercased()
      let afterAddress = authority.lastIndex(of: "]") ?? authority.startIndex
      let colon = authority[afterAddress...].lastIndex(of: ":")
      host = String(authority[..<(colon ?? authority.endIndex)])
      let usual = self.scheme == "https" ? "443" : "80"
      port = colon.map { String(authority[authority.index(after: $0)...]) }.flatMap { $0 == usual ? nil : $0 }
      path = String(place[end...].prefix { $0 != "?" && $0 != "#" })
    }
  }
}
