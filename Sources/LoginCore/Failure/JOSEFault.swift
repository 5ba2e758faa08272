/// Why a text is not a JWS that can be believed.
public enum JOSEFault: Error, Sendable, Equatable {
  /// Five parts: a JWE, which nobody here has a key for.
  case encrypted
  /// Not the three parts of the compact serialization.
  case notThreeParts
  /// A part is not base64url as RFC 7515 section 2 defines it.
  case notBase64URL
  /// The header is no JSON object, has a member of the wrong type, or demands an extension (RFC 7515 section 4.1.11).
  case malformedHeader, criticalHeader
  /// No known signature algorithm, or none at all.
  case unsupportedAlgorithm(String)
  /// No key of the set fits: the provider may have changed its keys since the set was read.
  case unknownKey
  /// More than one key of the set fits.
  case ambiguousKey
  /// The signature is not that of the key.
  case wrongSignature
}
