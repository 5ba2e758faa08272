/// An address at which a navigation ends: everything before the first `?` or `#` is compared byte for byte,
/// only the scheme without regard to case, as WebKit lower-cases it.
///
/// Web engines have normalised a URL before they report it. Decoding it further would only open holes
/// (`%2e`, `%2F`, backslashes), so nothing here decodes anything.
struct RedirectMatcher: Sendable, Equatable {
  /// The serialised address up to its query.
  private let base: [UInt8]
  /// A query that belongs to the address itself and that comes first in what is received.
  private let ownQuery: [UInt8]?

  init(_ text: String) throws(AddressFault) {
    let parts = try URIParts(text)
    if parts.fragment != nil { throw .fragment }
    if Self.neverRedirectedTo.contains(parts.scheme) { throw .forbiddenScheme(parts.scheme) }
    if parts.scheme == "https" || parts.scheme == "http" {
      let address = try WebAddress(parts)
      base = Array((address.origin + address.path).utf8)
    } else {
      if let authority = parts.authority { try Self.check(authority: authority) }
      base = Array("\(parts.scheme):\(parts.authority.map { "//\($0)" } ?? "")\(parts.path)".utf8)
    }
    ownQuery = parts.query.map { Array($0.utf8) }
  }

  /// Where the query that was added to this address begins in `uri` (at most its end), or nothing if `uri`
  /// is somewhere else.
  @_optimize(speed)
  func match(_ uri: Span<UInt8>) -> Int? {
    guard uri.count >= base.count else { return nil }
    var inScheme = true
    for index in base.indices {
      if base[index] != (inScheme ? uri[index].lowercased : uri[index]) { return nil }
      if base[index] == UInt8(ascii: ":") { inScheme = false }
    }
    var end = base.count
    guard let ownQuery else { return Self.isBoundary(uri, at: end, or: UInt8(ascii: "?")) ? end : nil }
    guard end < uri.count, uri[end] == UInt8(ascii: "?"), uri.count - end > ownQuery.count else { return nil }
    if ownQuery.isEmpty { return end }
    for byte in ownQuery {
      end += 1
      if uri[end] != byte { return nil }
    }
    end += 1
    return Self.isBoundary(uri, at: end, or: UInt8(ascii: "&")) ? end : nil
  }

  /// Whether it is on a server.
  var isWeb: Bool { base.starts(with: "http".utf8) }

  /// What `match` accepts, as the regular expressions of WebKit's content blockers: those have no alternatives.
  var patterns: [String] {
    let address = "^" + Self.escaped(base)
    guard let ownQuery else { return [address + "$", address + "[?#]"] }
    let withQuery = address + "\\?" + Self.escaped(ownQuery)
    return ownQuery.isEmpty ? [withQuery] : [withQuery + "$", withQuery + "[&#]"]
  }

  /// A text as one of them.
  static func escaped(_ text: [UInt8]) -> String {
    let special = "\\^$.*+?()[]{}|".utf8
    return String(
      decoding: text.flatMap { special.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }, as: UTF8.self)
  }

  /// The host of a private scheme is reported as it is if it is one (URL Standard section 3.5) and no address of IPv6,
  /// which is rewritten; a port needs a host, and is rewritten unless it is in its one form.
  private static func check(authority: String) throws(AddressFault) {
    let (host, port) = authority.splitOnce(at: ":")
    if host.utf8.contains(where: "[]".utf8.contains) { throw .ambiguousHost }
    guard let port else { return }
    if host.isEmpty { throw .notAbsolute }
    guard let number = UInt16(port), String(number) == port else { throw .portNumber }
  }

  private static func isBoundary(_ uri: Span<UInt8>, at index: Int, or separator: UInt8) -> Bool {
    index == uri.count || uri[index] == UInt8(ascii: "#") || uri[index] == separator
  }

  /// Schemes that a web engine handles itself, or never follows from a redirect.
  private static let neverRedirectedTo = [
    "about", "blob", "data", "file", "filesystem", "ftp", "inspector", "intent", "javascript", "mailto",
    "resource", "tel", "view-source", "webkit", "ws", "wss",
  ]
}
