/// The identifier of an authorization server: an https URL without query and fragment (RFC 8414 section 2),
/// compared byte for byte (RFC 9207 section 2.4).
public struct Issuer: Sendable, CustomStringConvertible {
  /// The identifier as the server writes it.
  public let description: String

  /// Refuses what RFC 8414 does not call an issuer.
  public init(_ text: String) throws(AddressFault) {
    let address = try WebAddress(text)
    if address.query != nil { throw .query }
    description = text
  }

  /// Whether a received identifier is this issuer: no normalisation, so no second spelling.
  func isIdentical(to received: String) -> Bool { description.isIdentical(to: received) }
}

extension Issuer: Equatable {
  public static func == (left: Issuer, right: Issuer) -> Bool { left.isIdentical(to: right.description) }
}
