import Foundation
import LoginCore
import TestSupport
import Testing

/// Rows have the names of the OpenID Foundation's conformance tests for clients, if there is one.
@Suite("A callback that carries tokens", .blocking)
struct FrontChannelTests {
  /// A callback, and the expected error.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    var type = "code id_token"
    /// Claims of the id_token in the callback that differ from the usual ones.
    var front: JSONObject = [:]
    /// The same for the id_token of the token endpoint.
    var back: JSONObject = [:]
    /// The wrong issuer in the callback.
    var issuer: String?
    /// True if another key signs the id_token.
    var isForged = false
    /// Parameters that are missing.
    var without: [String] = []
    let error: String
    /// How often the code is exchanged.
    var exchanges = 0

    var testDescription: String { name }
  }

  private static let rows: [Row] = [
    Row(
      name: "oidcc-client-test-invalid-chash", front: ["c_hash": "AAAAAAAAAAAAAAAAAAAAAA"],
      error: "invalid_id_token"),
    Row(name: "oidcc-client-test-missing-chash", front: ["c_hash": .null], error: "invalid_id_token"),
    Row(
      name: "oidcc-client-test-missing-athash, implicit", type: "id_token token", front: ["at_hash": .null],
      error: "invalid_id_token"),
    Row(
      name: "oidcc-client-test-invalid-athash, hybrid", type: "code id_token token",
      front: ["at_hash": "AAAAAAAAAAAAAAAAAAAAAA"], error: "invalid_id_token"),
    Row(name: "oidcc-client-test-nonce-invalid, hybrid", front: ["nonce": "M"], error: "nonce_mismatch"),
    Row(name: "oidcc-client-test-invalid-sig-es256, hybrid", isForged: true, error: "invalid_id_token"),
    Row(
      name: "RFC 9207: another issuer in the callback", issuer: "https://evil.example",
      error: "issuer_mismatch"),
    Row(name: "no id_token, hybrid", without: ["id_token"], error: "missing_token"),
    Row(name: "no token", type: "code id_token token", without: ["access_token"], error: "missing_token"),
    Row(name: "no code", without: ["code"], error: "malformed_callback"),
    Row(
      name: "OpenID Connect Core 3.3.3.6: another user", back: ["sub": "eve"], error: "invalid_id_token",
      exchanges: 1),
    Row(
      name: "another nonce from the token endpoint", back: ["nonce": "M"], error: "nonce_mismatch",
      exchanges: 1),
  ]

  @Test("A bad callback ends the login with status 6, and its code is not exchanged", arguments: rows)
  func refused(_ row: Row) throws {
    let (outcome, server) = try login(row)
    #expect(outcome.status == 6, "\(outcome)")
    #expect(outcome.error == row.error)
    #expect(server.hits("/token") == row.exchanges)
  }

  @Test(
    "Every response type gets its tokens",
    arguments: ["id_token", "id_token token", "code id_token", "code token", "code id_token token"])
  func completed(type: String) throws {
    let (outcome, server) = try login(Row(name: "", type: type, error: ""))
    #expect(outcome.status == 0, "\(outcome)")
    let hasCode = type.contains("code")
    #expect(server.hits("/token") == (hasCode ? 1 : 0))
    #expect(outcome.accessToken == (hasCode ? "T2" : type.contains(" token") ? "T" : nil))
    #expect((outcome["token_type"] == nil) == (type == "id_token"))
    #expect((outcome["claims"] as? [String: Any])?["sub"] as? String == "ann")
    let checks = outcome.checks
    #expect(checks["id_token"] == "verified" && checks["nonce"] == "verified" && checks["iss"] == "verified")
    #expect(checks["pkce"] == (hasCode ? "S256" : nil))
    // RFC 9700 section 2.1.2.
    #expect(outcome.messages.contains("warning: the implicit grant") == type.contains(" token"))
  }

  @Test("form_post is refused in a test, because a posted answer cannot be seen there")
  func formPost() throws {
    let (outcome, server) = try login(Row(name: "", error: ""), mode: "form_post")
    #expect(outcome.status == 2)
    #expect(outcome.error == "invalid_configuration")
    #expect(outcome.messages.contains("posted"))
    #expect(server.hits("/auth") == 0 && server.hits("/token") == 0)
  }

  /// A login that ends with the callback of the row.
  private func login(_ row: Row, mode: String? = nil) throws -> (Outcome, StandInServer) {
    let authority = try IDTokenAuthority()
    let server = try StandInServer { request, base in
      switch request.path {
      case "/.well-known/openid-configuration": return .metadata(base, ["jwks_uri": "/keys"])
      case "/keys": return authority.keys
      case "/token":
        let idToken = (try? authority.token(of: base, row.back)) ?? ""
        return .json(#"{"access_token":"T2","token_type":"Bearer","id_token":"\#(idToken)"}"#)
      default: return StandInServer.Answer(404)
      }
    }
    var claims: JSONObject = [
      "at_hash": try IDTokenAuthority.hash("T"), "c_hash": try IDTokenAuthority.hash("C"),
    ]
    for claim in row.front { claims[claim.name] = claim.value }
    let signer = row.isForged ? try IDTokenAuthority() : authority
    let words = row.type.split(separator: " ").map(String.init)
    var parameters = ["state=S", "iss=\(row.issuer ?? server.base)"]
    if words.contains("code") { parameters.append("code=C") }
    if words.contains("token") { parameters += ["access_token=T", "token_type=bearer"] }
    if words.contains("id_token") {
      parameters.append("id_token=\(try signer.token(of: server.base, claims))")
    }
    parameters.removeAll { parameter in row.without.contains { parameter.hasPrefix("\($0)=") } }
    var wishes = ["nonce": "N", "response_type": row.type]
    wishes["response_mode"] = mode
    let outcome = try Tokentry.run(
      [
        "login", "--issuer", server.base, "--client-id", "client", "--redirect-uri",
        "https://app.example/done",
        "--scope", "openid", "--state", "S", "--headless-test",
        "--navigations", "-",
      ] + optionsFile(wishes), input: "https://app.example/done#\(parameters.joined(separator: "&"))\n")
    return (outcome, server)
  }
}
