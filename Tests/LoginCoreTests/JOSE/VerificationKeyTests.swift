import Testing

@testable import LoginCore

@Suite("VerificationKey")
struct VerificationKeyTests {
  private static func modulus(bits: Int) -> [UInt8] {
    let whole = [UInt8](repeating: 0xFF, count: bits / 8)
    return bits % 8 == 0 ? whole : [0xFF >> UInt8(8 - bits % 8)] + whole
  }

  @Test(
    "An RSA key has between 2048 and 16384 bits",
    arguments: [
      (1, false), (1_024, false), (2_047, false), (2_048, true), (4_096, true), (16_384, true),
      (16_385, false),
    ])
  func rsaLengths(bits: Int, isKey: Bool) {
    let key = RSAPublicKey(modulus: Self.modulus(bits: bits), exponent: [1, 0, 1])
    #expect((key != nil) == isKey)
  }

  @Test("An even modulus is refused")
  func rsaEven() {
    #expect(RSAPublicKey(modulus: Self.modulus(bits: 2_040) + [0xFE], exponent: [1, 0, 1]) == nil)
  }

  // CVE-2017-15361: the primes of such a key are k * M + 65537^a mod M, where M is the product of the first primes.
  @Test("A modulus with the weakness ROCA is refused, and a similar one without it is accepted")
  func rsaROCA() throws {
    let digits = Array(
      """
      9d9eb0d7d2be310676d08a16d43eb7f3389acfa38460516f37bc57b0b7b13f08f436263c6b0098391b9657\
      abe7bcae01af44832f90108e89dc765c5b2d73f64c779b01c758fe1ed157dd77f04d606cdb1c3921318fa5\
      aba6a7e12b6b4229af524063da7bce85f2eb962f409387496021ac3df062233614efeee105d2699cc572d5\
      3d582b486666527439d923ec16933eb539778a87b2e2bee998fd379153e4996a4a76f425364618da0db9a1\
      3244c7ac10a49bab94f45b3084669c5f6dee2ba77593e2ee9d5561e217f219c188c336e0a32143510384cc\
      4f1039d7c2d87023332592c0ce378d2558f6b8469e08a2debd6e0a2f7ca13dd6043a8c05b039dc14c9
      """.utf8)
    var modulus = stride(from: 0, to: digits.count, by: 2).compactMap { index in
      PercentEncoding.escapedByte(digits.span, at: index)
    }
    #expect(modulus.count == 256)
    #expect(RSAPublicKey(modulus: modulus, exponent: [1, 0, 1]) == nil)
    modulus[255] ^= 2
    #expect(RSAPublicKey(modulus: modulus, exponent: [1, 0, 1]) != nil)
  }

  @Test("Leading zeros do not change an RSA number")
  func rsaLeadingZeros() throws {
    let zeros = [UInt8](repeating: 0, count: 128)
    #expect(RSAPublicKey(modulus: zeros + Self.modulus(bits: 1_024), exponent: [1, 0, 1]) == nil)
    let key = try #require(RSAPublicKey(modulus: [0] + Self.modulus(bits: 2_048), exponent: [0, 1, 0, 1]))
    #expect(key.modulus == Self.modulus(bits: 2_048))
    #expect(key.exponent == [1, 0, 1])
  }

  @Test(
    "An exponent must be odd, greater than one, and at most 64 bits long",
    arguments: [
      ([], false), ([0], false), ([1], false), ([0, 1], false), ([2], false), ([1, 0, 0], false), ([3], true),
      ([1, 0, 1], true), ([UInt8](repeating: 0xFF, count: 8), true),
      ([UInt8](repeating: 0xFF, count: 9), false),
    ] as [([UInt8], Bool)])
  func rsaExponents(exponent: [UInt8], isKey: Bool) {
    #expect((RSAPublicKey(modulus: Self.modulus(bits: 2_048), exponent: exponent) != nil) == isKey)
  }

  @Test("Coordinates are exactly as long as the curve requires", arguments: EllipticCurve.allCases)
  func ecLengths(curve: EllipticCurve) {
    for x in -1...1 {
      for y in -1...1 {
        let key = ECPublicKey(
          curve: curve, x: [UInt8](repeating: 1, count: curve.coordinateSize + x),
          y: [UInt8](repeating: 1, count: curve.coordinateSize + y))
        #expect((key != nil) == (x == 0 && y == 0))
      }
    }
  }

  @Test("A key of Ed25519 has 32 bytes", arguments: [0, 31, 32, 33, 57])
  func ed25519Lengths(count: Int) {
    #expect((Ed25519PublicKey([UInt8](repeating: 1, count: count)) != nil) == (count == 32))
  }

  // The eight points of small order as libsodium and "Taming the Many EdDSAs" (table 1) list them, then the encodings of
  // them that RFC 8032 does not allow (y not reduced, or x = 0 with a sign), then other numbers that are not reduced.
  @Test(
    "A key of Ed25519 is no point of small order and has the one encoding of its point",
    arguments: [
      "0100000000000000000000000000000000000000000000000000000000000000",
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "0000000000000000000000000000000000000000000000000000000000000000",
      "0000000000000000000000000000000000000000000000000000000000000080",
      "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
      "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
      "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
      "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
      "0100000000000000000000000000000000000000000000000000000000000080",
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      "f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    ])
  func ed25519Points(hexadecimal: String) {
    let key = Self.bytes(hexadecimal)
    #expect(key.count == 32 && Ed25519PublicKey(key) == nil)
    #expect(Ed25519PublicKey([2] + key.dropFirst()) != nil)
  }

  @Test(
    "Keys of Ed25519 next to those are accepted",
    arguments: [
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",  // RFC 8032 section 7.1
      "ebffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7e",
    ])
  func ed25519Neighbours(hexadecimal: String) {
    #expect(Ed25519PublicKey(Self.bytes(hexadecimal)) != nil)
  }

  private static func bytes(_ hexadecimal: String) -> [UInt8] {
    stride(from: 0, to: 64, by: 2).compactMap { UInt8(hexadecimal.dropFirst($0).prefix(2), radix: 16) }
  }

  @Test("A key fits only algorithms of its kind", arguments: SignatureAlgorithm.allCases)
  func kinds(algorithm: SignatureAlgorithm) throws {
    let rsa = try #require(RSAPublicKey(modulus: Self.modulus(bits: 2_048), exponent: [3]))
    #expect(VerificationKey.rsa(rsa).fits(algorithm) == ["R", "P"].contains(algorithm.rawValue.prefix(1)))
    for curve in EllipticCurve.allCases {
      let coordinate = [UInt8](repeating: 1, count: curve.coordinateSize)
      let ec = try #require(ECPublicKey(curve: curve, x: coordinate, y: coordinate))
      #expect(VerificationKey.ec(ec).fits(algorithm) == (algorithm.scheme == .ecdsa(curve)))
    }
    let ed25519 = try #require(Ed25519PublicKey([UInt8](repeating: 1, count: 32)))
    #expect(VerificationKey.ed25519(ed25519).fits(algorithm) == (algorithm == .edDSA))
    let hmac = HMACKey([UInt8](repeating: 1, count: 64))
    #expect(VerificationKey.hmac(hmac).fits(algorithm) == algorithm.isSymmetric)
  }

  @Test(
    "A shared key is at least as long as the digest",
    arguments: [(SignatureAlgorithm.hs256, 32), (.hs384, 48), (.hs512, 64)])
  func hmacLengths(algorithm: SignatureAlgorithm, size: Int) {
    #expect(VerificationKey.hmac(HMACKey([UInt8](repeating: 1, count: size))).fits(algorithm))
    #expect(!VerificationKey.hmac(HMACKey([UInt8](repeating: 1, count: size - 1))).fits(algorithm))
    #expect(!VerificationKey.hmac(HMACKey([])).fits(algorithm))
  }

  @Test("A shared key does not print itself")
  func redacted() {
    let key = VerificationKey.hmac(HMACKey(ClientSecret("secret")))
    var dumped = ""
    dump(key, to: &dumped)
    for text in ["\(key)", String(reflecting: key), dumped] {
      #expect(!text.contains("115") && !text.contains("secret"), "\(text)")
    }
  }

  @Test("Shared keys are equal if all their bytes are")
  func equality() {
    #expect(HMACKey([1, 2]) == HMACKey([1, 2]))
    #expect(HMACKey([1, 2]) != HMACKey([1, 3]))
    #expect(HMACKey([1, 2]) != HMACKey([1]))
  }
}
