/// Why a text is not a JWS that can be believed.
public enum JOSEFault: Error, Sendable, Equatable {
  /// Five parts: a JWE, which nobody here has a key for.
  case encrypted
  /// Not the three parts of the compact serialization.
  case notThreeParts
  /// A part is not base64url as RFC 7515 section 2 defines it.
  case notBase64URL
  /// The header is no JSON object, or has a member of the wrong type.
  case malformedHeader
  /// The header demands an extension (RFC 7515 section 4.1.11).
  case criticalHeader
  /// No known signature algorithm, or none at all.
  case unsupportedAlgorithm(String)
  /// No key of the set fits: the provider may have changed its keys since the set was read.
  case unknownKey
  /// More than one key of the set fits.
  case ambiguousKey
  /// The signature is not that of the key.
  case wrongSignature
}

extension JOSEFault: CustomStringConvertible {
  /// The reason for a person.
  public var description: String {
    switch self {
    case .encrypted: "it is encrypted, which was not asked for"
    case .notThreeParts: "it does not have three parts"
    case .notBase64URL: "a part of it is not base64url"
    case .malformedHeader: "its header is malformed"
    case .criticalHeader: "its header demands an extension"
    case .unsupportedAlgorithm(let name): "it is signed with \"\(name.forDisplay(limit: 60))\""
    case .unknownKey: "it is signed with a key that the provider does not publish"
    case .ambiguousKey: "more than one of the provider's keys may have signed it"
    case .wrongSignature: "its signature is wrong"
    }
  }
}
