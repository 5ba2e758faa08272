/// An absolute http or https URL that every web engine understands in the same way.
///
/// The URL Standard would rewrite many URLs. Harmless differences (upper-case hosts, default ports, a missing path) are
/// written in the standard's form; the rest is refused (dot segments, odd numbers, user names, backslashes).
///
/// Parsers of addresses throw the clause that goes after "VALUE is …".
package struct WebAddress: Sendable, Equatable {
  let scheme: String
  package let host: String
  let port: UInt16?
  let path: String
  let query: String?

  package init(_ text: String) throws(Message) { try self.init(URIParts(text)) }

  init(_ parts: URIParts) throws(Message) {
    if parts.fragment != nil { throw .fragment }
    guard let authority = parts.authority else { throw .notAbsolute }
    guard parts.scheme == "https" || parts.scheme == "http" else { throw .notHTTPS }
    scheme = parts.scheme
    (host, port) = try Self.hostAndPort(authority, defaultPort: scheme == "https" ? 443 : 80)
    path = parts.path.isEmpty ? "/" : parts.path
    query = parts.query
    // Web engines escape an apostrophe in a query.
    if query?.utf8.contains(UInt8(ascii: "'")) == true { throw .illegalCharacter }
    if scheme == "http", !isLoopback { throw .notHTTPS }
  }

  /// Returns the address with another query, and perhaps another path, which must be encoded.
  func with(path: String? = nil, query: String?) -> WebAddress {
    WebAddress(scheme: scheme, host: host, port: port, path: path ?? self.path, query: query)
  }

  private init(scheme: String, host: String, port: UInt16?, path: String, query: String?) {
    (self.scheme, self.host, self.port, self.path, self.query) = (scheme, host, port, path, query)
  }

  /// True if the host is this machine, by a literal address or by the name `localhost`.
  private var isLoopback: Bool {
    host == "localhost" || host == "[::1]" || (host.hasPrefix("127.") && Self.isCanonicalIPv4(host))
  }

  /// Scheme, host and port (RFC 6454 section 6.2).
  var origin: String { "\(scheme)://\(authority)" }

  /// The host, with a port if the address has one.
  package var authority: String { host + (port.map { ":\($0)" } ?? "") }

  private static func hostAndPort(
    _ authority: String, defaultPort: UInt16
  ) throws(Message) -> (String, UInt16?) {
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
        if blockedPorts.contains(number) { throw "a URL with a port that browsers block" }
        port = number == defaultPort ? nil : number
      }
    }
    let lowercased = host.lowercased()
    guard !lowercased.isEmpty else { throw .notAbsolute }
    try check(host: lowercased)
    return (lowercased, port)
  }

  private static func check(host: String) throws(Message) {
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

  private static func isCanonicalIPv4(_ host: String) -> Bool {
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers.allSatisfy { UInt8($0).map(String.init) == String($0) }
  }

  /// The ports that web engines never connect to (Fetch Standard section 2.9, "bad port").
  private static let blockedPorts: Set<UInt16> = [
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103,
    104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514,
    515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723,
    2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  ]
}

extension WebAddress: CustomStringConvertible {
  /// The URL as a web engine writes it.
  package var description: String { origin + path + (query.map { "?\($0)" } ?? "") }
}

/// The clauses that several parsers of addresses throw.
extension Message {
  static let notAbsolute: Message = "not an absolute URL"
  static let notHTTPS: Message = "not https (plain http is for loopback addresses only)"
  static let fragment: Message = "a URL with a fragment"
  static let illegalCharacter: Message = "a URL with a character that must be escaped (in hosts: punycode)"
  static let ambiguousHost: Message = "a URL whose host is an IP address in an unusual form"
  static let portNumber: Message = "a URL whose port is not a number from 1 to 65535"
}

extension WebAddress {
  /// The places from which a server can be reached, as far as its address shows.
  package enum Zone: Int, Comparable, Sendable {
    /// Reachable from everywhere. Names count as this unless they are reserved for a network or a machine.
    case everywhere
    /// Reachable only from inside a network (the IANA registries of special-purpose addresses and domain names).
    case network
    /// Reachable only from its own machine.
    case machine

    package static func < (left: Zone, right: Zone) -> Bool { left.rawValue < right.rawValue }

    /// The zone of the 16 bytes of an IPv6 address, in which an IPv4 address is mapped.
    package init(address: [UInt8]) {
      let pieces = stride(from: 0, to: address.count - 1, by: 2).map { index in
        UInt16(address[index]) << 8 | UInt16(address[index + 1])
      }
      // Proxies on this machine may answer every name with an address in 198.18.0.0/15, which does not tell where the
      // host is.
      let isStandIn =
        pieces.prefix(6) == [0, 0, 0, 0, 0, 0xFFFF] && pieces.dropFirst(6).first.map { $0 & 0xFFFE } == 0xC612
      self = pieces.count == 8 && !isStandIn ? IPv6Address(pieces: pieces).zone : .everywhere
    }
  }

  /// The zone of the host. Unusual spellings of an address cannot occur here, because parsing refuses them.
  package var zone: Zone {
    if host.hasPrefix("[") {
      return IPv6Address(String(host.dropFirst().dropLast()))?.zone ?? .everywhere
    }
    if Self.isCanonicalIPv4(host) {
      let numbers = host.split(separator: ".").compactMap { UInt8($0) }
      return Self.zone(ofIPv4: numbers[0], numbers[1], numbers[2])
    }
    let labels = host.split(separator: ".").map(String.init)
    guard let last = labels.last else { return .everywhere }
    // RFC 6761 section 6.3, and the names that /etc/hosts has on Debian, Ubuntu, Fedora and Red Hat
    let isLocal = last.hasPrefix("localdomain")
    if Self.machineNames.contains(isLocal ? labels[0] : last) { return .machine }
    let isNetwork =
      isLocal || labels.count == 1 || Self.networkDomains.contains(last)
      || labels.suffix(2) == ["home", "arpa"]
    return isNetwork ? .network : .everywhere
  }

  private static let machineNames = [
    "localhost", "localhost4", "localhost6", "ip6-localhost", "ip6-loopback",
  ]
  /// RFC 6762 section 3 and appendix G, ICANN's resolution of 29 July 2024 on "internal", and the usual domain of /etc/hosts.
  private static let networkDomains = [
    "local", "internal", "intranet", "private", "corp", "home", "lan",
  ]

  fileprivate static func zone(ofIPv4 first: UInt8, _ second: UInt8, _ third: UInt8) -> Zone {
    switch (first, second, third) {
    case (0, _, _), (127, _, _): .machine
    case (10, _, _), (172, 16...31, _), (192, 168, _), (169, 254, _), (100, 64...127, _): .network
    case (192, 0, 0), (198, 18...19, _): .network  // RFC 6890, RFC 2544
    case (224..., _, _): .network  // multicast, reserved, broadcast
    default: .everywhere
    }
  }
}

extension IPv6Address {
  fileprivate var zone: WebAddress.Zone {
    func zone(ofIPv4 index: Int, inverted: Bool = false) -> WebAddress.Zone {
      let (high, low) = inverted ? (~pieces[index], ~pieces[index + 1]) : (pieces[index], pieces[index + 1])
      return WebAddress.zone(ofIPv4: UInt8(high >> 8), UInt8(high & 0xFF), UInt8(low >> 8))
    }
    switch (pieces[0], pieces[1]) {
    case (0, 0) where pieces[..<6].allSatisfy({ $0 == 0 }):
      // ::, ::1, and IPv4 addresses in an older form (RFC 4291 section 2.5.5.1)
      return pieces[6] == 0 ? .machine : zone(ofIPv4: 6)
    case (0, 0) where pieces[2..<6] == [0, 0, 0, 0xFFFF] || pieces[2..<6] == [0, 0, 0xFFFF, 0]:
      return zone(ofIPv4: 6)  // mapped (RFC 4291 section 2.5.5.2) and translated (RFC 2765 section 2.1)
    case (0x64, 0xFF9B): return zone(ofIPv4: 6)  // translated (RFC 6052, RFC 8215)
    case (0x2002, _): return zone(ofIPv4: 1)  // 6to4 (RFC 3056)
    case (0x2001, 0): return max(zone(ofIPv4: 2), zone(ofIPv4: 6, inverted: true))  // Teredo (RFC 4380)
    case (0xFF00...0xFFFF, _): return pieces[0] & 0xF == 1 ? .machine : .network  // multicast (RFC 4291)
    case (0xFC00...0xFDFF, _), (0xFE80...0xFEFF, _), (0x100, 0): return .network  // RFC 4193, 4291, 6666
    default: return .everywhere
    }
  }
}
