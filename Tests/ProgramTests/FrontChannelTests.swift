import Foundation
import LoginCore
import TestSupport
import Testing

/// Rows are named after the tests for clients of the OpenID Foundation's conformance suite where it has one.
@Suite("A login whose callback carries tokens, against a server", .blocking)
struct FrontChannelTests {
  /// A callback, and what becomes of it.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    /// The response type.
    var type = "code id_token"
    /// The claims of the id_token in the callback that are not the usual ones.
    var front: JSONObject = [:]
    /// The same for the one of the token endpoint.
    var back: JSONObject = [:]
    /// The issuer in the callback, where it is another.
    var issuer: String?
    /// Whether the id_token is one of another key.
    var isForged = false
    /// The parameters that are left out.
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
      name: "oidcc-client-test-invalid-athash, implicit", type: "id_token token",
      front: ["at_hash": "AAAAAAAAAAAAAAAAAAAAAA"], error: "invalid_id_token"),
    Row(
      name: "oidcc-client-test-missing-athash, implicit", type: "id_token token", front: ["at_hash": .null],
      error: "invalid_id_token"),
    Row(
      name: "oidcc-client-test-invalid-athash, hybrid", type: "code id_token token",
      front: ["at_hash": "AAAAAAAAAAAAAAAAAAAAAA"], error: "invalid_id_token"),
    Row(
      name: "oidcc-client-test-missing-athash, hybrid", type: "code id_token token",
      front: ["at_hash": .null],
      error: "invalid_id_token"),
    Row(
      name: "oidcc-client-test-nonce-invalid, implicit", type: "id_token", front: ["nonce": "M"],
      error: "nonce_mismatch"),
    Row(name: "oidcc-client-test-nonce-invalid, hybrid", front: ["nonce": "M"], error: "nonce_mismatch"),
    Row(name: "no nonce, implicit", type: "id_token", front: ["nonce": .null], error: "nonce_mismatch"),
    Row(name: "no nonce, hybrid", front: ["nonce": .null], error: "nonce_mismatch"),
    Row(
      name: "oidcc-client-test-invalid-iss", front: ["iss": "https://evil.example"], error: "invalid_id_token"
    ),
    Row(name: "oidcc-client-test-invalid-aud", front: ["aud": "other"], error: "invalid_id_token"),
    Row(name: "oidcc-client-test-missing-aud", front: ["aud": .null], error: "invalid_id_token"),
    Row(name: "oidcc-client-test-missing-iat", front: ["iat": .null], error: "invalid_id_token"),
    Row(name: "oidcc-client-test-missing-sub", front: ["sub": .null], error: "invalid_id_token"),
    Row(name: "expired", front: ["exp": 1], error: "invalid_id_token"),
    Row(
      name: "oidcc-client-test-invalid-sig-es256, implicit", type: "id_token", isForged: true,
      error: "invalid_id_token"),
    Row(name: "oidcc-client-test-invalid-sig-es256, hybrid", isForged: true, error: "invalid_id_token"),
    Row(
      name: "RFC 9207: another issuer in the callback", issuer: "https://evil.example",
      error: "issuer_mismatch"),
    Row(name: "no id_token, implicit", type: "id_token token", without: ["id_token"], error: "missing_token"),
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

  @Test(
    "What is not to be believed ends the login with status 6, and no code is exchanged before",
    arguments: rows)
  func refused(_ row: Row) throws {
    let (outcome, server) = try login(row)
    #expect(outcome.status == 6, "\(outcome.output)\(outcome.messages)")
    #expect(outcome["error"] as? String == row.error)
    #expect(server.hits("/token") == row.exchanges)
  }

  @Test(
    "Every response type is completed",
    arguments: ["id_token", "id_token token", "code id_token", "code token", "code id_token token"])
  func completed(type: String) throws {
    let (outcome, server) = try login(Row(name: "", type: type, error: ""))
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.messages)")
    let hasCode = type.contains("code")
    #expect(server.hits("/token") == (hasCode ? 1 : 0))
    #expect(outcome["access_token"] as? String == (hasCode ? "T2" : type.contains(" token") ? "T" : nil))
    #expect((outcome["token_type"] == nil) == (type == "id_token"))
    #expect((outcome["claims"] as? [String: Any])?["sub"] as? String == "ann")
    let checks = try #require(outcome["checks"] as? [String: String])
    #expect(checks["id_token"] == "verified" && checks["nonce"] == "verified" && checks["iss"] == "verified")
    #expect(checks["pkce"] == (hasCode ? "S256" : nil))
    // RFC 9700 section 2.1.2.
    #expect(outcome.messages.contains("warning: the implicit grant") == type.contains(" token"))
  }

  @Test("What is posted to the redirect URI cannot be seen, so that is refused before anything is opened")
  func formPost() throws {
    let (outcome, server) = try login(Row(name: "", error: ""), "--response-mode", "form_post")
    #expect(outcome.status == 2)
    #expect(outcome["error"] as? String == "invalid_configuration")
    #expect(outcome.messages.contains("posted"))
    #expect(server.hits("/auth") == 0 && server.hits("/token") == 0)
  }

  /// A login that ends with the callback of the row.
  private func login(_ row: Row, _ options: String...) throws -> (Program.Outcome, StandInServer) {
    let authority = try IDTokenAuthority()
    let server = try StandInServer { request, base in
      switch request.path {
      case "/.well-known/openid-configuration":
        return .json(
          #"{"issuer":"\#(base)","authorization_endpoint":"\#(base)/auth","token_endpoint":"\#(base)/token","#
            + #""jwks_uri":"\#(base)/keys"}"#)
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
    let outcome = try Program.run(
      [
        "login", "--issuer", server.base, "--client-id", "client", "--redirect-uri",
        "https://app.example/done",
        "--response-type", row.type, "--scope", "openid", "--state", "S", "--nonce", "N", "--headless-test",
        "--navigations", "-",
      ] + options, input: "https://app.example/done#\(parameters.joined(separator: "&"))\n")
    return (outcome, server)
  }
}
