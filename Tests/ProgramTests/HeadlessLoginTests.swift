import Foundation
import TestSupport
import Testing

@Suite("A headless login that opens pages", .blocking)
struct HeadlessLoginTests {
  /// A provider with a form, a cookie that says who has signed in, and a consent page.
  private func provider() throws -> StandInServer {
    try StandInServer { request, base in
      let isSignedIn = request.headers["cookie"]?.contains("sid=ann") == true
      switch request.path {
      case "/.well-known/openid-configuration":
        return .json(
          #"{"issuer":"\#(base)","authorization_endpoint":"\#(base)/auth","token_endpoint":"\#(base)/token"}"#
        )
      case "/auth" where !isSignedIn:
        return .html("<form method=post action=/login><input name=user><input name=pw type=password></form>")
      case "/login" where request.body == "user=ann&pw=p%20w":
        return StandInServer.Answer(303, ["Location: /auth", "Set-Cookie: sid=ann; HttpOnly; Path=/"])
      case "/auth":
        return .html("<form method=post action=/consent><button name=answer value=yes>Yes</button></form>")
      case "/consent" where isSignedIn && request.body == "answer=yes":
        return .redirect("https://app.example/done?code=C&state=S")
      case "/token": return .json(#"{"access_token":"T","token_type":"Bearer"}"#)
      default: return .html("<form method=post action=/login><input name=user><input name=pw></form>")
      }
    }
  }

  private func login(_ server: StandInServer, _ form: [String]) throws -> Program.Outcome {
    try Program.run(
      [
        "login", "--issuer", server.base, "--client-id", "1", "--redirect-uri", "https://app.example/done",
        "--state", "S", "--headless-test",
      ] + form.flatMap { ["--form", $0] })
  }

  @Test("It signs in with the form, agrees, and exchanges the code; the password comes from a file")
  func complete() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "pw-\(UUID().uuidString)")
    try "p w\n".write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let server = try provider()
    let outcome = try login(server, ["user=ann", "pw=@\(file.path())", "answer=yes"])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.messages)")
    #expect(outcome["access_token"] as? String == "T")
    #expect(server.hits("/token") == 1)
    #expect(server.requests.last?.headers["cookie"] == nil, "cookies are for pages, not for token requests")
  }

  @Test("A refused password is not sent again, and the page is named")
  func refused() throws {
    let server = try provider()
    let outcome = try login(server, ["user=ann", "pw=wrong"])
    #expect(outcome.status == 8)
    #expect(outcome["error"] as? String == "login_required")
    #expect((outcome["details"] as? [String: String])?["uri"] == server.base + "/login")
    #expect(server.hits("/login") == 1)
  }
}
