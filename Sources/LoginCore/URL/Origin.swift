/// Scheme, host and port of a web server (RFC 6454), https or on this machine.
package struct Origin: Sendable, Equatable, CustomStringConvertible {
  /// The origin as RFC 6454 section 6.2 writes it.
  package let description: String

  /// Refuses an address with more than an origin in it.
  package init(_ text: String) throws(AddressFault) {
    let address = try WebAddress(text)
    guard address.path == "/", address.query == nil else { throw .notAnOrigin }
    description = address.origin
  }
}
