/// A redirect URI as the client registered it (RFC 6749 section 3.1.2): absolute and without a fragment.
public struct RedirectURI: Sendable, Equatable, CustomStringConvertible {
  /// The registered text, which is sent to the provider unchanged.
  public let description: String
  let landing: RedirectMatcher

  /// Throws if a web engine would report the URI in other bytes. The message continues "VALUE is …".
  package init(parsing text: String) throws(Message) {
    landing = try RedirectMatcher(text)
    description = text
  }

  /// Returns the URI with this port after its host, and otherwise as it is registered.
  package func with(port: UInt16) throws(Message) -> RedirectURI {
    guard let start = description.startOfAuthority else { throw .notAbsolute }
    let end = description[start...].firstIndex { $0 == "/" || $0 == "?" } ?? description.endIndex
    let authority = description[start..<end]
    let portless = authority.lastIndex(of: ":").map { authority[..<$0] } ?? authority
    // An address of IPv6 has colons of its own.
    let host = authority.utf8.last == UInt8(ascii: "]") ? authority : portless
    return try RedirectURI(parsing: "\(description[..<start])\(host):\(port)\(description[end...])")
  }
}

extension RedirectURI {
  /// The kind of place to which a redirect URI leads, which decides who sees the answer (RFC 8252 section 7).
  package enum Kind: Sendable, Equatable {
    /// Our own server on this machine. Without a port, it may use any (RFC 8252 section 7.3).
    case loopback(LoopbackHost, port: UInt16?)
    /// A page on the web.
    case page
    /// A scheme that belongs to an application.
    case privateScheme
    /// No address at all: the provider shows a code for the user to copy.
    case codePage
  }

  /// The names of this machine.
  package enum LoopbackHost: String, Sendable {
    case ipv4 = "127.0.0.1"
    case ipv6 = "[::1]"
    case name = "localhost"
  }

  package var kind: Kind {
    guard let parts = try? URIParts(description) else { return .page }
    switch parts.scheme {
    case "http", "https":
      guard parts.scheme == "http", let address = try? WebAddress(description),
        let host = LoopbackHost(rawValue: address.host)
      else { return .page }
      let namesUsualPort = parts.authority?.parts(at: ":").last.flatMap { UInt16($0) } == 80
      return .loopback(host, port: address.port ?? (namesUsualPort ? 80 : nil))
    case "urn": return .codePage
    default: return .privateScheme
    }
  }

  /// True if a server on this machine can receive the answer.
  package var isOnThisMachine: Bool {
    if case .loopback = kind { return true }
    return false
  }

  /// The port of a server on this machine, if the URI names one.
  package var port: UInt16? { if case .loopback(_, let port) = kind { port } else { nil } }

  /// The scheme, if it belongs to an application.
  package var privateScheme: String? {
    kind == .privateScheme ? (try? URIParts(description))?.scheme : nil
  }

  /// A request for the redirect URI, as a server sees it.
  package struct Target: Sendable {
    /// Scheme, host and port.
    package let origin: String
    /// Host and port.
    package let authority: String
    /// The path as it is sent.
    package let path: String
    /// The path with its escapes decoded, as some servers see it.
    package let decodedPath: String
    /// The query of the redirect URI itself.
    package let query: String?
  }

  /// The request that a server sees, or nil if the URI is not on the web.
  package var target: Target? {
    guard let address = try? WebAddress(description) else { return nil }
    let decoded = PercentEncoding.decode(address.path, brokenEscapes: .kept)
    return Target(
      origin: address.origin, authority: address.authority,
      path: address.path, decodedPath: decoded.map { String(decoding: $0, as: UTF8.self) } ?? address.path,
      query: address.query)
  }
}
