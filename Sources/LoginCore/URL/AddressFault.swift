/// Why a text is not an address that Tokentry would open, or wait for.
public enum AddressFault: Error, Sendable, Equatable {
  /// No scheme, or no host where the scheme needs one.
  case notAbsolute
  /// Plain http to a host other than this machine.
  case notHTTPS
  /// A scheme that no provider can redirect to, such as `javascript`.
  case forbiddenScheme(String)
  /// A fragment, which RFC 6749 sections 3.1 and 3.1.2 exclude.
  case fragment
  /// A query, which RFC 8414 section 2 excludes from an issuer.
  case query
  /// A path or a query where only scheme, host and port belong.
  case notAnOrigin
  /// A user name or password before the host.
  case credentials
  /// A character that has to be escaped, or a host that has to be written in punycode.
  case illegalCharacter
  /// A `.` or `..` in the path, which web engines resolve before anybody can compare it.
  case dotSegment
  /// A host that web engines would rewrite, such as `127.1`.
  case ambiguousHost
  /// An address on this machine or inside a network, which a server from elsewhere may not name.
  case notPublic
  /// A port that web engines refuse to connect to.
  case port
  /// A port that is no number from 1 to 65535.
  case portNumber
}
