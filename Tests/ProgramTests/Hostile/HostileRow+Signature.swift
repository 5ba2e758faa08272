import Foundation
import GnuTLSCrypto
import LoginCore

/// How the id_token is signed: RFC 7515 section 5.2, RFC 7518 section 3, RFC 8725 section 3.
extension HostileRow {
  static let signature = algorithms + headers + forms

  /// An id_token that is not believed.
  private static func refused(
    _ name: String, _ hits: Hits = .keys, secret: String? = nil,
    change: @escaping @Sendable (inout Conduct) -> Void
  ) -> HostileRow {
    HostileRow(name, 6, "invalid_id_token", hits, secret: secret, change: change)
  }

  /// A secret as long as HS256 demands.
  private static let secret = "0123456789abcdef0123456789abcdef"

  private static let algorithms: [HostileRow] =
    [
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
      refused("a wrong signature of PS256") {
        $0.sign(with: .pss, named: "pss")
        $0.keys = [GnuTLSSigningKey.pss.published(as: "pss")]
        $0.flipSignature()
      },
      refused("a wrong signature of EdDSA") {
        $0.sign(with: .edwards, named: "ed")
        $0.keys = [GnuTLSSigningKey.edwards.published(as: "ed")]
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
      refused("a shared secret that is too short", .token, secret: "short") {
        $0.metadata["id_token_signing_alg_values_supported"] = ["HS256"]
        $0.sign(with: "short".utf8)
      },
      refused("a shared secret that was not announced", .token, secret: secret) {
        $0.sign(with: secret.utf8)
      },
      refused("the public key as a shared secret", .token) {
        $0.metadata["id_token_signing_alg_values_supported"] = ["RS256", "HS256"]
        $0.sign(with: Base64.decodeURLSafe(GnuTLSSigningKey.rsa.publicKey["n"]?.string ?? "") ?? [])
      },
      refused("the public key as a shared secret, where there is another", .token, secret: secret) {
        $0.metadata["id_token_signing_alg_values_supported"] = ["RS256", "HS256"]
        $0.sign(with: JSONObject.rsa.text.utf8)
      },
      refused("fapi2-security-profile-final-client-test-invalid-alternate-alg", .token) {
        $0.metadata["id_token_signing_alg_values_supported"] = ["PS256"]
      },
      refused("fapi2-security-profile-final-client-test-invalid-null-alg", .token) {
        $0.header["alg"] = .null
      },
      refused("an RSA key under the name of an elliptic one", .keysAgain) { $0.header["alg"] = "ES256" },
      refused("one padding under the name of the other", .keysAgain) { $0.header["alg"] = "PS256" },
    ]
    + ["none", "None", "nOnE"].map { name in
      refused(name == "none" ? "oidcc-client-test-idtoken-sig-none" : "alg is \(name)", .token) {
        $0.metadata["id_token_signing_alg_values_supported"] = ["RS256", .string(name)]
        $0.header = ["alg": .string(name)]
        $0.signature = .nobody
      }
    } + [refused("no signature under RS256") { $0.signature = .nobody }]

  /// Whoever forges a token writes its header, too.
  private static let headers: [HostileRow] = [
    refused("a key in the header") {
      $0.signature = .key(.stranger)
      $0.header["jwk"] = .object(GnuTLSSigningKey.stranger.publicKey)
    },
    refused("the address of a key in the header") {
      $0.signature = .key(.stranger)
      $0.header["jku"] = .string($0.base + "/elsewhere")
      $0.header["x5u"] = .string($0.base + "/elsewhere")
    },
    refused("the address of a key in its name", .keysAgain) {
      $0.sign(with: .stranger, named: $0.base + "/elsewhere")
    },
    refused("a demand for an extension", .token) { $0.header["crit"] = ["b64"] },
    refused("an empty demand for extensions", .token) { $0.header["crit"] = [] },
    refused("a payload that is not encoded", .token) { $0.header["b64"] = false },
    refused("alg twice", .token) { $0.respelled = [#""alg":"RS256""#: #""alg":"RS256","alg":"none""#] },
    refused("a kid that is a number", .token) { $0.header["kid"] = 1 },
    refused("a token of another kind", .token) { $0.header["typ"] = "at+jwt" },
    HostileRow("a token that says its kind", 0, nil, .keys) { $0.header["typ"] = "JWT" },
  ]

  private static let forms: [HostileRow] = [
    refused("an id_token in two parts", .token) {
      $0.spoil = { String($0[..<($0.lastIndex(of: ".") ?? $0.endIndex)]) }
    },
    refused("an id_token in five parts", .token) { $0.spoil = { $0 + ".A.A" } },
    refused("an id_token with padding", .token) { $0.spoil = { $0 + "==" } },
    refused("an id_token with a line feed", .token) { $0.spoil = { $0 + "\n" } },
    refused("an id_token with a second spelling of its last bits", .token) { conduct in
      // 256 bytes leave four bits of the last digit over, so that B would be decoded as A is.
      conduct.spoil = { token in
        let last = token.last.map { ["A": "B", "Q": "R", "g": "h", "w": "x"][String($0)] ?? "-" } ?? "-"
        return token.dropLast() + last
      }
    },
    refused("an id_token that is a word", .token) { $0.spoil = { _ in "token" } },
  ]
}
