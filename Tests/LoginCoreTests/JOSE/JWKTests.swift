import Testing

@testable import LoginCore

/// Keys as providers publish them.
@Suite("JWK")
struct JWKTests {
  @Test("a key is read with its identifier")
  func read() throws {
    let key = try #require(JWK(FakeSigningKey.rsa(["kid": "a", "use": "sig", "x5t": "b", "ext": true])))
    #expect(key.keyID == "a")
    #expect(key.fits(.rs256) && key.fits(.ps512))
    #expect(!key.fits(.es256) && !key.fits(.hs256))
  }

  @Test(
    "use, key_ops and alg are honoured",
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
    "a malformed key, or one of an unknown kind, is none",
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

  @Test("a shared key is never taken from a document that anybody can read")
  func symmetric() {
    #expect(JWK(["kty": "oct", "k": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "alg": "HS256"]) == nil)
  }

  @Test("keys of every kind are read")
  func kinds() throws {
    for curve in EllipticCurve.allCases { #expect(JWK(FakeSigningKey.ec(curve)) != nil) }
    let key = JWK(["kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"])
    #expect(try #require(key).fits(.edDSA))
  }
}
