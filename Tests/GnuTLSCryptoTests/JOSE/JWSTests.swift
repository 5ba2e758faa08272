import GnuTLSCrypto
@testable import LoginCore
import Testing

@Suite("Signatures published in RFCs")
struct JWSTests {
  private let cryptography = GnuTLSCryptography()

  @Test("The signature is verified and the payload returned", arguments: Vector.published)
  func verified(vector: Vector) throws {
    let jws = try JWS(vector.token)
    let key = try #require(vector.verificationKey)
    #expect(jws.algorithm == vector.algorithm)
    #expect(jws.keyID == nil || jws.keyID == vector.key["kid"]?.string)
    let payload = try #require(try jws.payload(verifiedWith: key, cryptography))
    #expect(vector.token.parts(at: ".")[1] == Base64.encodeURLSafe(payload))
  }

  @Test("A flipped bit in the payload or the signature is noticed", arguments: Vector.published)
  func flippedBits(vector: Vector) throws {
    let key = try #require(vector.verificationKey)
    let parts = vector.token.parts(at: ".")
    for part in 1...2 {
      let bytes = try #require(Base64.decodeURLSafe(parts[part]))
      for bit in stride(from: 0, to: bytes.count * 8, by: bytes.count > 100 ? 37 : 5) {
        var changed = bytes
        changed[bit / 8] ^= 1 << UInt8(bit % 8)
        var token = parts
        token[part] = Base64.encodeURLSafe(changed)
        let jws = try JWS(token.joined(separator: "."))
        #expect(try jws.payload(verifiedWith: key, cryptography) == nil, "part \(part), bit \(bit)")
      }
    }
  }

  @Test("The signing input is that of RFC 8037 appendix A.4")
  func sameInput() throws {
    let vector = try #require(Vector.published.last)
    let key = RecordingKey(signature: [1, 2, 3])
    let token = try JWS.sign("Example of Ed25519 signing".utf8, with: key)
    #expect(token.parts(at: ".").dropLast() == vector.token.parts(at: ".").dropLast())
    #expect(token.parts(at: ".").last == "AQID")
  }

  /// A key whose signature the test chooses.
  private struct RecordingKey: SigningKey {
    let algorithm = SignatureAlgorithm.edDSA
    let publicKey: JSONObject = [:]
    let signature: [UInt8]

    func sign(_ message: [UInt8]) throws(Failure) -> [UInt8] { signature }
    func privateKey() throws(Failure) -> JSONObject { [:] }
  }
}
