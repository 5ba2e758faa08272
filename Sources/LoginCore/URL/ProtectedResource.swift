/// The address of an API for which tokens are issued (RFC 8707 section 2, RFC 9728 section 1.2): https, or plain http on
/// this machine.
package struct ProtectedResource: Sendable, Equatable, CustomStringConvertible {
  private let address: WebAddress

  /// Throws if the text is not such an address, or if web engines would rewrite it. The message continues "VALUE is …".
  package init(_ text: String) throws(Message) { address = try WebAddress(text) }

  /// The address without a slash at the end of its path, because some write it and others do not.
  package var description: String {
    let path = address.path.hasSuffix("/") ? String(address.path.dropLast()) : address.path
    return address.origin + path + (address.query.map { "?\($0)" } ?? "")
  }

  /// The address of the API exactly as it was written, for requests to it.
  var endpoint: Endpoint { get throws(Message) { try Endpoint(parsing: address.description) } }

  /// The usual addresses of the API's metadata: for its path, then for the whole server (RFC 9728 section 3.1).
  var metadataAddresses: [String] {
    let document = address.origin + "/.well-known/oauth-protected-resource"
    let own = document + description.dropFirst(address.origin.count)
    return own == document ? [document] : [own, document]
  }

  /// True if `other` is part of this API: at its path or below it, in whole segments, and with its query if this one has a
  /// query. RFC 9728 section 3.3 demands identical addresses, but many APIs are described for a path above or without the
  /// query with which they are used.
  func contains(_ other: ProtectedResource) -> Bool {
    guard let own = try? Destination(description), let others = try? Destination(other.description) else {
      return false
    }
    return own.includes(others)
  }
}

/// A place that tokens are sent to: a server, or a part of one in whole segments of its path.
///
/// A query is part of a place that has one (RFC 8707 section 2). A text that two programs could understand differently is
/// not a destination, and neither is plain http to another machine.
package struct Destination: Sendable, Equatable {
  /// Scheme, host and port.
  package let origin: String
  private let segments: [String]
  /// The query of the place, or nil if addresses with any query belong to it.
  private let query: String?

  /// The host without its port.
  var host: String {
    let authority = origin.startOfAuthority.map { origin[$0...] } ?? ""
    return String(authority.first == "[" ? authority.prefix { $0 != "]" } : authority.prefix { $0 != ":" })
  }

  /// Throws if web engines would rewrite the address, or if other programs could read its path in another way.
  package init(_ text: String) throws(Message) {
    let address = try WebAddress(text)
    var segments = address.path.parts(at: "/").dropFirst()
    guard segments.allSatisfy(Self.isUnambiguous) else {
      throw "a URL with a path that other programs could read in another way"
    }
    if segments.last?.isEmpty == true { segments.removeLast() }
    self.init(address.origin, Array(segments), address.query)
  }

  /// Proxies and servers in a row decode a path more than once.
  private static let maximumDecodings = 3

  /// True if the segment has one meaning, however often it is decoded. Escaped separators, controls and broken UTF-8
  /// (overlong forms of a dot) have more than one, and so have dots before a `;`, where some servers cut a segment.
  private static func isUnambiguous(_ segment: String) -> Bool {
    var text = segment
    for _ in 0...maximumDecodings {
      let scalars = text.unicodeScalars
      if scalars.contains(where: { $0.isControl || $0 == "/" || $0 == "\\" }) { return false }
      let name = scalars.prefix { $0 != ";" && $0 != "?" && $0 != "#" }
      // Windows ignores spaces after dots.
      if name.contains("."), name.allSatisfy({ $0 == "." || $0 == " " }) { return false }
      let bytes = PercentEncoding.decode(text, brokenEscapes: .kept) ?? []
      guard let decoded = String(validating: bytes, as: UTF8.self) else { return false }
      if decoded.isIdentical(to: text) { return true }
      text = decoded
    }
    return true
  }

  /// Creates the destination for a whole server.
  package init(_ origin: Origin) { self.init(origin.description, [], nil) }

  private init(_ origin: String, _ segments: [String], _ query: String?) {
    (self.origin, self.segments, self.query) = (origin, segments, query)
  }

  /// Returns the destinations for a host without a scheme: https, and plain http as well on this machine.
  package static func all(ofHost host: String) -> [Destination] {
    ["https", "http"].compactMap { scheme in (try? Origin("\(scheme)://\(host)")).map(Destination.init) }
  }

  /// Returns the destinations for a server, given as an address, or as a host with or without a path. A host and path
  /// that would not be valid with a scheme are not valid without one either.
  package static func all(ofServer server: String) -> [Destination] {
    if server.startOfAuthority != nil { return [try? Destination(server)].compactMap(\.self) }
    guard (try? Destination("https://\(server)")) != nil else { return [] }
    return all(ofHost: server.splitOnce(at: "/").0)
  }

  /// True if a token for this destination may be sent to `other`: its server is equal, its path is this one or
  /// below it, and its query is equal if this destination has one.
  package func includes(_ other: Destination) -> Bool {
    if let query, other.query.map(query.isIdentical) != true { return false }
    return origin.isIdentical(to: other.origin) && segments.count <= other.segments.count
      && zip(segments, other.segments).allSatisfy { $0.isIdentical(to: $1) }
  }
}
