import Foundation
import GnuTLSCrypto
import LoginCore
import TestSupport

extension HostileRow {
  /// An id_token that is refused.
  private static func refused(
    _ name: String, _ hits: Hits = .keys, _ options: [String] = [], secret: String? = nil,
    change: @escaping @Sendable (inout ProviderBehavior) -> Void
  ) -> HostileRow {
    HostileRow(name, 6, "invalid_id_token", hits, options, secret: secret, change: change)
  }

  /// The claims: OpenID Connect Core section 3.1.3.7.
  static let claims: [HostileRow] = [
    refused("oidcc-client-test-invalid-iss") { $0.claims["iss"] = "https://evil.example" },
    refused("fapi2-security-profile-final-client-test-invalid-missing-iss") {
      $0.claims["iss"] = nil
    },
    refused("oidcc-client-test-invalid-aud") { $0.claims["aud"] = "other" },
    refused("oidcc-client-test-missing-aud") { $0.claims["aud"] = nil },
    HostileRow("fapi2-security-profile-final-client-test-valid-aud-as-array", 0, nil, .keys) {
      $0.claims["aud"] = ["client"]
    },
    refused("fapi2-security-profile-final-client-test-invalid-secondary-aud") {
      $0.claims["aud"] = ["client", "https://evil.example"]
    },
    refused("oidcc-client-test-missing-sub") { $0.claims["sub"] = nil },
    refused("fapi2-security-profile-final-client-test-invalid-missing-exp") {
      $0.claims["exp"] = nil
    },
    refused("fapi2-security-profile-final-client-test-invalid-expired-exp") {
      $0.setTime("exp", -301)
    },
    refused("oidcc-client-test-missing-iat") { $0.claims["iat"] = nil },
    HostileRow("oidcc-client-test-nonce-invalid", 6, "nonce_mismatch", .keys) {
      $0.claims["nonce"] = "other"
    },
    HostileRow("oidcc-client-test-nonce-unless-code-flow", 6, "nonce_mismatch", .keys) {
      $0.claims["nonce"] = nil
    },
    refused("oidcc-client-test-invalid-athash") { $0.claims["at_hash"] = "AAAAAAAAAAAAAAAAAAAAAA" },
    refused("a login that is too old", .keys, optionsFile(["max_age": "60"])) {
      $0.setTime("auth_time", -361)
    },
    refused("an acr value that was not requested", .keys, contexts) { $0.claims["acr"] = "0" },
    refused("an acr value that is not the essential one", .keys, essentialContext) {
      $0.claims["acr"] = "phrh"
    },
  ]

  private static let contexts = ["--param", "acr_values=phr phrh"]
  private static let essentialContext = [
    "--param", #"claims={"id_token":{"acr":{"essential":true,"value":"phr"}}}"#,
  ]

  /// A secret as long as HS256 demands.
  private static let secret = "0123456789abcdef0123456789abcdef"

  /// The signature: RFC 7515 section 5.2, RFC 7518 section 3, RFC 8725 section 3.
  static let signature: [HostileRow] = [
    HostileRow("oidcc-client-test-idtoken-sig-rs256", 0, nil, .keys) { _ in },
    refused("oidcc-client-test-invalid-sig-rs256") { $0.flipSignature() },
    HostileRow("oidcc-client-test-idtoken-sig-es256", 0, nil, .keys) {
      $0.sign(with: .ec, named: "ec")
      $0.keys = [.rsa, GnuTLSSigningKey.ec.published(as: "ec")]
    },
    refused("oidcc-client-test-invalid-sig-es256") {
      $0.sign(with: .ec, named: "ec")
      $0.keys = [.rsa, GnuTLSSigningKey.ec.published(as: "ec")]
      $0.flipSignature()
    },
    HostileRow("oidcc-client-test-idtoken-sig-hs256", 0, nil, .token, secret: secret) {
      $0.metadata["id_token_signing_alg_values_supported"] = ["HS256"]
      $0.sign(with: secret.utf8)
    },
    refused("oidcc-client-test-invalid-sig-hs256", .token, secret: secret) {
      $0.metadata["id_token_signing_alg_values_supported"] = ["HS256"]
      $0.sign(with: "another secret that is long enough".utf8)
    },
    refused("the public key as an HS256 secret", .token) {
      $0.metadata["id_token_signing_alg_values_supported"] = ["RS256", "HS256"]
      $0.sign(with: Base64.decodeURLSafe(GnuTLSSigningKey.rsa.publicKey["n"]?.string ?? "") ?? [])
    },
    refused("fapi2-security-profile-final-client-test-invalid-alternate-alg", .token) {
      $0.metadata["id_token_signing_alg_values_supported"] = ["PS256"]
    },
    refused("fapi2-security-profile-final-client-test-invalid-null-alg", .token) {
      $0.header["alg"] = .null
    },
    refused("oidcc-client-test-idtoken-sig-none", .token) {
      $0.metadata["id_token_signing_alg_values_supported"] = ["RS256", "none"]
      $0.header = ["alg": "none"]
      $0.signature = .missing
    },
    refused("a key in the header") {
      $0.signature = .key(.stranger)
      $0.header["jwk"] = .object(GnuTLSSigningKey.stranger.publicKey)
    },
    refused("the address of a key in the header") {
      $0.signature = .key(.stranger)
      $0.header["jku"] = .string($0.base + "/elsewhere")
      $0.header["x5u"] = .string($0.base + "/elsewhere")
    },
  ]

  /// The keys: OpenID Connect Core section 10.1, RFC 7517.
  static let keys: [HostileRow] = [
    HostileRow("oidcc-client-test-kid-absent-single-jwks", 0, nil, .keys) {
      $0.header["kid"] = nil
      $0.keys = [GnuTLSSigningKey.rsa.published(as: nil)]
    },
    refused("oidcc-client-test-kid-absent-multiple-jwks") {
      $0.header["kid"] = nil
      $0.keys = [.rsa, GnuTLSSigningKey.stranger.published(as: "stranger")]
    },
    HostileRow("oidcc-client-test-signing-key-rotation-just-before-signing", 0, nil, .keysAgain) {
      $0.sign(with: .ec, named: "new")
      $0.keys = $0.readings == 1 ? [.rsa] : [GnuTLSSigningKey.ec.published(as: "new")]
    },
    refused("a key that never appears", .keysAgain) { $0.header["kid"] = "never" },
    refused("another key under the same kid") {
      $0.keys = [GnuTLSSigningKey.stranger.published(as: "rsa")]
    },
    refused("a published shared secret", .token) {
      $0.metadata["id_token_signing_alg_values_supported"] = ["RS256", "HS256"]
      $0.keys = [["kty": "oct", "kid": "s", "k": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY"]]
      $0.sign(with: "0123456789abcdef0123456789abcdef".utf8)
      $0.header["kid"] = "s"
    },
    HostileRow("five thousand keys", 0, nil, .keys) {
      $0.keys = Array(repeating: ["kty": "oct", "k": "AAAA"], count: 5_000) + [.rsa]
    },
    HostileRow("a redirect to other keys", 5, "bad_provider_response", .keys) {
      $0.answers["/keys"] = .redirect("/elsewhere")
    },
    HostileRow("keys that break off", 5, "network_error", .keys) {
      $0.answers["/keys"] = StandInServer.Answer.json(ProviderBehavior.keySet([.rsa])).cut
    },
    HostileRow("no answer with the keys", 5, "network_error", .keys) {
      $0.answers["/keys"] = .hangUp
    },
  ]
}
