/// A key of sufficient length for one kind of algorithm.
public enum VerificationKey: Sendable, Equatable {
  /// A key for RSASSA with either padding.
  case rsa(RSAPublicKey)
  /// A key for ECDSA.
  case ec(ECPublicKey)
  /// A key for EdDSA.
  case ed25519(Ed25519PublicKey)
  /// A key for HMAC.
  case hmac(HMACKey)

  /// True if the key has the kind and the length that the algorithm requires.
  func fits(_ algorithm: SignatureAlgorithm) -> Bool {
    switch (algorithm.scheme, self) {
    case (.rsaPKCS1, .rsa), (.rsaPSS, .rsa), (.edDSA, .ed25519): true
    case (.ecdsa(let curve), .ec(let key)): key.curve == curve
    case (.hmac, .hmac(let key)): key.bytes.count >= algorithm.digest.size  // RFC 7518 section 3.2
    default: false
    }
  }

  /// Returns the length of every signature of this key. For HMAC the algorithm decides it.
  func signatureSize(_ algorithm: SignatureAlgorithm) -> Int {
    switch self {
    case .rsa(let key): key.modulus.count
    case .ec(let key): 2 * key.curve.coordinateSize
    case .ed25519: 64
    case .hmac: algorithm.digest.size
    }
  }
}

/// An RSA key of at least 2048 bits (RFC 7518 section 3.3).
public struct RSAPublicKey: Sendable, Equatable {
  /// The modulus, big-endian, without leading zeros.
  public let modulus: [UInt8]
  /// The exponent, big-endian, without leading zeros.
  public let exponent: [UInt8]

  /// Longer keys would only keep the processor busy.
  private static let bits = 2_048...16_384

  /// Returns nil for a modulus that is too short, even, or known to be weak (ROCA), and for an exponent that real keys
  /// never have: even, one, or longer than 64 bits.
  package init?(modulus: [UInt8], exponent: [UInt8]) {
    // Some libraries write a zero before a number whose first bit is set (RFC 7518 section 6.3.1.1).
    self.modulus = Array(modulus.drop { $0 == 0 })
    self.exponent = Array(exponent.drop { $0 == 0 })
    guard let first = self.modulus.first,
      Self.bits.contains(self.modulus.count * 8 - first.leadingZeroBitCount), self.modulus.isOdd,
      self.exponent.isOdd, self.exponent != [1], self.exponent.count <= 8, !self.modulus.isROCA
    else { return nil }
  }
}

extension [UInt8] {
  /// True if the big-endian number is odd.
  fileprivate var isOdd: Bool { last.map { $0 & 1 == 1 } ?? false }

  /// True if the big-endian number looks like a modulus from a widespread smart card library whose private keys can be
  /// calculated (CVE-2017-15361): modulo every small prime it is a power of 65537. About one in several hundred million
  /// other moduli looks like this too.
  fileprivate var isROCA: Bool {
    let primes = [
      3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103,
      107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
    ]
    return primes.allSatisfy { prime in
      let remainder = reduce(0) { ($0 << 8 | Int($1)) % prime }
      var power = 1
      repeat {
        if power == remainder { return true }
        power = power * 65_537 % prime
      } while power != 1
      return false
    }
  }
}

/// A key for ECDSA. ``Cryptography`` checks that its point is on the curve.
public struct ECPublicKey: Sendable, Equatable {
  /// The curve.
  public let curve: EllipticCurve
  /// The first coordinate, in the length that the curve requires.
  public let x: [UInt8]
  /// The second coordinate, in the length that the curve requires.
  public let y: [UInt8]

  /// Returns nil if a coordinate has the wrong length (RFC 7518 section 6.2.1.2).
  package init?(curve: EllipticCurve, x: [UInt8], y: [UInt8]) {
    guard x.count == curve.coordinateSize, y.count == curve.coordinateSize else { return nil }
    self.curve = curve
    self.x = x
    self.y = y
  }
}

/// A key for Ed25519 (RFC 8032 section 5.1.5).
public struct Ed25519PublicKey: Sendable, Equatable {
  /// The 32 bytes of the key.
  public let bytes: [UInt8]

  /// Returns nil unless there are 32 bytes.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }
}

/// A key that both sides share. It does not print itself.
public struct HMACKey: Sendable, Equatable {
  /// The bytes of the key.
  public let bytes: [UInt8]

  /// Creates a key from its bytes.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Creates a key from the bytes of a client secret (OpenID Connect Core section 10.1).
  package init(_ secret: ClientSecret) { self.init(Array(secret.revealed().utf8)) }

  /// Compares in a time that depends only on the lengths.
  public static func == (left: HMACKey, right: HMACKey) -> Bool {
    left.bytes.count == right.bytes.count && zip(left.bytes, right.bytes).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
  }
}

extension HMACKey: Redacted {}
