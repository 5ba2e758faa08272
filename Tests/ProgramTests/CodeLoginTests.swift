import Foundation
import TestSupport
import Testing

@Suite("Login with a code", .blocking)
struct CodeLoginTests {
  private static let token =
    #"{"access_token":"T","token_type":"Bearer","expires_in":3600,"refresh_token":"R2"}"#
  private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

  private func login(
    _ server: StandInServer, _ more: [String] = [], environment: [String: String] = [:]
  ) throws -> Outcome {
    try Tokentry.run(
      ["login"] + server.endpoints(client: "a:b") + Tokentry.pasted + more, input: Tokentry.callback,
      environment: environment)
  }

  @Test("The code is exchanged with its verifier, and the token is printed")
  func exchange() throws {
    let server = try StandInServer { _, _ in .json(Self.token) }
    let outcome = try login(server, optionsFile(["code_verifier": Self.verifier]))
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.accessToken == "T")
    #expect(
      outcome.output.hasSuffix(#""checks":{"redirect":"exact","state":"verified","pkce":"S256"}}"# + "\n"))
    let request = try #require(server.requests.first)
    #expect(server.requests.count == 1)
    #expect(request.method == "POST")
    #expect(request.headers["content-type"] == "application/x-www-form-urlencoded")
    #expect(request.headers["accept"] == "application/json")
    #expect(request.body.contains("code_verifier=" + Self.verifier))
    #expect(request.body.contains("client_id=a%3Ab"))
  }

  // OpenID Connect Core section 11.
  @Test(
    "A refresh token that was asked for and has not come is a warning, unless the user is asked for consent")
  func noRefreshToken() throws {
    let bare = #"{"access_token":"T","token_type":"Bearer"}"#
    for (token, options, isWarned) in [
      (bare, ["--scope", "a offline_access"], true), (bare, ["--scope", "not_offline_access"], false),
      (bare, ["--scope", "a offline_access", "--param", "prompt=consent"], false),
      (Self.token, ["--scope", "a offline_access"], false),
    ] {
      let server = try StandInServer { _, _ in .json(token) }
      let outcome = try login(server, options)
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(outcome.messages.contains("warning: no refresh token came") == isWarned, "\(options)")
    }
  }

  @Test("A missing server is a network error, and another try may succeed")
  func noServer() throws {
    let base = "http://127.0.0.1:1024"  // below the ports that a test may get
    let outcome = try Tokentry.run(
      [
        "login", "--endpoint", "authorization=\(base)/auth", "--endpoint", "token=\(base)/token",
        "--client-id",
      ]
        + ["1"] + Tokentry.pasted, input: Tokentry.callback)
    #expect(outcome.status == 5)
    #expect(outcome.error == "network_error")
    #expect(outcome["retryable"] as? Bool == true)
  }
}

@Suite("A login that refreshes a token", .blocking)
struct RefreshTests {
  @Test("A refresh token in a document of options is refreshed without a user")
  func document() throws {
    let server = try StandInServer { _, _ in
      .json(#"{"access_token":"T","token_type":"Bearer","expires_in":3600,"refresh_token":"R2"}"#)
    }
    let outcome = try Tokentry.run(
      ["login"] + server.endpoints() + ["--redirect-uri", "https://app.example/done", "--options", "-"],
      input: #"{"refresh_token":"R1"}"#)
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome["refresh_token"] as? String == "R2")
    #expect(server.requests.first?.body == "grant_type=refresh_token&refresh_token=R1&client_id=me")
  }

  @Test(
    "A new id_token has to be about the same user", arguments: [("no-expiry", 0), ("other-user", 6)])
  func refresh(fault: String, status: Int) throws {
    let demo = try RunningDemo()
    try demo.post("", ["refresh=kept"])
    let token = try demo.login()
    try demo.faults(fault)
    let outcome = try demo.login(["--token-file", "-"], input: token.output)
    #expect(outcome.status == status, "\(outcome)")
    #expect(try demo.count("refreshes") == 1)
    #expect(try demo.count("sign_ins") == 1)
    if status == 0 {
      #expect(outcome["refresh_token"] as? String == token["refresh_token"] as? String)
      #expect(outcome.checks == ["id_token": "verified"])
    } else {
      #expect(outcome.error == "invalid_id_token")
    }
  }
}

@Suite("A headless login that opens pages", .blocking)
struct HeadlessLoginTests {
  /// A provider with a form, a cookie for the user who has signed in, and a consent page.
  private func provider() throws -> StandInServer {
    try StandInServer { request, base in
      let isSignedIn = request.headers["cookie"]?.contains("sid=ann") == true
      switch request.path {
      case "/.well-known/openid-configuration": return .metadata(base)
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

  private func login(_ server: StandInServer, _ form: [String], _ more: [String] = []) throws -> Outcome {
    try Tokentry.run(
      ["login", "--issuer", server.base, "--client-id", "1", "--redirect-uri", "https://app.example/done"]
        + ["--state", "S", "--headless-test"] + form.flatMap { ["--form", $0] } + more)
  }

  @Test("The agent signs in with the form, agrees, and the code is exchanged; the password comes from a file")
  func complete() throws {
    let folder = TemporaryFolder()
    let file = try folder.write("p w\n", to: "password")
    let server = try provider()
    let outcome = try login(server, ["user=ann", "pw=@\(file)", "answer=yes"])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.accessToken == "T")
    #expect(server.hits("/token") == 1)
    #expect(server.requests.last?.headers["cookie"] == nil, "cookies are for pages, not for token requests")
  }

  /// Django refuses a form over https unless both its cookie and its page are its own: since version 4 it reads the page's
  /// origin, and before that the page's address (`CsrfViewMiddleware`).
  @Test("A server that protects its forms as Django does takes them", arguments: ["origin", "referer"])
  func crossSiteProtection(field: String) throws {
    let identity = try TestAuthority().selfSigned("django")
    let server = try StandInServer(identity: identity) { request, base in
      let page = request.headers[field].map { field == "origin" ? $0 + "/" : $0 }
      let isOwn = page?.hasPrefix(base + "/") == true && request.headers["cookie"] == "csrftoken=K"
      return switch request.path {
      case "/.well-known/openid-configuration": .metadata(base)
      case "/login" where request.method == "POST" && !(isOwn && request.form["csrfmiddlewaretoken"] == "K"):
        StandInServer.Answer(403)
      case "/login" where request.method == "POST": .redirect("https://app.example/done?code=C&state=S")
      case "/auth": .redirect("/login")
      case "/token": .json(#"{"access_token":"T","token_type":"Bearer"}"#)
      default:
        StandInServer.Answer(
          200, ["Set-Cookie: csrftoken=K; Secure; SameSite=Lax; Path=/", "Content-Type: text/html"],
          "<form method=post><input type=hidden name=csrfmiddlewaretoken value=K><input name=user></form>")
      }
    }
    let outcome = try login(
      server, ["user=ann"], ["--trust", "127.0.0.1=sha256:\(identity.fingerprint())"])
    #expect(outcome.status == 0, "\(outcome)")
  }

  @Test("A wrong password is not sent again, and the error names the page")
  func refused() throws {
    let server = try provider()
    let outcome = try login(server, ["user=ann", "pw=wrong"])
    #expect(outcome.status == 8)
    #expect(outcome.error == "login_required")
    #expect(outcome.details["uri"] as? String == server.base + "/login")
    #expect(server.hits("/login") == 1)
  }
}
