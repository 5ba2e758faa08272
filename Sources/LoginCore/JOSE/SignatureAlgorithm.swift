/// The algorithms of a JWS (RFC 7518 section 3.1, RFC 8037 section 3.1).
///
/// `none` is left out, so that an unsigned token cannot pass for a signed one.
public enum SignatureAlgorithm: String, Sendable, CaseIterable {
  /// RSASSA-PKCS1-v1_5 with SHA-2.
  case rs256 = "RS256", rs384 = "RS384", rs512 = "RS512"
  /// RSASSA-PSS with SHA-2.
  case ps256 = "PS256", ps384 = "PS384", ps512 = "PS512"
  /// ECDSA with SHA-2, on P-256, P-384 and P-521.
  case es256 = "ES256", es384 = "ES384", es512 = "ES512"
  /// Ed25519.
  case edDSA = "EdDSA"
  /// HMAC with SHA-2.
  case hs256 = "HS256", hs384 = "HS384", hs512 = "HS512"

  /// A kind of signature.
  public enum Scheme: Sendable, Equatable {
    /// RSASSA-PKCS1-v1_5 (RFC 7518 section 3.3).
    case rsaPKCS1
    /// RSASSA-PSS with a salt as long as the digest (RFC 7518 section 3.5).
    case rsaPSS
    /// ECDSA on the algorithm's own curve (RFC 7518 section 3.4).
    case ecdsa(EllipticCurve)
    /// Ed25519 (RFC 8037 section 3.1).
    case edDSA
    /// HMAC (RFC 7518 section 3.2).
    case hmac
  }

  /// The kind of signature that the algorithm makes.
  public var scheme: Scheme {
    switch self {
    case .rs256, .rs384, .rs512: .rsaPKCS1
    case .ps256, .ps384, .ps512: .rsaPSS
    case .es256: .ecdsa(.p256)
    case .es384: .ecdsa(.p384)
    case .es512: .ecdsa(.p521)
    case .edDSA: .edDSA
    case .hs256, .hs384, .hs512: .hmac
    }
  }

  /// The digest that is signed. For EdDSA it is the digest inside Ed25519, which `at_hash` uses too.
  public var digest: DigestAlgorithm {
    switch self {
    case .rs256, .ps256, .es256, .hs256: .sha256
    case .rs384, .ps384, .es384, .hs384: .sha384
    case .rs512, .ps512, .es512, .hs512, .edDSA: .sha512
    }
  }

  /// True if the key that verifies can also sign.
  var isSymmetric: Bool { scheme == .hmac }
}

extension SignatureAlgorithm {
  /// The algorithms whose signatures are verified with a published key.
  package static let asymmetric = allCases.filter { !$0.isSymmetric }

  /// Returns the algorithms with which a provider may sign: those of `id_token_signing_alg_values_supported` that are known
  /// here, or else all that need no shared secret. HMAC is allowed only if the provider names it, because the secret of an
  /// application that anyone can download proves little.
  static func allowed(byProvider names: [String]?) -> [SignatureAlgorithm] {
    guard let names else { return asymmetric }
    return allCases.filter { algorithm in names.contains { $0.isIdentical(to: algorithm.rawValue) } }
  }
}

/// The curves of ECDSA in JOSE (RFC 7518 section 6.2.1.1).
public enum EllipticCurve: String, Sendable, CaseIterable {
  /// The NIST curve with this number of bits.
  case p256 = "P-256", p384 = "P-384", p521 = "P-521"

  /// The length of a coordinate in bytes.
  package var coordinateSize: Int {
    switch self {
    case .p256: 32
    case .p384: 48
    case .p521: 66
    }
  }
}
