import Testing

@testable import LoginCore

/// The algorithms of RFC 7518 and what each of them means.
@Suite("SignatureAlgorithm")
struct SignatureAlgorithmTests {
  @Test(
    "no spelling of none is an algorithm", arguments: ["none", "None", "NONE", "nOnE", "", "rs256", "RS256 "])
  func none(name: String) {
    #expect(SignatureAlgorithm(rawValue: name) == nil)
    #expect(SignatureAlgorithm.allowed(byProvider: [name]) == [])
  }

  @Test("the number in the name is that of the digest", arguments: SignatureAlgorithm.allCases)
  func digest(algorithm: SignatureAlgorithm) {
    let bits = algorithm == .edDSA ? "512" : String(algorithm.rawValue.suffix(3))
    #expect(String(algorithm.digest.size * 8) == bits)
  }

  @Test("an algorithm of ECDSA has one curve")
  func curves() {
    #expect(SignatureAlgorithm.es256.scheme == .ecdsa(.p256))
    #expect(SignatureAlgorithm.es384.scheme == .ecdsa(.p384))
    #expect(SignatureAlgorithm.es512.scheme == .ecdsa(.p521))
    #expect(EllipticCurve.allCases.map(\.coordinateSize) == [32, 48, 66])
  }

  @Test("a provider that says nothing may sign with every key that it publishes, and with no secret")
  func allowedByDefault() {
    let allowed = SignatureAlgorithm.allowed(byProvider: nil)
    #expect(allowed.count == 10)
    #expect(allowed.contains { $0 == .rs256 } && allowed.contains { $0 == .edDSA })
    #expect(!allowed.contains { $0.isSymmetric })
  }

  @Test("a provider that says something may sign with that alone")
  func allowedByProvider() {
    let names = ["none", "RS256", "HS256", "ES256K", "rs512"]
    #expect(SignatureAlgorithm.allowed(byProvider: names) == [.rs256, .hs256])
    #expect(SignatureAlgorithm.allowed(byProvider: []) == [])
  }
}
