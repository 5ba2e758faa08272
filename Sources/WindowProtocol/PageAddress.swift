import LoginCore

/// The address of a page as it is shown to the user: the host as the web engine reports it (never decoded, so that
/// punycode stays recognisable), and the security of the connection.
package struct PageAddress: Sendable, Equatable {
  /// Scheme, host and port.
  package let origin: String
  /// The host, and the port if it is not the scheme's own. Empty for a page without an address.
  package let host: String
  package let connection: Connection
  /// The host of the server that the page should belong to. nil if any server will do.
  package var server: String?

  /// The host without a port.
  package var hostName: String {
    guard !host.hasSuffix("]"), let colon = host.unicodeScalars.lastIndex(of: ":") else { return host }
    return String(host[..<colon])
  }

  /// Returns a host in lower case, without a port, and an IPv6 address without brackets, as libraries name it.
  package static func bareHost(_ host: String) -> String {
    let host = host.lowercased()
    if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
    return host.utf8.count { $0 == UInt8(ascii: ":") } == 1 ? host.splitOnce(at: ":").0 : host
  }

  package enum Connection: Sendable, Equatable {
    /// Encrypted, to a host that has proven its name.
    case secure
    /// Not encrypted.
    case plain
    /// Within this machine.
    case local
    /// The page has no address of its own. The host is that of the page that opened it, and that may have written it.
    case inherited
    case none
  }

  /// Reads the address of a page as a web engine reports it.
  package init(_ uri: String) {
    let (scheme, rest) = uri.splitOnce(at: ":")
    guard scheme == "https" || scheme == "http", let rest, rest.hasPrefix("//") else {
      (origin, host, connection) = ("", "", .none)
      return
    }
    let authority = rest.dropFirst(2).utf8.prefix { !"/?#".utf8.contains($0) }
    // The user name before the last @ could look like a host.
    let name = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last
    host = Self.shown(String(decoding: name ?? authority, as: UTF8.self))
    origin = "\(scheme)://\(host)"
    connection = scheme == "https" ? .secure : Self.isLoopback(host) ? .local : .plain
  }

  /// Reads the address of a page that another page opened. `about:` pages, and those that were never loaded, have the
  /// origin of the other page (HTML, "determining the origin").
  package init(_ uri: String, from other: PageAddress?) {
    self.init(uri)
    if connection == .none, let other { self = PageAddress(inheritedFrom: other) }
  }

  /// The address of a page that another page opened without an address.
  package init(inheritedFrom other: PageAddress) {
    (origin, host) = (other.origin, other.host)
    connection = other.connection == .none ? .none : .inherited
  }

  /// A name longer than DNS allows (RFC 1035 section 2.3.4) may still work through a proxy. It is cut in front, because
  /// its end tells whose it is.
  private static func shown(_ host: String) -> String {
    let host = host.forDisplay(limit: .max)
    let end = host.unicodeScalars.suffix(260)
    return end.startIndex == host.startIndex ? host : "…" + String(end)
  }

  private static func isLoopback(_ host: String) -> Bool {
    (try? WebAddress("http://\(host)/")) != nil
  }
}

/// Recognises pages that say that the provider refuses embedded web views.
///
/// There is no standard for that. Google's error page has the word `disallowed_useragent` in its address, in Base64
/// inside a parameter (`authError`). The word is unusual enough to be taken in any parameter, encoded or not.
package enum EmbeddedRefusal {
  private static let word = Array("disallowed_useragent".utf8)

  /// Judges the address of a page.
  package static func isNamed(in uri: String) -> Bool {
    let query = Array((uri.splitOnce(at: "#").0.splitOnce(at: "?").1 ?? "").utf8)
    guard query.count <= Callback.maximumLength,
      let parameters = ParameterList(form: query, upTo: Callback.maximumParameters)
    else { return false }
    return parameters.parameters.contains { parameter in
      let value = parameter.value
      return holdsWord(Array(value.utf8)) || decoded(value).map(holdsWord) ?? false
    }
  }

  /// Decodes Base64 in either alphabet, padded or not. Decoding the form has turned `+` into a space.
  private static func decoded(_ text: String) -> [UInt8]? {
    var digits = text.utf8.filter { $0 != UInt8(ascii: "=") }.map { digit in
      switch digit {
      case UInt8(ascii: "+"), UInt8(ascii: " "): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: digit
      }
    }
    // Zero digits at the end make any length valid.
    while digits.count % 4 != 0 { digits.append(UInt8(ascii: "A")) }
    return Base64.decodeURLSafe(String(decoding: digits, as: UTF8.self))
  }

  private static func holdsWord(_ bytes: [UInt8]) -> Bool {
    bytes.count >= word.count
      && (0...(bytes.count - word.count)).contains { bytes[$0..<($0 + word.count)].elementsEqual(word) }
  }
}
