import Foundation
import TestSupport
import Testing

@Suite("A login with a code, against a server", .blocking)
struct CodeLoginTests {
  private static let token =
    #"{"access_token":"T","token_type":"Bearer","expires_in":3600,"refresh_token":"R2"}"#

  private func login(_ server: StandInServer, _ more: [String] = []) throws -> Program.Outcome {
    try Program.run(
      [
        "login", "--authorization-endpoint", server.base + "/auth", "--token-endpoint",
        server.base + "/token",
        "--client-id", "a:b", "--redirect-uri", "https://app.example/done", "--state", "S",
        "--code-verifier", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "--headless-test", "--navigations",
        "-",
      ] + more, input: "https://app.example/done?code=C&state=S\n")
  }

  @Test("The code is exchanged with its verifier, and the token is printed")
  func exchange() throws {
    let server = try StandInServer { _, _ in .json(Self.token) }
    let outcome = try login(server)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome["access_token"] as? String == "T")
    #expect(
      outcome.output.hasSuffix(#""checks":{"redirect":"exact","state":"verified","pkce":"S256"}}"# + "\n"))
    let request = try #require(server.requests.first)
    #expect(server.requests.count == 1)
    #expect(request.method == "POST")
    #expect(request.headers["content-type"] == "application/x-www-form-urlencoded")
    #expect(request.headers["accept"] == "application/json")
    #expect(request.body.contains("code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
    #expect(request.body.contains("client_id=a%3Ab"))
  }

  @Test("The scope that was granted is shown, not the one that was asked for")
  func narrowerScope() throws {
    let server = try StandInServer { _, _ in
      .json(#"{"access_token":"T","token_type":"Bearer","scope":"email"}"#)
    }
    let outcome = try login(server, ["--scope", "email phone"])
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome["scope"] as? String == "email")
  }

  @Test("A secret from the environment goes into Basic, form-encoded, and nowhere else")
  func basic() throws {
    let server = try StandInServer { _, _ in .json(Self.token) }
    let outcome = try Program.run(
      [
        "login", "--authorization-endpoint", server.base + "/auth", "--token-endpoint",
        server.base + "/token",
        "--client-id", "a:b", "--redirect-uri", "https://app.example/done", "--state", "S", "--headless-test",
        "--navigations", "-", "--trace",
      ], input: "https://app.example/done?code=C&state=S\n", environment: ["TOKENTRY_CLIENT_SECRET": "c+d%/é"]
    )
    #expect(outcome.status == 0)
    let expected = "Basic " + Data("a%3Ab:c%2Bd%25%2F%C3%A9".utf8).base64EncodedString()
    #expect(server.requests.first?.headers["authorization"] == expected)
    #expect(server.requests.first?.body.contains("client_") == false)
    #expect(!outcome.messages.contains("c+d"))
  }

  @Test("A server that is not there is a network error that may pass")
  func noServer() throws {
    let base = "http://127.0.0.1:1024"  // no port that a test could be given, and nobody's
    let outcome = try Program.run(
      [
        "login", "--authorization-endpoint", base + "/auth", "--token-endpoint", base + "/token",
        "--client-id",
        "1", "--redirect-uri", "https://app.example/done", "--state", "S", "--headless-test", "--navigations",
        "-",
      ], input: "https://app.example/done?code=C&state=S\n")
    #expect(outcome.status == 5)
    #expect(outcome["error"] as? String == "network_error")
    #expect(outcome["retryable"] as? Bool == true)
  }

  @Test("A refresh token in a request document is renewed without anybody")
  func refresh() throws {
    let server = try StandInServer { _, _ in .json(Self.token) }
    let request =
      #"{"authorization_endpoint":"\#(server.base)/auth","token_endpoint":"\#(server.base)/token","#
      + #""client_id":"1","redirect_uri":"https://app.example/done","refresh_token":"R1"}"#
    let outcome = try Program.run(["login", "--request", "-"], input: request)
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome["refresh_token"] as? String == "R2")
    #expect(server.requests.first?.body == "grant_type=refresh_token&refresh_token=R1&client_id=1")
  }
}
