/// Where a token is wanted, or what it is meant for: a server, or a part of one in whole segments of its path.
///
/// What two programs could read in two ways is no destination, and neither is plain http to another machine.
package struct Destination: Sendable, Equatable {
  /// Scheme, host and port.
  package let origin: String
  private let segments: [String]

  /// The host alone, without its port.
  var host: String {
    let authority = origin.startOfAuthority.map { origin[$0...] } ?? ""
    return String(authority.first == "[" ? authority.prefix { $0 != "]" } : authority.prefix { $0 != ":" })
  }

  /// Refuses, beyond what a web engine would rewrite, separators that are hidden in an escape. A query is no part of it.
  package init(_ text: String) throws(AddressFault) {
    let address = try WebAddress(text)
    let escapes = address.path.parts(at: "%").dropFirst().map { $0.lowercased() }
    guard !escapes.contains(where: { $0.hasPrefix("2f") || $0.hasPrefix("5c") }) else {
      throw .illegalCharacter
    }
    var segments = address.path.parts(at: "/").dropFirst()
    if segments.last?.isEmpty == true { segments.removeLast() }
    self.init(address.origin, Array(segments))
  }

  /// The whole of a server.
  package init(_ origin: Origin) { self.init(origin.description, []) }

  private init(_ origin: String, _ segments: [String]) { (self.origin, self.segments) = (origin, segments) }

  /// The destinations that a host is that is given without a scheme: over https, and on this machine over http as well.
  package static func all(ofHost host: String) -> [Destination] {
    ["https", "http"].compactMap { scheme in (try? Origin("\(scheme)://\(host)")).map(Destination.init) }
  }

  /// The destinations that a server is: at an address, or at a host with or without a path. Whatever stands behind the
  /// host, what is no destination with a scheme is none without one.
  package static func all(ofServer server: String) -> [Destination] {
    if server.startOfAuthority != nil { return [try? Destination(server)].compactMap(\.self) }
    guard (try? Destination("https://\(server)")) != nil else { return [] }
    return all(ofHost: server.splitOnce(at: "/").0)
  }

  /// Whether what is meant for this is meant for `other` as well: the same server, at this path or below it.
  package func includes(_ other: Destination) -> Bool {
    origin.isIdentical(to: other.origin) && segments.count <= other.segments.count
      && zip(segments, other.segments).allSatisfy { $0.isIdentical(to: $1) }
  }
}
