extension WebAddress {
  /// From where a server can be asked, as far as its address says it.
  enum Zone: Int, Comparable {
    /// From everywhere, as every name is.
    case everywhere
    /// From inside of a network (RFC 1918, RFC 3927, RFC 4193, RFC 6598).
    case network
    /// From its own machine.
    case machine

    static func < (left: Zone, right: Zone) -> Bool { left.rawValue < right.rawValue }
  }

  /// Where its host is; other spellings of an address than the one of the URL Standard have been refused already.
  var zone: Zone {
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    if name == "localhost" || name.hasSuffix(".localhost") { return .machine }  // RFC 6761 section 6.3
    if host.hasPrefix("[") {
      return IPv6Address(String(host.dropFirst().dropLast()))?.zone ?? .everywhere
    }
    let numbers = host.split(separator: ".").compactMap { UInt8($0) }
    return Self.isCanonicalIPv4(host) ? Self.zone(ofIPv4: numbers[0], numbers[1]) : .everywhere
  }

  fileprivate static func zone(ofIPv4 first: UInt8, _ second: UInt8) -> Zone {
    switch (first, second) {
    case (0, _), (127, _): .machine
    case (10, _), (172, 16...31), (192, 168), (169, 254), (100, 64...127): .network
    default: .everywhere
    }
  }
}

extension IPv6Address {
  fileprivate var zone: WebAddress.Zone {
    func zone(ofIPv4 piece: UInt16) -> WebAddress.Zone {
      WebAddress.zone(ofIPv4: UInt8(piece >> 8), UInt8(piece & 0xFF))
    }
    switch (pieces[0], pieces[1]) {
    case (0, 0) where pieces[..<5].allSatisfy({ $0 == 0 }):
      // ::, ::1, and addresses of IPv4 in two older forms (RFC 4291 section 2.5.5)
      return pieces[5] == 0 && pieces[6] == 0 ? .machine : zone(ofIPv4: pieces[6])
    case (0x64, 0xFF9B): return zone(ofIPv4: pieces[6])  // translated (RFC 6052)
    case (0x2002, let piece): return zone(ofIPv4: piece)  // 6to4 (RFC 3056)
    case (0xFC00...0xFDFF, _), (0xFE80...0xFEFF, _): return .network
    default: return .everywhere
    }
  }
}

extension Endpoint {
  /// An endpoint that a server names: one that is nearer to this machine than the server itself would lead what is
  /// sent there to a program that the server knows nothing of, and over http for everybody to see.
  init(_ text: String, namedBy server: String) throws(AddressFault) {
    try self.init(text)
    if try WebAddress(text).zone > WebAddress(server).zone { throw .notPublic }
  }
}
