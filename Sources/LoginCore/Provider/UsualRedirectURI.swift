extension RedirectURI {
  /// Returns the URI that is used if neither the caller nor the preset names one: on this machine, at a port that belongs to
  /// the provider. It never changes, so that it can be registered where redirect URIs are compared exactly.
  ///
  /// The path contains the issuer, so that answers of different issuers can be told apart even if they do not name their
  /// issuer (RFC 9700 section 4.4.2).
  public static func onThisMachine(for provider: Provider = Provider()) throws(Failure) -> RedirectURI {
    let issuer = provider.issuer.map { place(in: $0.description) }
    // A client is kept for its registration endpoint and its redirect URI (`ClientSlot`), so the one must decide the other.
    let server = provider.endpoints[.registration] ?? provider.endpoints[.authorization]
    let name = issuer ?? server.map { place(in: $0.origin) } ?? ""
    let path = issuer.map { "/\($0)" } ?? ""
    return try RedirectURI("http://\(LoopbackHost.ipv4.rawValue):\(port(of: name))/callback\(path)")
  }

  /// The host of an address, its port, and its path without a slash at the end, with which some issuers are written and some
  /// are not.
  private static func place(in address: String) -> String {
    let place = address.startOfAuthority.map { address[$0...] } ?? ""
    return String(place.utf8.last == UInt8(ascii: "/") ? place.dropLast() : place)
  }

  /// The port that belongs to a name: 61000 and the remainder of its FNV-1a hash (32 bits) by 4536. Clients are registered
  /// with it, so this must never change. No service is registered with a port above 49151, and Linux takes the ports of
  /// outgoing connections from those up to 60999.
  private static func port(of name: String) -> UInt16 {
    var hash: UInt32 = 0x811C_9DC5
    for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return 61_000 + UInt16(hash % 4_536)
  }
}

extension Provider {
  /// True if the answer may come to another port than that of the redirect URI, as most providers allow for addresses of a
  /// machine (RFC 8252 section 7.3). The user's own redirect URI keeps its port, because they registered it.
  package func allowsOtherPort(for uri: RedirectURI) -> Bool {
    guard case .loopback(_, let port) = uri.kind else { return false }
    return port == nil || (try? RedirectURI.onThisMachine(for: self)) == uri
  }
}
