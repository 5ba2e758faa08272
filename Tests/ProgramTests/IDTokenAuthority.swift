import Foundation
import GnuTLSCrypto
import LoginCore
import TestSupport

/// Signs id_tokens for tests that put them into callbacks and answers of their own, and publishes its keys.
struct IDTokenAuthority {
  private let key: GnuTLSSigningKey
  /// What every token carries unless a test says otherwise, beside its issuer.
  private static let usual: JSONObject = ["sub": "ann", "aud": "client", "nonce": "N"]

  init(_ algorithm: SignatureAlgorithm = .es256) throws { key = try GnuTLSSigningKey(generating: algorithm) }

  /// The document with its keys.
  var keys: StandInServer.Answer { keys([:]) }

  /// The same, in which the key has further members.
  func keys(_ more: JSONObject) -> StandInServer.Answer {
    var member = key.publicKey
    for further in more { member[further.name] = further.value }
    return .json((["keys": [.object(member)]] as JSONObject).text)
  }

  /// A token that is good for ten minutes, with changes; null takes a claim away.
  func token(of issuer: String, _ changes: JSONObject = [:]) throws -> String {
    let now = Int64(Date().timeIntervalSince1970)
    var claims = Self.usual
    claims["iss"] = .string(issuer)
    claims["iat"] = .number(JSONNumber(now))
    claims["exp"] = .number(JSONNumber(now + 600))
    for change in changes { claims[change.name] = change.value == .null ? nil : change.value }
    let header = key.publicKey["kid"].map { ["kid": $0] as JSONObject } ?? [:]
    return try JWS.sign(Array(claims.text.utf8), header: header, with: key)
  }

  /// The hash by which a token names what came with it (OpenID Connect Core section 3.2.2.10).
  static func hash(_ text: String) throws -> JSONValue {
    let digest = try GnuTLSCryptography().digest(.sha256, of: Array(text.utf8))
    return .string(Base64.encodeURLSafe(digest.prefix(16)))
  }
}
