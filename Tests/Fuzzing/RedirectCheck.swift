@testable import LoginCore

extension Check {
  /// Redirect URIs: a redirect URI, an alias and an error page in the first three lines, and the address that a web engine
  /// reports in the rest.
  static let redirect = Check(growing: [("path", { pieces($0, from: line + line) { _ in "/a" } })]
  ) { bytes in
    var input = Input(bytes)
    let (own, other, page) = (input.text(), input.text(), input.text())
    let uri = input.remainder
    guard let redirect = try? RedirectURI(own) else { return }
    checkPort(of: redirect)
    let alias = try? RedirectURI(other)
    let policy = NavigationPolicy(
      redirectURI: redirect, aliases: [alias].compactMap(\.self),
      errorPages: [try? ErrorPage(page)].compactMap(\.self))
    let isExact = Place(own).contains(uri)
    let isAlias = alias != nil && Place(other).contains(uri)
    switch policy.decision(for: uri) {
    case .callback(let callback):
      require(isExact || isAlias, "the callback \(uri.text) is at \(own) or \(other)")
      require(
        (callback.redirect == .exact) == isExact, "only the redirect URI itself counts as exact: \(uri.text)")
      require((try? callback.text()).map { $0.bytes == uri } ?? true, "a callback is passed on unchanged")
    case .errorPage:
      require(!isExact && !isAlias, "\(uri.text) is recognised as a callback")
      require(Place(page).contains(uri), "the error page \(uri.text) is at \(page)")
    case .allow, .ignore: require(!isExact && !isAlias, "\(uri.text) is recognised as a callback")
    }
  }

  private static let line = "https://app.example/cb\n"

  /// Checks that a loopback redirect URI without a port can get one.
  private static func checkPort(of redirect: RedirectURI) {
    guard case .loopback(let host, let port) = redirect.kind, port == nil else { return }
    let text = "\(redirect) can get a port"
    let placed = require(try? redirect.with(port: 4_711), text)
    require(placed.kind == .loopback(host, port: 4_711), text)
    require(
      placed.target?.path == redirect.target?.path && placed.target?.query == redirect.target?.query, text)
  }
}

/// A second matcher of redirect URIs, to compare with the library's.
struct Place {
  private let address: [UInt8]
  private let ownQuery: [UInt8]?

  /// Reads a valid redirect URI.
  init(_ text: String) {
    let (page, query) = Self.halves(text.bytes, at: "?")
    let (scheme, rest) = Self.halves(page, at: ":")
    ownQuery = query
    var address = scheme.map(Self.small) + ":".bytes
    if scheme.map(Self.small) == "https".bytes || scheme.map(Self.small) == "http".bytes {
      let inside = (rest ?? []).dropFirst(2)
      let server = inside.prefix { $0 != UInt8(ascii: "/") }
      let path = inside.dropFirst(server.count)
      address += "//".bytes + Self.server(server.map(Self.small), isEncrypted: scheme.count == 5)
      address += path.isEmpty ? "/".bytes : Array(path)
    } else {
      address += rest ?? []
    }
    self.address = address
  }

  /// True if an address that a web engine reports is the redirect URI with any query or fragment added.
  func contains(_ uri: [UInt8]) -> Bool {
    let (scheme, rest) = Self.halves(uri, at: ":")
    guard let rest else { return false }
    let uri = scheme.map(Self.small) + ":".bytes + rest
    let (place, query) = Self.halves(Self.halves(uri, at: "#").0, at: "?")
    guard place == address else { return false }
    switch (ownQuery, query) {
    case (nil, _): return true
    case (_, nil): return false
    case (let own?, let query?):
      return own.isEmpty || query == own || query.starts(with: own + "&".bytes)
    }
  }

  /// Returns a host with its port, unless that is the default.
  private static func server(_ text: [UInt8], isEncrypted: Bool) -> [UInt8] {
    guard let colon = text.lastIndex(of: UInt8(ascii: ":")),
      !text[colon...].contains(UInt8(ascii: "]"))
    else { return text }
    let digits = text[(colon + 1)...].drop { $0 == UInt8(ascii: "0") }
    let usual = isEncrypted ? "443".bytes : "80".bytes
    let host = Array(text[..<colon])
    return digits.isEmpty || digits.elementsEqual(usual) ? host : host + ":".bytes + digits
  }

  private static func halves(_ text: [UInt8], at mark: Unicode.Scalar) -> ([UInt8], [UInt8]?) {
    guard let index = text.firstIndex(of: UInt8(mark.value)) else { return (text, nil) }
    return (Array(text[..<index]), Array(text[(index + 1)...]))
  }

  private static func small(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }
}
