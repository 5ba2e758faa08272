import GnuTLSCrypto
import LoginCore
import Testing

/// Keys made here, and what they sign.
@Suite("Signing with GnuTLS")
struct GnuTLSSigningKeyTests {
  private static let algorithms: [SignatureAlgorithm] = [.rs256, .ps256, .es256, .es384, .es512, .edDSA]
  private let cryptography = GnuTLSCryptography()

  @Test("what a key signs is verified with its public half, and with no other", arguments: algorithms)
  func roundTrip(algorithm: SignatureAlgorithm) throws {
    let key = try GnuTLSSigningKey(generating: algorithm)
    let other = try GnuTLSSigningKey(generating: algorithm)
    #expect(key.algorithm == algorithm)
    let verifier = try #require(JWK(key.publicKey)), stranger = try #require(JWK(other.publicKey))
    #expect(verifier.fits(algorithm))
    // Often enough that a coordinate, R or S begins with a zero.
    for round in 0..<(algorithm.scheme == .rsaPKCS1 || algorithm.scheme == .rsaPSS ? 4 : 300) {
      let jws = try JWS(try JWS.sign("round \(round)".utf8, header: ["kid": "a"], with: key))
      #expect(jws.algorithm == algorithm)
      #expect(jws.keyID == "a")
      #expect(try jws.payload(verifiedWith: verifier.key, cryptography) == Array("round \(round)".utf8))
      #expect(try jws.payload(verifiedWith: stranger.key, cryptography) == nil)
    }
  }

  @Test("coordinates keep their length whatever they begin with")
  func coordinates() throws {
    for _ in 0..<300 {
      let key = try GnuTLSSigningKey(generating: .es256)
      let verifier = try #require(JWK(key.publicKey))
      let signature = try key.sign([1])
      #expect(try cryptography.verify(signature, of: [1], with: verifier.key, algorithm: .es256))
    }
  }

  @Test("the public half has the public members and no other", arguments: algorithms)
  func publicMembers(algorithm: SignatureAlgorithm) throws {
    let key = try GnuTLSSigningKey(generating: algorithm)
    let names = Set(key.publicKey.map(\.name))
    switch algorithm.scheme {
    case .rsaPKCS1, .rsaPSS: #expect(names == ["alg", "use", "kty", "n", "e"])
    case .ecdsa: #expect(names == ["alg", "use", "kty", "crv", "x", "y"])
    case .edDSA: #expect(names == ["alg", "use", "kty", "crv", "x"])
    case .hmac: Issue.record("no public key")
    }
  }

  @Test("no shared key is made", arguments: [SignatureAlgorithm.hs256, .hs512])
  func sharedKeys(algorithm: SignatureAlgorithm) {
    #expect(throws: Failure.self) { try GnuTLSSigningKey(generating: algorithm) }
  }

  // RFC 7518 section 6.2.2.
  @Test("a key that was kept signs as before")
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

  @Test("what is no key is not read")
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
