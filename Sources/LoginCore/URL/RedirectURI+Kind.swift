extension RedirectURI {
  /// What stands at a redirect URI, and so who sees the answer there (RFC 8252 section 7).
  package enum Kind: Sendable, Equatable {
    /// A server of ours on this machine; without a port it may have any (RFC 8252 section 7.3).
    case loopback(LoopbackHost, port: UInt16?)
    /// A page on the web.
    case page
    /// A scheme that belongs to an application.
    case privateScheme
    /// No address: the provider shows a code, which the user takes along.
    case codePage
  }

  /// The names that this machine has for itself.
  package enum LoopbackHost: String, Sendable {
    case ipv4 = "127.0.0.1"
    case ipv6 = "[::1]"
    case name = "localhost"
  }

  /// Where answers go if neither the caller nor the preset says so: to this machine, at a port that is chosen when the
  /// login begins. A path of the issuer's own tells its answers from those of others even if they do not say whose they
  /// are (RFC 9700 section 4.4.2).
  package static func onThisMachine(for issuer: Issuer? = nil) throws(AddressFault) -> RedirectURI {
    let name = issuer.map(\.description).flatMap { text in text.startOfAuthority.map { "/\(text[$0...])" } }
    return try RedirectURI("http://\(LoopbackHost.ipv4.rawValue)/callback\(name ?? "")")
  }

  /// What stands there.
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

  /// Whether a server on this machine can be asked there.
  package var isOnThisMachine: Bool {
    if case .loopback = kind { return true }
    return false
  }

  /// The port of a server on this machine, where there is one.
  var port: UInt16? { if case .loopback(_, let port) = kind { port } else { nil } }

  /// The scheme, if it belongs to an application.
  package var privateScheme: String? {
    kind == .privateScheme ? (try? URIParts(description))?.scheme : nil
  }

  /// The same address with a port behind its host, and otherwise as it is registered.
  public func with(port: UInt16) throws(AddressFault) -> RedirectURI {
    guard let start = description.startOfAuthority else { throw .notAbsolute }
    let end = description[start...].firstIndex { $0 == "/" || $0 == "?" } ?? description.endIndex
    // A colon may stand there without a port behind it.
    let host =
      description[..<end].utf8.last == UInt8(ascii: ":")
      ? description[..<end].dropLast() : description[..<end]
    return try RedirectURI("\(host):\(port)\(description[end...])")
  }

  /// What a server sees of a request for a redirect URI on this machine.
  package struct Target: Sendable {
    /// Scheme, host and port.
    package let origin: String
    /// Host and port.
    package let authority: String
    /// The path as it is sent.
    package let path: String
    /// The path as a server sees it that decodes what was encoded.
    package let decodedPath: String
    /// The query that belongs to the address itself.
    package let query: String?
  }

  /// What a server sees of a request for it; nothing if it is not on the web.
  package var target: Target? {
    guard let address = try? WebAddress(description) else { return nil }
    return Target(
      origin: address.origin, authority: String(address.origin.dropFirst("\(address.scheme)://".count)),
      path: address.path, decodedPath: Self.decoded(address.path), query: address.query)
  }

  private static func decoded(_ path: String) -> String {
    PercentEncoding.decode(path, brokenEscapes: .kept).map { String(decoding: $0, as: UTF8.self) } ?? path
  }
}
