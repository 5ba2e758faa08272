import LoginCore

/// What signs the demo provider's id_tokens. `at_hash` is made with SHA-256, so the algorithm has to be one
/// of those that end in 256 (OpenID Connect Core section 3.2.2.10).
public protocol DemoSigner: Sendable {
  /// The algorithm's name (RFC 7518 section 3.1).
  var algorithm: String { get }
  /// The key that verifies the signatures, as a JWK with a `kid` (RFC 7517 section 4).
  var publicKey: JSONObject { get }
  /// Signs a JWS signing input (RFC 7515 section 5.1).
  func sign(_ bytes: [UInt8]) throws(Failure) -> [UInt8]
}
