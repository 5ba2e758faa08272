import LoginCore

/// A page's own rules about where its forms may go and what its base may be (Content Security Policy Level 3), and whether
/// they say where they come from (Referrer Policy).
struct PagePolicy {
  /// True if the server that gets a form must not know the page.
  let hidesPage: Bool
  /// The lists of sources of each directive. All lists have to allow an address.
  private var lists: [String: [[String]]] = [:]

  /// Reads the values of `Content-Security-Policy`.
  init(_ texts: [String], hidesPage: Bool) {
    self.hidesPage = hidesPage
    for policy in texts.flatMap({ $0.split(separator: ",") }) {
      var known: Set<String> = []
      for directive in policy.split(separator: ";") {
        let words = directive.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let name = words.first?.lowercased(), known.insert(name).inserted else { continue }
        lists[name, default: []].append(Array(words.dropFirst()))
      }
    }
  }

  /// True if a directive, such as `form-action`, lets a page use the address.
  func allows(_ directive: String, _ address: String, on page: String) -> Bool {
    let (target, own) = (Place(address), Place(page))
    return (lists[directive] ?? []).allSatisfy { $0.contains { Self.matches($0, target, own) } }
  }

  private static func matches(_ source: String, _ target: Place, _ own: Place) -> Bool {
    func fits(_ scheme: String) -> Bool {
      scheme == target.scheme || scheme == "http" && target.scheme == "https"
    }
    let word = source.lowercased()
    if word == "'self'" { return target.origin == own.origin }
    if word == "*" { return fits("http") }
    if word.hasPrefix("'") { return false }
    if word.hasSuffix(":") { return fits(String(word.dropLast())) }
    let hasScheme = source.startOfAuthority != nil
    let place = Place(hasScheme ? source : "\(own.scheme)://\(source)")
    let isHost =
      place.host == "*" || place.host == target.host
      || place.host.hasPrefix("*.") && target.host.hasSuffix(place.host.dropFirst())
    let isPort = place.port == "*" || place.port == target.port || place.port == "80" && target.port == "443"
    let isPath = place.path.hasSuffix("/") ? target.path.hasPrefix(place.path) : place.path == target.path
    return fits(place.scheme) && isHost && isPort && (isPath || place.path.isEmpty)
  }

  /// The parts of an address that count.
  private struct Place {
    let scheme: String
    let host: String
    /// The number, or that of the scheme.
    let port: String
    let path: String

    var origin: [String] { [scheme, host, port] }

    init(_ text: String) {
      let (scheme, rest) = text.splitOnce(at: ":")
      self.scheme = scheme.lowercased()
      let place = (rest ?? "").drop { $0 == "/" }
      let end = place.firstIndex { "/?#".contains($0) } ?? place.endIndex
      let authority = place[..<end].lowercased()
      let afterAddress = authority.lastIndex(of: "]") ?? authority.startIndex
      let colon = authority[afterAddress...].lastIndex(of: ":")
      host = String(authority[..<(colon ?? authority.endIndex)])
      port =
        colon.map { String(authority[authority.index(after: $0)...]) }
        ?? (self.scheme == "https" ? "443" : "80")
      path = String(place[end...].prefix { $0 != "?" && $0 != "#" })
    }
  }
}
