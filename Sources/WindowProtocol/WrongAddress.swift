import LoginCore

extension NavigationPolicy {
  /// Returns the refusal of a web address that carries an answer and is almost the redirect URI: the one registered with
  /// the provider then differs from the one that the application names. Returns nil for any other address.
  package func nearMiss(_ uri: [UInt8]) -> PageRefusal? {
    guard uri[uri.endOfPath...].isAnswer else { return nil }
    return wrongAddress(uri, among: AddressParts.isNear)
  }

  /// True if a navigation to an address from which no page can come may be meant as the answer. Others start a program,
  /// such as the one with which the user proves who they are.
  package func mayBeMeant(_ uri: [UInt8]) -> Bool {
    if uri[uri.endOfPath...].isAnswer { return true }
    let scheme = uri.prefix { $0 != UInt8(ascii: ":") }.map(\.lowercased)
    return redirectTexts.contains {
      Array($0.utf8.prefix { $0 != UInt8(ascii: ":") }).map(\.lowercased) == scheme
    }
  }

  /// Returns the refusal of an address from which no page can come.
  package func refusal(of uri: [UInt8]) -> PageRefusal {
    wrongAddress(uri) { _, _ in true } ?? .address("", redirectURI: "")
  }

  /// The address without query and fragment, next to the redirect URI that it resembles most.
  private func wrongAddress(
    _ uri: [UInt8], among isCandidate: (AddressParts, AddressParts) -> Bool
  ) -> PageRefusal? {
    let text = String(decoding: uri[..<uri.endOfPath].prefix(2_000), as: UTF8.self).forDisplay(limit: 300)
    guard let parts = AddressParts(text) else { return nil }
    let candidates = redirectTexts.filter { redirect in
      AddressParts(redirect).map { isCandidate(parts, $0) } ?? false
    }
    let nearest = candidates.min {
      PageRefusal.differences(text, $0).count < PageRefusal.differences(text, $1).count
    }
    return nearest.map { .address(text, redirectURI: $0.forDisplay(limit: 300)) }
  }
}

extension [UInt8] {
  fileprivate var endOfPath: Int {
    firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? endIndex
  }
}

extension ArraySlice<UInt8> {
  /// True if a query or fragment has a parameter of an authorization response.
  fileprivate var isAnswer: Bool {
    split { "?#&".utf8.contains($0) }.contains { parameter in
      ["code=", "error=", "access_token=", "id_token=", "response="].contains {
        parameter.starts(with: $0.utf8)
      }
    }
  }
}

extension PageRefusal {
  /// A part in which an address differs from the redirect URI.
  package enum Difference: String, Sendable {
    case scheme, host, port, path
    /// The slash at the end alone.
    case slash
    /// Upper or lower case alone.
    case capitals
    /// Unnecessary percent-encoding alone.
    case escapes
  }

  package static func differences(_ one: String, _ other: String) -> [Difference] {
    if one.isIdentical(to: other) { return [] }
    if one.lowercased().isIdentical(to: other.lowercased()) { return [.capitals] }
    guard let one = AddressParts(one), let other = AddressParts(other) else { return [.scheme] }
    var found: [Difference] = []
    if one.scheme != other.scheme { found.append(.scheme) }
    if one.host != other.host { found.append(.host) }
    if one.port != other.port { found.append(.port) }
    if one.path != other.path {
      if one.path.withoutSlash == other.path.withoutSlash {
        found.append(.slash)
      } else {
        found.append(one.path.unescaped == other.path.unescaped ? .escapes : .path)
      }
    }
    return found
  }
}

/// The parts in which an address can differ from a redirect URI.
private struct AddressParts {
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

  /// True if two addresses have the same host and path, apart from names of this machine, case, escapes and a slash.
  static func isNear(_ one: AddressParts, _ other: AddressParts) -> Bool {
    one.machine == other.machine
      && one.path.unescaped.lowercased().withoutSlash == other.path.unescaped.lowercased().withoutSlash
  }

  /// The host; one name for all names of this machine.
  private var machine: String {
    ["localhost", "127.0.0.1", "[::1]"].contains(host) ? "localhost" : host
  }
}

extension String {
  fileprivate var withoutSlash: String { hasSuffix("/") ? String(dropLast()) : self }

  /// The path without unnecessary percent-encoding.
  fileprivate var unescaped: String {
    String(decoding: PercentEncoding.normalize(Array(utf8)), as: UTF8.self)
  }
}
