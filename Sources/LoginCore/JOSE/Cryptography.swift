/// The random bytes, digests and signatures that a login needs.
public protocol Cryptography: Sendable {
  /// Bytes that nobody can predict.
  func randomBytes(_ count: Int) throws(Failure) -> [UInt8]
  /// A digest of FIPS 180-4.
  func digest(_ algorithm: DigestAlgorithm, of bytes: [UInt8]) throws(Failure) -> [UInt8]
  /// Whether a signature in the form of RFC 7518 is that of the message; ``JWS`` has compared the algorithm
  /// with the key and the length of the signature before. A key that is no key, such as a point that is not
  /// on its curve, has made no signature.
  func verify(
    _ signature: [UInt8], of message: [UInt8], with key: VerificationKey, algorithm: SignatureAlgorithm
  ) throws(Failure) -> Bool
  /// A new key for proofs of possession, of ES256, which every server with such proofs knows.
  func newProofKey() throws(Failure) -> any SigningKey
  /// The key that ``SigningKey/privateKey()`` wrote; nothing if that is no key of ES256.
  func proofKey(_ jwk: JSONObject) throws(Failure) -> (any SigningKey)?
}

/// A private key, which leaves its adapter only to be kept with the tokens that are bound to it.
public protocol SigningKey: Sendable {
  /// What it signs with.
  var algorithm: SignatureAlgorithm { get }
  /// The public half as a JWK (RFC 7517).
  var publicKey: JSONObject { get }
  /// The key with its private member as a JWK.
  func privateKey() throws(Failure) -> JSONObject
  /// The signature of a message in the form of RFC 7518.
  func sign(_ message: [UInt8]) throws(Failure) -> [UInt8]
}
