import Testing

@testable import LoginCore

@Suite("SignatureAlgorithm")
struct SignatureAlgorithmTests {
  @Test(
    "none is not an algorithm in any spelling",
    arguments: ["none", "None", "NONE", "nOnE", "", "rs256", "RS256 "])
  func none(name: String) {
    #expect(SignatureAlgorithm(rawValue: name) == nil)
    #expect(SignatureAlgorithm.allowed(byProvider: [name]) == [])
  }

  @Test("The number in the name is the size of the digest", arguments: SignatureAlgorithm.allCases)
  func digest(algorithm: SignatureAlgorithm) {
    let bits = algorithm == .edDSA ? "512" : String(algorithm.rawValue.suffix(3))
    #expect(String(algorithm.digest.size * 8) == bits)
  }

  @Test("Each algorithm of ECDSA has its own curve")
  func curves() {
    #expect(SignatureAlgorithm.es256.scheme == .ecdsa(.p256))
    #expect(SignatureAlgorithm.es384.scheme == .ecdsa(.p384))
    #expect(SignatureAlgorithm.es512.scheme == .ecdsa(.p521))
    #expect(EllipticCurve.allCases.map(\.coordinateSize) == [32, 48, 66])
  }

  @Test("A provider that names no algorithms may use all but the symmetric ones")
  func allowedByDefault() {
    let allowed = SignatureAlgorithm.allowed(byProvider: nil)
    #expect(allowed.count == 10)
    #expect(allowed.contains { $0 == .rs256 } && allowed.contains { $0 == .edDSA })
    #expect(!allowed.contains { $0.isSymmetric })
  }

  @Test("A provider that names algorithms may use only those")
  func allowedByProvider() {
    let names = ["none", "RS256", "HS256", "ES256K", "rs512"]
    #expect(SignatureAlgorithm.allowed(byProvider: names) == [.rs256, .hs256])
    #expect(SignatureAlgorithm.allowed(byProvider: []) == [])
  }
}
