/// An absolute http or https URL of which every web engine has the same understanding.
///
/// Whatever the URL Standard would rewrite is either written in the one form that it gives (letters of the
/// host, default port, missing path) or refused (dot segments, odd numbers, user names, backslashes).
package struct WebAddress: Sendable, Equatable {
  let scheme: String
  let host: String
  let port: UInt16?
  let path: String
  let query: String?

  package init(_ text: String) throws(AddressFault) { try self.init(URIParts(text)) }

  init(_ parts: URIParts) throws(AddressFault) {
    if parts.fragment != nil { throw .fragment }
    guard parts.scheme == "https" || parts.scheme == "http", let authority = parts.authority else {
      throw parts.authority == nil ? .notAbsolute : .notHTTPS
    }
    scheme = parts.scheme
    (host, port) = try Self.hostAndPort(authority, defaultPort: scheme == "https" ? 443 : 80)
    path = parts.path.isEmpty ? "/" : parts.path
    query = parts.query
    if query?.utf8.contains(UInt8(ascii: "'")) == true { throw .illegalCharacter }  // engines escape it there
    if scheme == "http", !isLoopback { throw .notHTTPS }
  }

  /// The same address with another query, which has been encoded.
  func with(query: String) -> WebAddress {
    WebAddress(scheme: scheme, host: host, port: port, path: path, query: query)
  }

  private init(scheme: String, host: String, port: UInt16?, path: String, query: String?) {
    (self.scheme, self.host, self.port, self.path, self.query) = (scheme, host, port, path, query)
  }

  /// Whether the host is this machine by a literal address or by the name `localhost`.
  var isLoopback: Bool {
    host == "localhost" || host == "[::1]" || (host.hasPrefix("127.") && Self.isCanonicalIPv4(host))
  }

  /// Scheme, host and port, as RFC 6454 section 6.2 writes them.
  var origin: String { "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "") }

  private static func hostAndPort(
    _ authority: String, defaultPort: UInt16
  ) throws(AddressFault) -> (String, UInt16?) {
    var host = authority[...]
    var port: UInt16?
    let afterAddress = authority.utf8.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
    if let colon = authority.utf8[afterAddress...].lastIndex(of: UInt8(ascii: ":")) {
      host = authority[..<colon]
      let digits = authority[authority.utf8.index(after: colon)...]
      if !digits.isEmpty {
        guard digits.utf8.allSatisfy(\.isDigit), let number = UInt16(digits), number > 0 else {
          throw .portNumber
        }
        if blockedPorts.contains(number) { throw .port }
        port = number == defaultPort ? nil : number
      }
    }
    let lowercased = host.lowercased()
    guard !lowercased.isEmpty else { throw .notAbsolute }
    try check(host: lowercased)
    return (lowercased, port)
  }

  private static func check(host: String) throws(AddressFault) {
    if host.hasPrefix("[") {
      let inside = String(host.dropFirst().dropLast())
      guard host.hasSuffix("]"), IPv6Address(inside)?.serialized == inside else { throw .ambiguousHost }
      return
    }
    guard host.utf8.allSatisfy({ $0.isLetter || $0.isDigit || "-._".utf8.contains($0) }) else {
      throw .illegalCharacter
    }
    let lastLabel = host.parts(at: ".").last { !$0.isEmpty } ?? ""
    let looksNumeric = lastLabel.hasPrefix("0x") || lastLabel.utf8.allSatisfy(\.isDigit)
    if looksNumeric, !isCanonicalIPv4(host) { throw .ambiguousHost }
  }

  static func isCanonicalIPv4(_ host: String) -> Bool {
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers.allSatisfy { UInt8($0).map(String.init) == String($0) }
  }

  /// The ports that the Fetch Standard (section 2.9, "bad port") never connects to.
  private static let blockedPorts: Set<UInt16> = [
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103,
    104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514,
    515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723,
    2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  ]
}

extension WebAddress: CustomStringConvertible {
  /// The URL as a web engine serialises it.
  package var description: String { origin + path + (query.map { "?\($0)" } ?? "") }
}
