import GnuTLSCrypto
@testable import LoginCore
import Testing

@Suite("Invalid keys and signatures")
struct GnuTLSVerificationTests {
  private let cryptography = GnuTLSCryptography()
  private let message = Array("message".utf8)

  private func verifies(
    _ signature: [UInt8], _ key: VerificationKey, _ algorithm: SignatureAlgorithm
  ) throws -> Bool {
    try cryptography.verify(signature, of: message, with: key, algorithm: algorithm)
  }

  /// Makes a key and its public half.
  private func newKey(
    _ algorithm: SignatureAlgorithm
  ) throws -> (private: GnuTLSSigningKey, public: VerificationKey) {
    let key = try GnuTLSSigningKey(generating: algorithm)
    return (key, try #require(JWK(key.publicKey)).key)
  }

  @Test(
    "A public key that is not a point of the curve verifies no signature",
    arguments: [SignatureAlgorithm.es256, .es384, .es512])
  func pointNotOnCurve(algorithm: SignatureAlgorithm) throws {
    let key = try newKey(algorithm)
    let signature = try key.private.sign(message)
    #expect(try verifies(signature, key.public, algorithm))
    let point = try #require(key.public.point)
    var y = point.y
    y[y.count - 1] ^= 1
    let other = try #require(ECPublicKey(curve: point.curve, x: point.x, y: y))
    #expect(try !verifies(signature, .ec(other), algorithm))
    let zero = [UInt8](repeating: 0, count: point.curve.coordinateSize)
    let origin = try #require(ECPublicKey(curve: point.curve, x: zero, y: zero))
    #expect(try !verifies(signature, .ec(origin), algorithm))
    let ones = [UInt8](repeating: 0xFF, count: point.curve.coordinateSize)
    let outside = try #require(ECPublicKey(curve: point.curve, x: ones, y: ones))
    #expect(try !verifies(signature, .ec(outside), algorithm))
  }

  @Test("An ECDSA signature with a trivial R or S is refused")
  func trivialSignatures() throws {
    let key = try newKey(.es256)
    // The order of the group of P-256 (FIPS 186-4, D.1.2.3).
    let order: [UInt8] =
      [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
      + [0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51]
    let zero = [UInt8](repeating: 0, count: 32)
    var one = zero, below = order
    one[31] = 1
    below[31] -= 1
    let trivial = [zero, one, below, order, [UInt8](repeating: 0xFF, count: 32)]
    for r in trivial { for s in trivial { #expect(try !verifies(r + s, key.public, .es256)) } }
  }

  @Test("R or S plus the order of the group is refused")
  func reducedModuloOrder() throws {
    let key = try newKey(.es512)
    let signature = try key.private.sign(message)
    // The order of the group of P-521 (FIPS 186-4, D.1.2.5). The sum still fits into 66 bytes.
    let order: [UInt8] =
      [0x01, 0xFF] + [UInt8](repeating: 0xFF, count: 30)
      + [0xFF, 0xFA, 0x51, 0x86, 0x87, 0x83, 0xBF, 0x2F, 0x96, 0x6B, 0x7F, 0xCC, 0x01, 0x48, 0xF7, 0x09]
      + [0xA5, 0xD0, 0x3B, 0xB5, 0xC9, 0xB8, 0x89, 0x9C, 0x47, 0xAE, 0xBB, 0x6F, 0xB7, 0x1E, 0x91, 0x38]
      + [0x64, 0x09]
    for start in [0, 66] {
      var larger = signature
      var carry = 0
      for index in order.indices.reversed() {
        let sum = Int(larger[start + index]) + Int(order[index]) + carry
        larger[start + index] = UInt8(sum & 0xFF)
        carry = sum >> 8
      }
      #expect(carry == 0)
      #expect(try !verifies(larger, key.public, .es512))
    }
  }

  @Test("An ECDSA signature in DER is refused")
  func derEncoded() throws {
    let key = try newKey(.es256)
    let signature = try key.private.sign(message)
    func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
      let digits = (bytes.first ?? 0) >= 0x80 ? [0] + bytes : Array(bytes)
      return [2, UInt8(digits.count)] + digits
    }
    let body = integer(signature[..<32]) + integer(signature[32...])
    let encoded = [0x30, UInt8(body.count)] + body
    let token = try JWS.sign(message, with: key.private)
    let parts = token.parts(at: ".")
    let jws = try JWS("\(parts[0]).\(parts[1]).\(Base64.encodeURLSafe(encoded))")
    #expect(try jws.payload(verifiedWith: key.public, cryptography) == nil)
    #expect(try !verifies(encoded, key.public, .es256))
  }

  @Test("An RSA signature is valid only with its own padding and digest")
  func otherPadding() throws {
    let algorithms: [SignatureAlgorithm] = [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]
    let key = try newKey(.rs256), pss = try newKey(.ps256)
    let signature = try key.private.sign(message), pssSignature = try pss.private.sign(message)
    for algorithm in algorithms {
      #expect(try verifies(signature, key.public, algorithm) == (algorithm == .rs256), "\(algorithm)")
      #expect(try verifies(pssSignature, pss.public, algorithm) == (algorithm == .ps256), "\(algorithm)")
    }
  }

  @Test("Trivial numbers are not valid RSA signatures")
  func trivialRSA() throws {
    let key = try newKey(.rs256)
    let numbers = try #require(key.public.numbers)
    var one = [UInt8](repeating: 0, count: 256)
    #expect(try !verifies(one, key.public, .rs256))
    one[255] = 1
    for algorithm in [SignatureAlgorithm.rs256, .ps256] {
      #expect(try !verifies(one, key.public, algorithm))
      #expect(try !verifies(numbers.modulus, key.public, algorithm))
      #expect(try !verifies([], key.public, algorithm))
      #expect(try !verifies([UInt8](repeating: 0xFF, count: 300), key.public, algorithm))
    }
  }

  @Test("Another modulus verifies no signature", arguments: [SignatureAlgorithm.rs256, .ps256])
  func otherModulus(algorithm: SignatureAlgorithm) throws {
    let key = try newKey(algorithm)
    let numbers = try #require(key.public.numbers)
    var modulus = numbers.modulus
    modulus[255] ^= 2
    let other = try #require(RSAPublicKey(modulus: modulus, exponent: numbers.exponent))
    #expect(try !verifies(try key.private.sign(message), .rsa(other), algorithm))
  }

  @Test("Invalid Ed25519 keys and signatures are refused")
  func noEd25519() throws {
    let key = try newKey(.edDSA)
    let signature = try key.private.sign(message)
    #expect(try verifies(signature, key.public, .edDSA))
    #expect(try !verifies([UInt8](repeating: 0, count: 64), key.public, .edDSA))
    let other = try #require(Ed25519PublicKey([UInt8](repeating: 0xFE, count: 32)))
    #expect(try !verifies(signature, .ed25519(other), .edDSA))
  }
}

extension VerificationKey {
  fileprivate var point: ECPublicKey? { if case .ec(let key) = self { key } else { nil } }
  fileprivate var numbers: RSAPublicKey? { if case .rsa(let key) = self { key } else { nil } }
}
