@testable import LoginCore

extension Room {
  /// Which addresses count as a redirect URI: a redirect URI in the first line, an alias and an error page in the next
  /// two, and what a web engine reports in the last.
  static let redirect = Room(
    name: "redirect", longest: 512, growing: [("path", { pieces($0, from: line + line) { _ in "/a" } })]
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
    let isExact = Place(own).isWhere(uri)
    let isAlias = alias != nil && Place(other).isWhere(uri)
    switch policy.decision(for: uri) {
    case .callback(let callback):
      demand(isExact || isAlias, "\(uri.text) is not where \(own) or \(other) is")
      demand((callback.redirect == .exact) == isExact, "\(uri.text) is not the form that was asked for")
      demand((try? callback.text()).map { $0.bytes == uri } ?? true, "a callback is told as it came")
    case .errorPage:
      demand(!isExact && !isAlias, "\(uri.text) is a callback")
      demand(Place(page).isWhere(uri), "\(uri.text) is not where \(page) is")
    case .allow, .ignore: demand(!isExact && !isAlias, "\(uri.text) is a callback")
    }
  }

  private static let line = "https://app.example/cb\n"

  /// A server on this machine can be given any port where it was registered without one.
  private static func checkPort(of redirect: RedirectURI) {
    guard case .loopback(let host, let port) = redirect.kind, port == nil else { return }
    let text = "a port can be put into \(redirect)"
    let placed = demand(try? redirect.with(port: 4_711), text)
    demand(placed.kind == .loopback(host, port: 4_711), text)
    demand(
      placed.target?.path == redirect.target?.path && placed.target?.query == redirect.target?.query, text)
  }
}

/// Where a redirect URI is, found out in another way than by the library: by its texts alone.
struct Place {
  private let address: [UInt8]
  private let ownQuery: [UInt8]?

  /// Of a text that the library has found right.
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

  /// Whether a web engine that reports this is there, whatever was added to the query or as a fragment.
  func isWhere(_ uri: [UInt8]) -> Bool {
    let (scheme, rest) = Self.halves(uri, at: ":")
    guard let rest else { return false }
    let uri = scheme.map(Self.small) + ":".bytes + rest
    let (page, fragment) = Self.halves(uri, at: "#")
    let (place, query) = Self.halves(page, at: "?")
    guard place == address else { return false }
    _ = fragment
    switch (ownQuery, query) {
    case (nil, _): return true
    case (_, nil): return false
    case (let own?, let query?):
      return own.isEmpty || query == own || query.starts(with: own + "&".bytes)
    }
  }

  /// A host with its port, unless that is the usual one.
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
