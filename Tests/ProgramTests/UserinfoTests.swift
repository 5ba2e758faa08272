import Foundation
import LoginCore
import TestSupport
import Testing

@Suite("The user of a token, against a server", .blocking)
struct UserinfoTests {
  private static let token =
    #"{"access_token":"T.1","token_type":"Bearer","claims":{"sub":"ann"},"device_id":"D"}"#

  private func userinfo(
    _ answer: StandInServer.Answer, token: String = token, _ options: String...
  ) throws -> (Program.Outcome, StandInServer) {
    let server = try StandInServer { request, base in
      switch request.path {
      case "/.well-known/openid-configuration":
        .json(#"{"issuer":"\#(base)","userinfo_endpoint":"\#(base)/me"}"#)
      case "/me": answer
      default: StandInServer.Answer(404)
      }
    }
    let outcome = try Program.run(
      ["userinfo", "--issuer", server.base, "--client-id", "client", "--token-file", "-"] + options,
      input: token)
    return (outcome, server)
  }

  // RFC 6750 section 2.1, RFC 9700 section 4.3.2.
  @Test("oidcc-client-test-userinfo-bearer-header: the token is in a header field and nowhere else")
  func header() throws {
    let (outcome, server) = try userinfo(.json(#"{"sub":"ann","name":"Ann \u00e9","n":1.50}"#))
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.output == #"{"sub":"ann","name":"Ann é","n":1.50,"checks":{"sub":"verified"}}"# + "\n")
    let request = try #require(server.requests.last)
    #expect(request.method == "GET" && request.target == "/me" && request.body.isEmpty)
    #expect(request.headers["authorization"] == "Bearer T.1")
    #expect(request.headers["cookie"] == nil)
  }

  @Test(
    "What is not about the user of the id_token is not passed on",
    arguments: [
      ("oidcc-client-test-userinfo-invalid-sub", #"{"sub":"eve","name":"Eve"}"#),
      ("oidcc-client-test-userinfo-missing-sub", #"{"name":"Eve"}"#), ("sub is no text", #"{"sub":1}"#),
      ("sub in other letters", #"{"sub":"Ann"}"#),
    ])
  func otherUser(name: String, body: String) throws {
    let (outcome, _) = try userinfo(.json(body))
    #expect(outcome.status == 6)
    #expect(outcome["error"] as? String == "subject_mismatch")
    #expect(!outcome.output.contains("Eve"))
  }

  @Test(
    "What the endpoint does wrong is told",
    arguments: [
      (
        StandInServer.Answer(
          401, [#"WWW-Authenticate: Bearer error="invalid_token", error_description="gone""#]), 1,
        "invalid_token"
      ),
      (.json(#"{"error":"insufficient_scope"}"#, status: 403), 1, "insufficient_scope"),
      (StandInServer.Answer(401), 5, "bad_provider_response"),
      (.html("<h1>Hello"), 5, "bad_provider_response"),
      (.json(#"{"sub":"ann","sub":"eve"}"#), 5, "bad_provider_response"),
      (.json("[]"), 5, "bad_provider_response"),
      (.redirect("/elsewhere"), 5, "bad_provider_response"),
      (.redirect("/elsewhere", status: 307), 5, "bad_provider_response"),
      // OpenID Connect Core section 5.3.2: signed or encrypted only for a client that registered for it.
      (StandInServer.Answer(200, ["Content-Type: application/jwt"], "e30.e30."), 5, "bad_provider_response"),
    ] as [(StandInServer.Answer, Int32, String)])
  func refused(answer: StandInServer.Answer, status: Int32, code: String) throws {
    let (outcome, server) = try userinfo(answer)
    #expect(outcome.status == status, "\(outcome.output)")
    #expect(outcome["error"] as? String == code)
    #expect(server.hits("/elsewhere") == 0)
  }

  @Test("Without claims of an id_token nothing is compared and nothing claimed")
  func unknownUser() throws {
    let token = #"{"access_token":"T","token_type":"bearer","id_token":"opaque"}"#
    let (outcome, _) = try userinfo(.json(#"{"user":{"user_id":"1"}}"#), token: token)
    #expect(outcome.output == #"{"user":{"user_id":"1"}}"# + "\n")
  }

  @Test(
    "What is no token is refused, and nobody is asked",
    arguments: [
      "", "[]", "{}", #"{"access_token":"T"}"#, #"{"error":"access_denied"}"#, #"{"id_token":"I.I.I"}"#,
    ])
  func noToken(document: String) throws {
    let (outcome, server) = try userinfo(.json("{}"), token: document)
    #expect(outcome.status == 2, "\(outcome.output)")
    #expect(server.hits("/me") == 0)
    #expect(!outcome.messages.contains("I.I.I"))
  }

  @Test("A token that no header field can carry is never sent")
  func noHeaderText() throws {
    let (outcome, server) = try userinfo(
      .json("{}"), token: #"{"access_token":"T\r\nX: y","token_type":"Bearer"}"#)
    #expect(outcome.status == 6)
    #expect(server.hits("/me") == 0)
  }

  @Test("A preset says how it is asked, and a document may hold everything")
  func document() throws {
    let server = try StandInServer { _, _ in .json(#"{"user":{"user_id":"1"}}"#) }
    let preset = FileManager.default.temporaryDirectory.appending(path: "preset-\(UUID().uuidString).json")
    try
      #"{"userinfo_endpoint":"\#(server.base)/me","userinfo_request":{"method":"POST","members":["client_id","device_id"]}}"#
      .write(to: preset, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: preset) }
    let token = #"{"access_token":"T","token_type":"Bearer","device_id":"D"}"#
    let outcome = try Program.run(
      ["userinfo", "--request", "-"],
      input: #"{"provider":"\#(preset.path())","client_id":"client","token":\#(token)}"#)
    #expect(outcome.status == 0, "\(outcome.output)")
    let request = try #require(server.requests.first)
    #expect(request.method == "POST" && request.body == "client_id=client&device_id=D")
    #expect(request.headers["authorization"] == "Bearer T")
  }

  @Test(
    "What a login prints is what is needed to ask, and to know about whom",
    arguments: [("ann", 0), ("oidcc-client-test-userinfo-invalid-sub", 6)] as [(String, Int32)])
  func afterLogin(subject: String, status: Int32) throws {
    let authority = try IDTokenAuthority()
    let server = try StandInServer { request, base in
      switch request.path {
      case "/.well-known/openid-configuration":
        return .json(
          #"{"issuer":"\#(base)","authorization_endpoint":"\#(base)/auth","token_endpoint":"\#(base)/token","#
            + #""jwks_uri":"\#(base)/keys","userinfo_endpoint":"\#(base)/me"}"#)
      case "/keys": return authority.keys
      case "/token":
        let idToken = (try? authority.token(of: base)) ?? ""
        return .json(#"{"access_token":"T","token_type":"Bearer","id_token":"\#(idToken)"}"#)
      default: return .json(#"{"sub":"\#(subject)"}"#)
      }
    }
    let provider = ["--issuer", server.base, "--client-id", "client"]
    let folder = FileManager.default.temporaryDirectory.appending(path: "userinfo-\(UUID().uuidString)")
      .path()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let account = ["--account", "work", "--store", "file:" + folder]
    let login = try Program.run(
      [
        "login", "--redirect-uri", "https://app.example/done", "--scope", "openid", "--state", "S", "--nonce",
        "N",
      ]
        + ["--headless-test", "--navigations", "-"] + provider + account,
      input: "https://app.example/done?code=C&state=S\n")
    #expect(login.status == 0, "\(login.messages)")
    let outcome = try Program.run(["userinfo", "--token-file", "-"] + provider, input: login.output)
    #expect(outcome.status == status, "\(outcome.output)")
    #expect(outcome["error"] as? String == (status == 0 ? nil : "subject_mismatch"))
    #expect(server.hits("/me") == 1)
    let kept = try Program.run(["userinfo"] + account)
    #expect(kept.status == status && kept.output == outcome.output, "\(kept.output)")
    #expect(server.hits("/me") == 2)
  }

  @Test(
    "A token comes from one place, and whoever renews it needs a refresh token",
    arguments: [
      ["userinfo", "--token-file", "-", "--request", "-"], ["userinfo"],
      ["userinfo", "--token-file", "/nonexistent"],
      ["login", "--token-file", "-", "--redirect-uri", "https://app.example/done"],
      ["login", "--token-file", "-", "--headless-test", "--navigations", "-"],
    ])
  func contradictions(words: [String]) throws {
    let outcome = try Program.run(words + ["--issuer", "https://127.0.0.1:1"], input: Self.token)
    #expect(outcome.status == 2, "\(outcome.output)")
  }
}
