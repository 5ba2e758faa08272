/// The random bytes and digests that every login needs.
///
/// This is enough for a login with PKCE and without an id_token. An id_token, a token that is bound to a key and a client
/// with a key also need ``signatures``; without them, such a login fails with a ``Failure`` that says so.
public protocol Cryptography: Sendable {
  /// Returns unpredictable bytes.
  func randomBytes(_ count: Int) throws(Failure) -> [UInt8]
  /// Returns a digest of FIPS 180-4.
  func digest(_ algorithm: DigestAlgorithm, of bytes: [UInt8]) throws(Failure) -> [UInt8]
  /// The signatures. nil if the program does not implement them.
  var signatures: (any SignatureCryptography)? { get }
}

extension Cryptography {
  /// The default is nil.
  public var signatures: (any SignatureCryptography)? { nil }

  /// Returns the signatures for a login that needs them.
  package func neededSignatures() throws(Failure) -> any SignatureCryptography {
    guard let signatures else { throw .noSignatures }
    return signatures
  }
}

extension Failure {
  /// The login needs signatures, and ``Cryptography/signatures`` is nil.
  static let noSignatures = Failure(
    .invalidConfiguration,
    "this login needs signatures, which the program's cryptography does not have",
    hint: "implement Cryptography.signatures")
}

/// Verifies id_tokens, and signs proofs of possession and the assertions of clients with a key.
public protocol SignatureCryptography: Sendable {
  /// Returns true if a signature in the form of RFC 7518 belongs to the message and the key. Returns false for an invalid
  /// key, such as a point that is not on its curve.
  ///
  /// The caller has already checked that the algorithm fits the key and that the signature has the right length.
  func verify(
    _ signature: [UInt8], of message: [UInt8], with key: VerificationKey, algorithm: SignatureAlgorithm
  ) throws(Failure) -> Bool
  /// Returns a new key for proofs of possession. It is for ES256, which every server that takes such proofs supports.
  func newProofKey() throws(Failure) -> any SigningKey
  /// Returns the key that ``SigningKey/privateKey()`` wrote, or nil if the JWK is not a private key for ES256.
  func proofKey(_ jwk: JSONObject) throws(Failure) -> (any SigningKey)?
  /// Returns the private key with which a client signs its assertions, from PEM or a JWK. Returns nil if the text has no such
  /// key, or if the key is weak or does not fit its `alg`.
  func clientKey(_ text: String) throws(Failure) -> (any SigningKey)?
}

/// A private key. It is exported only to keep it with the tokens that are bound to it.
public protocol SigningKey: Sendable {
  /// The algorithm of its signatures.
  var algorithm: SignatureAlgorithm { get }
  /// The public half as a JWK (RFC 7517).
  var publicKey: JSONObject { get }
  /// Returns the key as a JWK, with its private member.
  func privateKey() throws(Failure) -> JSONObject
  /// Returns the signature of a message in the form of RFC 7518.
  func sign(_ message: [UInt8]) throws(Failure) -> [UInt8]
}

/// The digests of FIPS 180-4 that JOSE uses.
public enum DigestAlgorithm: Sendable, CaseIterable {
  /// SHA-2 with this number of bits.
  case sha256, sha384, sha512

  /// The length of a digest in bytes.
  package var size: Int {
    switch self {
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }
}
