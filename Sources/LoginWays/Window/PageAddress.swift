import LoginCore

/// Whose page is shown, in the words that a person is told: the host as the web engine reports it (never
/// decoded, so that a name in punycode stays recognisable), and what is known about the connection.
package struct PageAddress: Sendable, Equatable {
  /// Scheme, host and port.
  package let origin: String
  /// The host, and the port where it is not the usual one; empty for a page that comes from nowhere.
  package let host: String
  package let connection: Connection

  /// The host without a port.
  package var hostName: String {
    guard !host.hasSuffix("]"), let colon = host.unicodeScalars.lastIndex(of: ":") else { return host }
    return String(host[..<colon])
  }

  /// What is known about a connection.
  package enum Connection: Sendable, Equatable {
    /// Encrypted, to a host that has proven its name.
    case secure
    /// Open to everybody on the way.
    case plain
    /// It does not leave this machine.
    case local
    /// The page has no address of its own: it is the host of the page that it came from, which may have written all
    /// of it.
    case inherited
    case none
  }

  /// The address of a page as a web engine reports it.
  package init(_ uri: String) {
    let (scheme, rest) = uri.splitOnce(at: ":")
    guard scheme == "https" || scheme == "http", let rest, rest.hasPrefix("//") else {
      (origin, host, connection) = ("", "", .none)
      return
    }
    let authority = rest.dropFirst(2).utf8.prefix { !"/?#".utf8.contains($0) }
    // Whatever is before the last @ is a user name, which could look like a host.
    let name = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last
    host = Self.shown(String(decoding: name ?? authority, as: UTF8.self))
    origin = "\(scheme)://\(host)"
    connection = scheme == "https" ? .secure : Self.isLoopback(host) ? .local : .plain
  }

  /// The address of a page that comes from another. What is `about:`, or has not been loaded at all, has the origin of
  /// that other page (HTML, "determining the origin").
  package init(_ uri: String, from other: PageAddress?) {
    self.init(uri)
    if connection == .none, let other { self = PageAddress(inheritedFrom: other) }
  }

  /// The address of a page that another has opened without one.
  package init(inheritedFrom other: PageAddress) {
    (origin, host) = (other.origin, other.host)
    connection = other.connection == .none ? .none : .inherited
  }

  /// A host whose name is longer than any that can be found (RFC 1035 section 2.3.4) is shown by its end, which says whose
  /// it is: a proxy may take such names.
  private static func shown(_ host: String) -> String {
    let host = host.forDisplay(limit: .max)
    let end = host.unicodeScalars.suffix(260)
    return end.startIndex == host.startIndex ? host : "…" + String(end)
  }

  private static func isLoopback(_ host: String) -> Bool {
    (try? WebAddress("http://\(host)/")) != nil
  }
}
