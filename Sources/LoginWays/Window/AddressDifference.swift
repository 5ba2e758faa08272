import LoginCore

extension PageRefusal {
  /// In what an address is not the redirect URI.
  package enum Difference: String, Sendable {
    case scheme, host, port, path
    /// A slash at the end.
    case slash
    /// Nothing but capital letters.
    case capitals
    /// Nothing but escapes that need not be there.
    case escapes
  }

  /// In what two addresses differ, as far as that can be said in a word each.
  package static func differences(_ one: String, _ other: String) -> [Difference] {
    if one.isIdentical(to: other) { return [] }
    if one.lowercased().isIdentical(to: other.lowercased()) { return [.capitals] }
    guard let one = AddressParts(one), let other = AddressParts(other) else { return [.scheme] }
    var found: [Difference] = []
    if one.scheme != other.scheme { found.append(.scheme) }
    if one.host != other.host { found.append(.host) }
    if one.port != other.port { found.append(.port) }
    if one.path != other.path {
      let withoutSlash = { (path: String) in path.hasSuffix("/") ? String(path.dropLast()) : path }
      let plain = { (path: String) in
        String(decoding: PercentEncoding.normalize(Array(path.utf8)), as: UTF8.self)
      }
      if withoutSlash(one.path) == withoutSlash(other.path) {
        found.append(.slash)
      } else {
        found.append(plain(one.path) == plain(other.path) ? .escapes : .path)
      }
    }
    return found
  }
}

/// The parts of an address in which it can differ from a redirect URI.
struct AddressParts {
  let scheme: String
  let host: String
  let port: String
  let path: String

  init?(_ text: String) {
    let (scheme, rest) = text.splitOnce(at: ":")
    guard let rest else { return nil }
    self.scheme = scheme.lowercased()
    guard rest.hasPrefix("//") else {
      (host, port, path) = ("", "", rest)
      return
    }
    let (authority, path) = rest.dropFirst(2).description.splitOnce(at: "/")
    self.path = path.map { "/" + $0 } ?? ""
    let name = PageAddress("https://\(authority)/").hostName.lowercased()
    host = name
    port = authority.hasPrefix(name) ? String(authority.dropFirst(name.count).drop { $0 == ":" }) : ""
  }

  /// The host, whichever name of this machine it has.
  var machine: String { ["localhost", "127.0.0.1", "[::1]"].contains(host) ? "localhost" : host }
}
