import LoginCore
import Testing

/// A signed token and the key that it was signed with.
struct Vector: Sendable, CustomTestStringConvertible {
  /// Where it is published.
  let source: String
  let algorithm: SignatureAlgorithm
  /// The key as a JWK.
  let key: JSONObject
  let token: String

  init(_ source: String, _ algorithm: SignatureAlgorithm, key: JSONObject, token: String) {
    self.source = source
    self.algorithm = algorithm
    self.key = key
    self.token = token
  }

  var testDescription: String { "\(source), \(algorithm.rawValue)" }

  /// The key; a symmetric one is read here, since the core takes none from a document.
  var verificationKey: VerificationKey? {
    if key["kty"] != "oct" { return JWK(key)?.key }
    return key["k"]?.string.flatMap { Base64.decodeURLSafe($0) }.map { .hmac(HMACKey($0)) }
  }
}
