import GnuTLSCrypto
@testable import LoginCore
import TestSupport
import Testing

@Suite("id_tokens with real signatures")
struct IDTokenVerifierTests {
  private static let issuer = "https://as.test"
  private static let nonce = "n-0S6_WzA2Mj"
  private let cryptography = GnuTLSCryptography()

  private func claims(_ members: JSONObject = [:]) -> JSONObject {
    var claims: JSONObject = [
      "iss": .string(Self.issuer), "sub": "24400320", "aud": "client", "exp": 1_700_000_600,
      "iat": 1_700_000_000, "nonce": .string(Self.nonce),
    ]
    for member in members { claims[member.name] = member.value }
    return claims
  }

  private func verifier(
    secret: String? = nil, algorithms: [SignatureAlgorithm] = SignatureAlgorithm.allCases
  ) throws -> IDTokenVerifier {
    IDTokenVerifier(
      issuer: try Issuer(Self.issuer), clientID: "client", clientSecret: secret.map { ClientSecret($0) },
      algorithms: algorithms, cryptography: cryptography)
  }

  private func verify(
    _ text: String, _ keys: JWKSet, by verifier: IDTokenVerifier, token: String? = nil, code: String? = nil
  ) throws -> IDToken {
    let now = try #require(UTCDate(secondsSince1970: 1_700_000_000))
    return try verifier.verify(
      text, keys: keys,
      binding: IDTokenBinding(
        channel: token == nil && code == nil ? .back : .front, nonce: Nonce(Self.nonce),
        accessToken: token.map { AccessToken($0) }, code: code.map { AuthorizationCode($0) }),
      at: now)
  }

  /// The key set that a provider with these keys publishes.
  private func set(_ keys: [String: GnuTLSSigningKey]) throws -> JWKSet {
    let members = keys.map { name, key in
      var member = key.publicKey
      member["kid"] = .string(name)
      return JSONValue.object(member)
    }
    let document: JSONObject = ["keys": .array(members)]
    return try JWKSet(body: Array(document.text.utf8))
  }

  @Test(
    "A token signed with one of several published keys is accepted",
    arguments: [SignatureAlgorithm.rs256, .ps256, .es256, .es384, .edDSA])
  func accepted(algorithm: SignatureAlgorithm) throws {
    let key = try GnuTLSSigningKey(generating: algorithm)
    let keys = try set(["a": key, "b": GnuTLSSigningKey(generating: .es256)])
    let text = try JWS.sign(claims().text.utf8, header: ["kid": "a"], with: key)
    #expect(try verify(text, keys, by: verifier()).subject == "24400320")
    let mislabelled = try JWS.sign(claims().text.utf8, header: ["kid": "b"], with: key)
    #expect(throws: Failure.self) { try verify(mislabelled, keys, by: verifier()) }
  }

  @Test("at_hash and c_hash are computed as in OpenID Connect Core, appendix A")
  func hashes() throws {
    let token = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"
    let code = "Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk"
    let key = try GnuTLSSigningKey(generating: .rs256)
    let keys = try set(["a": key])
    func verify(_ members: JSONObject) throws -> IDToken {
      let text = try JWS.sign(claims(members).text.utf8, header: ["kid": "a"], with: key)
      return try self.verify(text, keys, by: verifier(), token: token, code: code)
    }
    let right: JSONObject = ["at_hash": "77QmUPtjPfzWtF2AnpK9RQ", "c_hash": "LDktKdoQak3Pk0cnXxCltA"]
    #expect(try verify(right).subject == "24400320")
    var wrong = right
    wrong["at_hash"] = right["c_hash"]
    #expect(throws: Failure.invalidIDToken("it belongs to another access token")) { try verify(wrong) }
    wrong = right
    wrong["c_hash"] = right["at_hash"]
    #expect(throws: Failure.invalidIDToken("it belongs to another code")) { try verify(wrong) }
  }

  @Test("A PKCS #1 signature is refused under the name PS256")
  func paddings() throws {
    let key = try GnuTLSSigningKey(generating: .rs256)
    var publicKey = key.publicKey
    publicKey["alg"] = nil
    let keys = JWKSet([try #require(JWK(publicKey))])
    let parts = try JWS.sign(claims().text.utf8, with: key).parts(at: ".")
    let renamed = Base64.encodeURLSafe(#"{"alg":"PS256"}"#.utf8)
    let token = "\(renamed).\(parts[1])"
    for text in ["\(token).\(parts[2])", "\(token).\(Base64.encodeURLSafe(try key.sign(Array(token.utf8))))"]
    {
      #expect(throws: Failure.invalidIDToken("its signature is wrong")) {
        try verify(text, keys, by: verifier())
      }
    }
  }

  @Test("A token with any changed, missing or additional byte is refused")
  func otherTexts() throws {
    let key = try GnuTLSSigningKey(generating: .es256)
    let keys = try set(["a": key]), verifier = try verifier()
    let text = Array(try JWS.sign(claims().text.utf8, header: ["kid": "a"], with: key).utf8)
    var others: Set<[UInt8]> = [text + text, []]
    for index in text.indices where index % 5 == 0 || index > text.count - 4 {
      others.insert(Array(text[..<index]))
      others.insert(Array(text[..<index] + text[(index + 1)...]))
      for byte in "A_.=\n\0\u{7F}".utf8 + [text[index] ^ 1, text[index] ^ 0x20] {
        others.insert(text[..<index] + [byte] + text[(index + 1)...])
        others.insert(text[..<index] + [byte] + text[index...])
      }
    }
    others.remove(text)
    for other in others {
      let other = String(decoding: other, as: UTF8.self)
      #expect(throws: Failure.self) { try verify(other, keys, by: verifier) }
    }
    #expect(try verify(String(decoding: text, as: UTF8.self), keys, by: verifier).subject == "24400320")
  }
}
