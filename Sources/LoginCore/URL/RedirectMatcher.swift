/// Recognises the address at which a navigation ends. Everything before the first `?` or `#` is compared byte by byte,
/// but the scheme without regard to case, because WebKit lower-cases it.
///
/// Web engines normalise a URL before they report it. Decoding it further would only open holes (`%2e`, `%2F`,
/// backslashes), so the matcher never decodes.
struct RedirectMatcher: Sendable, Equatable {
  /// The address up to its query, as web engines write it.
  private let base: [UInt8]
  /// The query of the address itself, with which the query of an answer must begin.
  private let ownQuery: [UInt8]?

  init(_ text: String) throws(Message) {
    let parts = try URIParts(text)
    if parts.fragment != nil { throw .fragment }
    if Self.neverRedirectedTo.contains(parts.scheme) {
      throw "a URL with the scheme \(parts.scheme), to which no provider can redirect"
    }
    if parts.scheme == "https" || parts.scheme == "http" {
      let address = try WebAddress(parts)
      base = Array((address.origin + address.path).utf8)
    } else {
      // `localhost:8080` is a URI with the scheme localhost, but never meant as one.
      if parts.scheme == "localhost" { throw .notAbsolute }
      if let authority = parts.authority { try Self.check(authority: authority) }
      base = Array("\(parts.scheme):\(parts.authority.map { "//\($0)" } ?? "")\(parts.path)".utf8)
    }
    ownQuery = parts.query.map { Array($0.utf8) }
  }

  /// Returns the index in `uri` at which the query begins that was added to this address, or its end if it has
  /// no such query. Returns nil if `uri` is another address.
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

  /// True for http and https.
  var isWeb: Bool { base.starts(with: "http".utf8) }

  /// Regular expressions that together accept the same addresses as ``match(_:)``. WebKit's content blockers do not
  /// support alternatives within one expression.
  var patterns: [String] {
    let address = "^" + Self.escaped(base)
    guard let ownQuery else { return [address + "$", address + "[?#]"] }
    let withQuery = address + "\\?" + Self.escaped(ownQuery)
    return ownQuery.isEmpty ? [withQuery] : [withQuery + "$", withQuery + "[&#]"]
  }

  /// Returns a regular expression that matches exactly this text.
  static func escaped(_ text: [UInt8]) -> String {
    let special = "\\^$.*+?()[]{}|".utf8
    return String(
      decoding: text.flatMap { special.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }, as: UTF8.self)
  }

  /// Refuses the authority of a private scheme if web engines would rewrite it: an IPv6 address, or a port that has
  /// leading zeros or no host (URL Standard section 3.5).
  private static func check(authority: String) throws(Message) {
    let (host, port) = authority.splitOnce(at: ":")
    if host.utf8.contains(where: "[]".utf8.contains) { throw .ambiguousHost }
    guard let port else { return }
    if host.isEmpty { throw .notAbsolute }
    guard let number = UInt16(port), String(number) == port else { throw .portNumber }
  }

  private static func isBoundary(_ uri: Span<UInt8>, at index: Int, or separator: UInt8) -> Bool {
    index == uri.count || uri[index] == UInt8(ascii: "#") || uri[index] == separator
  }

  /// Schemes that web engines handle themselves, or never follow from a redirect.
  private static let neverRedirectedTo = [
    "about", "blob", "data", "file", "filesystem", "ftp", "inspector", "intent", "javascript", "mailto",
    "resource", "tel", "view-source", "webkit", "ws", "wss",
  ]
}

/// The components of a URI, split as in RFC 3986 appendix B and otherwise unchanged.
struct URIParts {
  let scheme: String
  let authority: String?
  let path: String
  let query: String?
  let fragment: String?

  init(_ text: String) throws(Message) {
    var rest = text[...]
    fragment = rest.cut(from: "#")
    query = rest.cut(from: "?")
    guard let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), colon != rest.startIndex,
      let first = rest.utf8.first, first.isLetter,
      rest.utf8[..<colon].allSatisfy({ $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) })
    else { throw .notAbsolute }
    scheme = rest[..<colon].lowercased()
    rest = rest[rest.utf8.index(after: colon)...]
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
    } else {
      authority = nil
    }
    path = String(rest)
    guard text.utf8.allSatisfy({ $0.isVisible && !$0.isNeverBare }) else {
      throw .illegalCharacter
    }
    if authority?.utf8.contains(UInt8(ascii: "@")) == true { throw "a URL with a user name in it" }
    // Web engines resolve dot segments before the address can be compared.
    if Self.hasDotSegment(path) { throw "a URL with . or .. as a part of its path" }
  }

  private static let dotSegments = [".", "..", "%2e", ".%2e", "%2e.", "%2e%2e"]

  private static func hasDotSegment(_ path: String) -> Bool {
    var rest = path[...]
    while let first = rest.utf8.first {
      let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      if ".%".utf8.contains(first), dotSegments.contains(rest[..<end].lowercased()) { return true }
      rest = rest[end...]
      if !rest.isEmpty { rest = rest[rest.utf8.index(after: end)...] }
    }
    return false
  }
}

extension UInt8 {
  /// True for printable characters that RFC 3986 does not allow and that web engines escape or reinterpret.
  fileprivate var isNeverBare: Bool {
    switch Unicode.Scalar(self) {
    case "\"", "<", ">", "\\", "^", "`", "{", "|", "}": true
    default: false
    }
  }
}

extension Substring {
  /// Removes everything from the first `mark` on, and returns the text after the mark.
  fileprivate mutating func cut(from mark: Unicode.Scalar) -> String? {
    guard let index = utf8.firstIndex(of: UInt8(ascii: mark)) else { return nil }
    let tail = String(self[utf8.index(after: index)...])
    self = self[..<index]
    return tail
  }
}
