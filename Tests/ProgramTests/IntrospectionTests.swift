import Foundation
import TestSupport
import Testing

/// RFC 7662.
@Suite("What a provider says of a token, against a server", .blocking)
struct IntrospectionTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "look-\(UUID().uuidString)")
    .path()
  private static let secret = ["TOKENTRY_CLIENT_SECRET": "s"]
  private static let token = #"{"access_token":"T","token_type":"Bearer"}"#

  private func server(_ answer: StandInServer.Answer = .json(#"{"active":true,"scope":"mail","exp":1.5e9}"#))
    throws
    -> StandInServer
  {
    try StandInServer { request, base in
      switch request.path {
      case "/.well-known/openid-configuration":
        .json(
          #"{"issuer":"\#(base)","authorization_endpoint":"\#(base)/a","token_endpoint":"\#(base)/t","#
            + #""introspection_endpoint":"\#(base)/look"}"#)
      case "/look": answer
      default: .json(Self.token)
      }
    }
  }

  private func look(_ server: StandInServer, _ more: String..., token: String = token) throws
    -> Program.Outcome
  {
    try Program.run(
      ["userinfo", "--introspect", "--issuer", server.base, "--client-id", "me", "--token-file", "-"] + more,
      input: token, environment: Self.secret)
  }

  @Test("The token is in the body, the client proves itself, and the answer is handed on as it comes")
  func asked() throws {
    let server = try server()
    let outcome = try look(server)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.output == #"{"active":true,"scope":"mail","exp":1.5e9}"# + "\n")
    let request = try #require(server.requests.last)
    #expect(request.method == "POST" && request.path == "/look")
    #expect(request.form == ["token": "T", "token_type_hint": "access_token"])
    #expect(request.headers["authorization"] == "Basic " + Data("me:s".utf8).base64EncodedString())
  }

  @Test("Of an account everything is known, and a token that is good for nothing is no error")
  func account() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try server(.json(#"{"active":false}"#))
    let account = ["--account", "work", "--store", "file:" + folder]
    let login = try Program.run(
      ["login", "--issuer", server.base, "--client-id", "me", "--redirect-uri", "https://app.example/done"]
        + ["--state", "S", "--headless-test", "--navigations", "-"] + account,
      input: "https://app.example/done?code=C&state=S\n", environment: Self.secret)
    #expect(login.status == 0, "\(login.messages)")
    for more in [[], ["--introspection-endpoint", server.base + "/look"]] {
      let outcome = try Program.run(["userinfo", "--introspect"] + account + more)
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(outcome.output == #"{"active":false}"# + "\n")
      #expect(server.requests.last?.headers["authorization"]?.hasPrefix("Basic ") == true)
    }
  }

  @Test(
    "What the endpoint does wrong is told",
    arguments: [
      (.json(#"{"error":"invalid_client"}"#, status: 401), 1, "invalid_client"),
      (StandInServer.Answer(401), 5, "bad_provider_response"), (.html("<h1>"), 5, "bad_provider_response"),
      (.redirect("/elsewhere", status: 307), 5, "bad_provider_response"),
    ] as [(StandInServer.Answer, Int32, String)])
  func refused(answer: StandInServer.Answer, status: Int32, code: String) throws {
    let server = try server(answer)
    let outcome = try look(server)
    #expect(outcome.status == status, "\(outcome.output)")
    #expect(outcome["error"] as? String == code)
    #expect(server.hits("/elsewhere") == 0)
  }

  @Test("Without an endpoint, or an access token, nobody is asked; and no other command knows the option")
  func impossible() throws {
    let server = try server()
    let idToken = try look(server, token: #"{"id_token":"I"}"#)
    #expect(idToken.status == 2)
    let endpoint = try Program.run(
      ["userinfo", "--introspect", "--token-file", "-", "--token-endpoint", server.base + "/t"],
      input: Self.token)
    #expect(endpoint.status == 2)
    #expect(endpoint.messages.contains("--introspection-endpoint"))
    #expect(try Program.run(["login", "--introspect"])["error"] as? String == "invalid_option")
    #expect(server.hits("/look") == 0)
  }
}
