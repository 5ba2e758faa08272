import Testing

@testable import LoginCore

/// Which key of a set a signature is verified with.
@Suite("JWKSet")
struct JWKSetTests {
  private func set(_ keys: JSONObject...) throws -> JWKSet {
    let document: JSONObject = ["keys": .array(keys.map(JSONValue.object))]
    return try JWKSet(body: Array(document.text.utf8))
  }

  private func key(
    in set: JWKSet, kid: String?, algorithm: SignatureAlgorithm = .rs256
  ) throws -> VerificationKey {
    var header = JSONObject()
    header["kid"] = kid.map(JSONValue.string)
    return try set.key(for: JWS(try JWS.sign([], header: header, with: FakeSigningKey(algorithm: algorithm))))
      .key
  }

  @Test("the named key is the one")
  func named() throws {
    let set = try set(FakeSigningKey.rsa(["kid": "a"]), FakeSigningKey.rsa(bits: 4_096, ["kid": "b"]))
    #expect(try key(in: set, kid: "a") == set.keys[0].key)
    #expect(try key(in: set, kid: "b") == set.keys[1].key)
    #expect(throws: JOSEFault.unknownKey) { try key(in: set, kid: "c") }
    #expect(throws: JOSEFault.unknownKey) { try key(in: set, kid: "A") }
    #expect(throws: JOSEFault.unknownKey) { try key(in: set, kid: "") }
  }

  @Test("names are compared by their bytes")
  func bytes() throws {
    let set = try set(FakeSigningKey.rsa(["kid": "\u{E9}"]))
    #expect(throws: JOSEFault.unknownKey) { try key(in: set, kid: "e\u{301}") }
    #expect(try key(in: set, kid: "\u{E9}") == set.keys[0].key)
  }

  @Test("a name that is there twice is ambiguous unless only one of the keys fits")
  func repeatedName() throws {
    let twice = try set(FakeSigningKey.rsa(["kid": "a"]), FakeSigningKey.rsa(bits: 4_096, ["kid": "a"]))
    #expect(throws: JOSEFault.ambiguousKey) { try key(in: twice, kid: "a") }
    let kinds = try set(
      FakeSigningKey.rsa(["kid": "a"]), FakeSigningKey.ec(.p256, ["kid": "a"]),
      FakeSigningKey.rsa(bits: 4_096, ["kid": "a", "use": "enc"]))
    #expect(try key(in: kinds, kid: "a") == kinds.keys[0].key)
    #expect(try key(in: kinds, kid: "a", algorithm: .es256) == kinds.keys[1].key)
  }

  @Test("without a name the only key that fits is the one, and of several none")
  func unnamed() throws {
    let one = try set(
      FakeSigningKey.ec(.p256), FakeSigningKey.ec(.p384), FakeSigningKey.rsa(["kid": "a"]),
      FakeSigningKey.rsa(["use": "enc"]), FakeSigningKey.rsa(["alg": "PS256"]))
    #expect(try key(in: one, kid: nil) == one.keys[2].key)
    #expect(throws: JOSEFault.unknownKey) { try key(in: one, kid: nil, algorithm: .es512) }
    let several = try set(FakeSigningKey.rsa(["kid": "a"]), FakeSigningKey.rsa(bits: 4_096, ["kid": "b"]))
    #expect(throws: JOSEFault.ambiguousKey) { try key(in: several, kid: nil) }
    #expect(throws: JOSEFault.unknownKey) { try key(in: JWKSet(), kid: nil) }
  }

  @Test("a name is not looked for among keys without one")
  func namelessKey() throws {
    let set = try set(FakeSigningKey.rsa())
    #expect(throws: JOSEFault.unknownKey) { try key(in: set, kid: "a") }
  }

  @Test("what is no key is left out, and the others are used")
  func garbage() throws {
    let body = #"{"keys":[1,null,{},[],{"kty":"XYZ"},\#(FakeSigningKey.rsa(["kid": "a"]).text)],"x":{}}"#
    let set = try JWKSet(body: Array(body.utf8))
    #expect(set.keys.count == 1)
    #expect(try key(in: set, kid: "a") == set.keys[0].key)
  }

  @Test(
    "what is no set is a bad answer",
    arguments: [
      ("", .unexpectedEnd), ("[]", .notAnObject), ("null", .notAnObject), ("{}", .notAnObject),
      (#"{"keys":{}}"#, .notAnObject), (#"{"keys":null}"#, .notAnObject), (#"{"Keys":[]}"#, .notAnObject),
      (#"{"keys":[]"#, .unexpectedEnd), ("<html>", .unexpectedCharacter("<")),
      (#"{"keys":[],"keys":[]}"#, .repeatedName("keys")),
      (#"{"keys":[{"kty":"RSA","kty":"EC"}]}"#, .repeatedName("kty")),
    ] as [(String, JSONFault.Reason)])
  func malformed(body: String, reason: JSONFault.Reason) {
    expectBadResponse(.notJSON(reason, status: 200, from: .keySet)) { _ = try JWKSet(body: Array(body.utf8)) }
  }
}
