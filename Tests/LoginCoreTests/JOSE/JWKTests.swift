import Testing

@testable import LoginCore

@Suite("JWK")
struct JWKTests {
  @Test("A key is read with its identifier")
  func read() throws {
    let key = try #require(JWK(FakeSigningKey.rsa(["kid": "a", "use": "sig", "x5t": "b", "ext": true])))
    #expect(key.keyID == "a")
    #expect(key.fits(.rs256) && key.fits(.ps512))
    #expect(!key.fits(.es256) && !key.fits(.hs256))
  }

  @Test(
    "use, key_ops and alg limit the use of a key",
    arguments: [
      (["use": "sig"], true), (["use": "enc"], false), (["use": "SIG"], false), (["use": ["sig"]], false),
      (["use": .null], false), (["key_ops": ["verify"]], true), (["key_ops": ["sign", "verify"]], true),
      (["key_ops": ["sign"]], false), (["key_ops": []], false), (["key_ops": "verify"], false),
      (["key_ops": ["verify", "verify"]], false), (["key_ops": ["verify", 1]], false),
      (["use": "enc", "key_ops": ["verify"]], false), (["use": "sig", "key_ops": ["encrypt"]], false),
      (["alg": "RS256"], true), (["alg": "PS256"], false), (["alg": "RSA-OAEP"], false),
      (["alg": "rs256"], false), (["alg": 1], false), (["kid": 1], false), (["kid": .null], false),
    ] as [(JSONObject, Bool)])
  func purpose(members: JSONObject, verifies: Bool) {
    #expect(JWK(FakeSigningKey.rsa(members))?.fits(.rs256) ?? false == verifies)
  }

  @Test(
    "A malformed key or one of an unknown kind is refused",
    arguments: [
      [:], ["kty": "RSA"], ["kty": 1], FakeSigningKey.rsa(["kty": "rsa"]), FakeSigningKey.rsa(["n": "AQAB="]),
      FakeSigningKey.rsa(["n": ""]), FakeSigningKey.rsa(["n": 3]), FakeSigningKey.rsa(["e": "AQ"]),
      FakeSigningKey.rsa(["e": "A Q"]), FakeSigningKey.rsa(bits: 1_024), FakeSigningKey.rsa(bits: 2_047),
      FakeSigningKey.ec(.p256, ["crv": "P-384"]), FakeSigningKey.ec(.p256, ["crv": "secp256k1"]),
      FakeSigningKey.ec(.p256, ["crv": .null]), FakeSigningKey.ec(.p256, ["x": "AQ"]),
      FakeSigningKey.ec(.p384, ["y": ""]), FakeSigningKey.ec(.p521, ["y": .null]),
      ["kty": "OKP", "crv": "X25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"],
      ["kty": "OKP", "crv": "Ed448", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"],
      ["kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHUQ"],
    ] as [JSONObject])
  func malformed(json: JSONObject) {
    #expect(JWK(json) == nil)
  }

  @Test("A public document cannot contain a shared key")
  func symmetric() {
    #expect(JWK(["kty": "oct", "k": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "alg": "HS256"]) == nil)
  }

  @Test("Keys of every kind are read")
  func kinds() throws {
    for curve in EllipticCurve.allCases { #expect(JWK(FakeSigningKey.ec(curve)) != nil) }
    let key = JWK(["kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"])
    #expect(try #require(key).fits(.edDSA))
  }
}

@Suite("JWKSet")
struct JWKSetTests {
  private static let ambiguousKey: Message = "more than one of the provider's keys may have signed it"

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

  @Test("The key with the name in the header is used")
  func named() throws {
    let set = try set(FakeSigningKey.rsa(["kid": "a"]), FakeSigningKey.rsa(bits: 4_096, ["kid": "b"]))
    #expect(try key(in: set, kid: "a") == set.keys[0].key)
    #expect(try key(in: set, kid: "b") == set.keys[1].key)
    #expect(throws: JWKSet.unknownKey) { try key(in: set, kid: "c") }
    #expect(throws: JWKSet.unknownKey) { try key(in: set, kid: "A") }
    #expect(throws: JWKSet.unknownKey) { try key(in: set, kid: "") }
  }

  @Test("Names are compared by their bytes")
  func bytes() throws {
    let set = try set(FakeSigningKey.rsa(["kid": "\u{E9}"]))
    #expect(throws: JWKSet.unknownKey) { try key(in: set, kid: "e\u{301}") }
    #expect(try key(in: set, kid: "\u{E9}") == set.keys[0].key)
  }

  @Test("A repeated name is ambiguous unless only one of the keys fits")
  func repeatedName() throws {
    let twice = try set(FakeSigningKey.rsa(["kid": "a"]), FakeSigningKey.rsa(bits: 4_096, ["kid": "a"]))
    #expect(throws: Self.ambiguousKey) { try key(in: twice, kid: "a") }
    let kinds = try set(
      FakeSigningKey.rsa(["kid": "a"]), FakeSigningKey.ec(.p256, ["kid": "a"]),
      FakeSigningKey.rsa(bits: 4_096, ["kid": "a", "use": "enc"]))
    #expect(try key(in: kinds, kid: "a") == kinds.keys[0].key)
    #expect(try key(in: kinds, kid: "a", algorithm: .es256) == kinds.keys[1].key)
  }

  @Test("Without a name the only key that fits is used")
  func unnamed() throws {
    let one = try set(
      FakeSigningKey.ec(.p256), FakeSigningKey.ec(.p384), FakeSigningKey.rsa(["kid": "a"]),
      FakeSigningKey.rsa(["use": "enc"]), FakeSigningKey.rsa(["alg": "PS256"]))
    #expect(try key(in: one, kid: nil) == one.keys[2].key)
    #expect(throws: JWKSet.unknownKey) { try key(in: one, kid: nil, algorithm: .es512) }
    let several = try set(FakeSigningKey.rsa(["kid": "a"]), FakeSigningKey.rsa(bits: 4_096, ["kid": "b"]))
    #expect(throws: Self.ambiguousKey) { try key(in: several, kid: nil) }
    #expect(throws: JWKSet.unknownKey) { try key(in: JWKSet(), kid: nil) }
  }

  @Test("A key without a name does not match a name")
  func namelessKey() throws {
    let set = try set(FakeSigningKey.rsa())
    #expect(throws: JWKSet.unknownKey) { try key(in: set, kid: "a") }
  }

  @Test("Unusable keys are left out, and the others are used")
  func garbage() throws {
    let body = #"{"keys":[1,null,{},[],{"kty":"XYZ"},\#(FakeSigningKey.rsa(["kid": "a"]).text)],"x":{}}"#
    let set = try JWKSet(body: Array(body.utf8))
    #expect(set.keys.count == 1)
    #expect(try key(in: set, kid: "a") == set.keys[0].key)
  }

  @Test(
    "A document that is not a key set is refused",
    arguments: [
      ("[]", "the document is not a JSON object"), ("{}", "the document is not a JSON object"),
      (#"{"keys":{}}"#, "the document is not a JSON object"),
      (#"{"keys":null}"#, "the document is not a JSON object"),
      (#"{"Keys":[]}"#, "the document is not a JSON object"),
      (#"{"keys":[]"#, "the document ends too early"),
      (#"{"keys":[{"kty":"RSA","kty":"EC"}]}"#, "the member \"kty\" appears twice"),
    ] as [(String, Message)])
  func malformed(body: String, reason: Message) {
    expectFailure(.notOAuth("the key set: \(reason)")) { _ = try JWKSet(body: Array(body.utf8)) }
  }
}
