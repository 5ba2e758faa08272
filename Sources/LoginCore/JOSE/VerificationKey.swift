/// A key that is long enough to be believed, for one kind of algorithm.
public enum VerificationKey: Sendable, Equatable {
  /// RSASSA, of either padding.
  case rsa(RSAPublicKey)
  /// ECDSA.
  case ec(ECPublicKey)
  /// EdDSA.
  case ed25519(Ed25519PublicKey)
  /// HMAC.
  case hmac(HMACKey)

  /// Whether the key is of the kind and the length that the algorithm demands.
  func fits(_ algorithm: SignatureAlgorithm) -> Bool {
    switch (algorithm.scheme, self) {
    case (.rsaPKCS1, .rsa), (.rsaPSS, .rsa), (.edDSA, .ed25519): true
    case (.ecdsa(let curve), .ec(let key)): key.curve == curve
    case (.hmac, .hmac(let key)): key.bytes.count >= algorithm.digest.size  // RFC 7518 section 3.2
    default: false
    }
  }

  /// The length that every signature of this key has; for HMAC that is a matter of the algorithm.
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

  /// A longer key would only keep the processor busy.
  private static let bits = 2_048...16_384

  /// Nothing for a key that is too short, that is even, that everybody can calculate the private one from, or whose
  /// exponent nobody uses: even, one, or longer than 64 bits.
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
  /// Whether a big-endian number is odd.
  fileprivate var isOdd: Bool { last.map { $0 & 1 == 1 } ?? false }

  /// Whether a big-endian number is a modulus as a widespread library of smart cards made them (CVE-2017-15361): modulo
  /// every small prime it is a power of 65537. Of others that is true for one in some hundred million.
  fileprivate var isROCA: Bool {
    let primes = [
      3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103,
      107,
      109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
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

/// A key of ECDSA. Whether its point is on the curve is found out by whoever calculates with it.
public struct ECPublicKey: Sendable, Equatable {
  /// The curve.
  public let curve: EllipticCurve
  /// The first coordinate, as long as the curve demands.
  public let x: [UInt8]
  /// The second coordinate, as long as the curve demands.
  public let y: [UInt8]

  /// Nothing for coordinates of another length (RFC 7518 section 6.2.1.2).
  package init?(curve: EllipticCurve, x: [UInt8], y: [UInt8]) {
    guard x.count == curve.coordinateSize, y.count == curve.coordinateSize else { return nil }
    self.curve = curve
    self.x = x
    self.y = y
  }
}

/// A key of Ed25519 (RFC 8032 section 5.1.5).
public struct Ed25519PublicKey: Sendable, Equatable {
  /// The 32 bytes of the key.
  public let bytes: [UInt8]

  /// Nothing for another length.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }
}

/// A key that both sides share; it does not print itself.
public struct HMACKey: Sendable, Equatable {
  /// The key itself.
  public let bytes: [UInt8]

  /// A key as it is.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The octets of a client secret (OpenID Connect Core section 10.1).
  package init(_ secret: ClientSecret) { self.init(Array(secret.revealed().utf8)) }

  /// The time this takes depends on the lengths alone.
  public static func == (left: HMACKey, right: HMACKey) -> Bool {
    left.bytes.count == right.bytes.count && zip(left.bytes, right.bytes).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
  }
}

extension HMACKey: Redacted {}
