import GnuTLSCrypto
import LoginCore
import TestSupport

/// The keys that are published: OpenID Connect Core section 10.1, RFC 7517.
extension HostileRow {
  static let keys = sets + documents

  /// An id_token that is not believed.
  private static func refused(
    _ name: String, _ hits: Hits, change: @escaping @Sendable (inout Conduct) -> Void
  ) -> HostileRow {
    HostileRow(name, 6, "invalid_id_token", hits, change: change)
  }

  private static let sets: [HostileRow] = [
    HostileRow("oidcc-client-test-kid-absent-single-jwks", 0, nil, .keys) {
      $0.header["kid"] = nil
      $0.keys = [GnuTLSSigningKey.rsa.published(as: nil)]
    },
    refused("oidcc-client-test-kid-absent-multiple-jwks", .keys) {
      $0.header["kid"] = nil
      $0.keys = [.rsa, GnuTLSSigningKey.stranger.published(as: "stranger")]
    },
    HostileRow("no kid, and only one key that could have signed", 0, nil, .keys) {
      $0.header["kid"] = nil
      $0.keys = [.rsa, GnuTLSSigningKey.ec.published(as: "ec")]
    },
    HostileRow("oidcc-client-test-signing-key-rotation-just-before-signing", 0, nil, .keysAgain) {
      $0.sign(with: .ec, named: "new")
      $0.keys = $0.readings == 1 ? [.rsa] : [GnuTLSSigningKey.ec.published(as: "new")]
    },
    refused("a key that never appears", .keysAgain) { $0.header["kid"] = "never" },
    refused("no keys", .keysAgain) { $0.keys = [] },
    refused("a key of somebody else under this name", .keys) {
      $0.keys = [GnuTLSSigningKey.stranger.published(as: "rsa")]
    },
    refused("two keys of one name", .keys) {
      $0.keys = [.rsa, GnuTLSSigningKey.stranger.published(as: "rsa")]
    },
    HostileRow("keys that are none beside one that is", 0, nil, .keys) {
      $0.keys = [
        [:], ["kty": "RSA", "kid": "rsa", "n": "AQAB", "e": "AQAB"], ["kty": "unknown", "kid": "rsa"],
        ["kty": "EC", "kid": "rsa", "crv": "P-256", "x": "A", "y": "A"], .rsa,
      ]
    },
    refused("a key to encrypt with", .keysAgain) { $0.keys = [JSONObject.rsa.with("use", "enc")] },
    refused("a key that may only sign", .keysAgain) { $0.keys = [JSONObject.rsa.with("key_ops", ["sign"])] },
    refused("a key for another algorithm", .keysAgain) { $0.keys = [JSONObject.rsa.with("alg", "RS512")] },
    refused("a key with an exponent of one", .keysAgain) { $0.keys = [JSONObject.rsa.with("e", "AQ")] },
    refused("a certificate in the place of a key", .keysAgain) {
      $0.keys = [["kty": "RSA", "kid": "rsa", "x5c": ["MIIB"]]]
    },
    refused("a shared secret that everybody can read", .token) {
      $0.metadata["id_token_signing_alg_values_supported"] = ["RS256", "HS256"]
      $0.keys = [["kty": "oct", "kid": "s", "k": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY"]]
      $0.sign(with: "0123456789abcdef0123456789abcdef".utf8)
      $0.header["kid"] = "s"
    },
    HostileRow("five thousand keys", 0, nil, .keys) {
      $0.keys = Array(repeating: ["kty": "oct", "k": "AAAA"], count: 5_000) + [.rsa]
    },
  ]

  private static let documents: [HostileRow] = [
    HostileRow("keys in HTML", 5, "bad_provider_response", .keys) { $0.answers["/keys"] = .html("<h1>Keys") },
    HostileRow("keys without a set", 5, "bad_provider_response", .keys) { $0.answers["/keys"] = .json("[]") },
    HostileRow("two sets", 5, "bad_provider_response", .keys) {
      $0.answers["/keys"] = .json(#"{"keys":[],"keys":[\#(JSONObject.rsa.text)]}"#)
    },
    HostileRow("keys that are not there", 5, "bad_provider_response", .keys) {
      $0.answers["/keys"] = StandInServer.Answer(404)
    },
    HostileRow("keys that are elsewhere", 5, "bad_provider_response", .keys) {
      $0.answers["/keys"] = .redirect("/elsewhere")
    },
    HostileRow("keys that are broken off", 5, "network_error", .keys) {
      $0.answers["/keys"] = StandInServer.Answer.json(Conduct.keySet([.rsa])).cut
    },
    HostileRow("nobody who has the keys", 5, "network_error", .keys) { $0.answers["/keys"] = .hangUp },
  ]
}
