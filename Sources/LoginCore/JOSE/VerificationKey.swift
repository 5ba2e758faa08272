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
  init?(modulus: [UInt8], exponent: [UInt8]) {
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
  init?(curve: EllipticCurve, x: [UInt8], y: [UInt8]) {
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

  /// Returns nil unless there are 32 bytes that encode a point in the one way of RFC 8032, and the point is of the order of
  /// the group. Under a point of small order, a signature that anyone can make is valid for many messages.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
    var y = bytes
    y[31] &= 0x7F  // the highest bit is the sign of x
    let isReduced = y[0] < 0xED || y[31] != 0x7F || y[1..<31].contains { $0 != 0xFF }
    if !isReduced || Self.smallOrders.contains(y) { return nil }
  }

  /// The coordinates y of the eight points whose order is 1, 2, 4 or 8, little-endian. The two points of an
  /// order above 2 share their coordinate.
  private static let smallOrders: [[UInt8]] = [
    [1] + [UInt8](repeating: 0, count: 31),
    [0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
    [UInt8](repeating: 0, count: 32),
    [
      0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0,
      0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
    ],
    [
      0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F,
      0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
    ],
  ]
}

/// A key that both sides share. It does not print itself.
public struct HMACKey: Sendable, Equatable {
  /// The bytes of the key.
  public let bytes: [UInt8]

  /// Creates a key from its bytes.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Creates a key from the bytes of a client secret (OpenID Connect Core section 10.1).
  init(_ secret: ClientSecret) { self.init(Array(secret.revealed().utf8)) }

  /// Compares in a time that depends only on the lengths.
  public static func == (left: HMACKey, right: HMACKey) -> Bool {
    left.bytes.count == right.bytes.count && zip(left.bytes, right.bytes).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
  }
}

extension HMACKey: Redacted {}
