import GnuTLSCrypto
@testable import LoginCore
import Testing

@Suite("Signing with GnuTLS")
struct GnuTLSSigningKeyTests {
  private static let algorithms: [SignatureAlgorithm] = [.rs256, .ps256, .es256, .es384, .es512, .edDSA]
  private let cryptography = GnuTLSCryptography()

  @Test("A signature is verified with its key's public half and with no other", arguments: algorithms)
  func roundTrip(algorithm: SignatureAlgorithm) throws {
    let key = try GnuTLSSigningKey(generating: algorithm)
    let other = try GnuTLSSigningKey(generating: algorithm)
    #expect(key.algorithm == algorithm)
    let verifier = try #require(JWK(key.publicKey)), stranger = try #require(JWK(other.publicKey))
    #expect(verifier.fits(algorithm))
    // Enough rounds for an R or S that begins with a zero byte.
    for round in 0..<(algorithm.scheme == .rsaPKCS1 || algorithm.scheme == .rsaPSS ? 4 : 300) {
      let jws = try JWS(try JWS.sign("round \(round)".utf8, header: ["kid": "a"], with: key))
      #expect(jws.algorithm == algorithm)
      #expect(jws.keyID == "a")
      #expect(try jws.payload(verifiedWith: verifier.key, cryptography) == Array("round \(round)".utf8))
      #expect(try jws.payload(verifiedWith: stranger.key, cryptography) == nil)
    }
  }

  @Test("Coordinates keep their length if they begin with a zero byte")
  func coordinates() throws {
    for _ in 0..<300 {
      let key = try GnuTLSSigningKey(generating: .es256)
      let verifier = try #require(JWK(key.publicKey))
      let signature = try key.sign([1])
      #expect(try cryptography.verify(signature, of: [1], with: verifier.key, algorithm: .es256))
    }
  }

  @Test("The public half has only public members", arguments: algorithms)
  func publicMembers(algorithm: SignatureAlgorithm) throws {
    let key = try GnuTLSSigningKey(generating: algorithm)
    let names = Set(key.publicKey.map(\.name))
    switch algorithm.scheme {
    case .rsaPKCS1, .rsaPSS: #expect(names == ["alg", "use", "kty", "n", "e"])
    case .ecdsa: #expect(names == ["alg", "use", "kty", "crv", "x", "y"])
    case .edDSA: #expect(names == ["alg", "use", "kty", "crv", "x"])
    case .hmac: Issue.record("an HMAC key has no public half")
    }
  }

  @Test("HMAC keys are not generated", arguments: [SignatureAlgorithm.hs256, .hs512])
  func sharedKeys(algorithm: SignatureAlgorithm) {
    #expect(throws: Failure.self) { try GnuTLSSigningKey(generating: algorithm) }
  }

  // RFC 7518 section 6.2.2.
  @Test("A restored key is the same key")
  func kept() throws {
    for _ in 0..<100 {
      let key = try GnuTLSSigningKey(generating: .es256)
      let restored = try #require(try GnuTLSSigningKey(privateKey: key.privateKey()))
      #expect(restored.publicKey == key.publicKey)
      let jws = try JWS(try JWS.sign("x".utf8, with: restored))
      let verifier = try #require(JWK(key.publicKey))
      #expect(try jws.payload(verifiedWith: verifier.key, cryptography) == Array("x".utf8))
    }
  }

  @Test("A damaged key is not restored, and only keys of P-256 can be kept")
  func damaged() throws {
    let key = try GnuTLSSigningKey(generating: .es256).privateKey()
    let other = try GnuTLSSigningKey(generating: .es256).privateKey()
    for (name, value) in [("d", nil), ("d", JSONValue.string("AA")), ("x", other["x"]), ("kty", "RSA")] {
      var damaged = key
      damaged[name] = value
      #expect(try GnuTLSSigningKey(privateKey: damaged) == nil, "\(name)")
    }
    #expect(throws: Failure.self) { try GnuTLSSigningKey(generating: .edDSA).privateKey() }
  }
}
