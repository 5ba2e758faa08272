import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Logout", .blocking)
struct LogoutTests {
  private let folder = TemporaryFolder()

  private func run(_ arguments: [String], input: String = "") throws -> Outcome {
    try Tokentry.run(
      arguments, input: input,
      environment: [
        "TOKENTRY_STORE": "file:\(folder.path)/accounts", "XDG_STATE_HOME": "\(folder.path)/state",
      ])
  }

  /// A server whose revocation endpoint answers with `status`, and an account there.
  private func withAccount(
    revoking status: Int? = 200, life: Int = 3_600, _ body: (StandInServer) throws -> Void
  ) throws {
    let server = try StandInServer { request, _ in
      switch request.path {
      case "/t":
        .json(#"{"access_token":"T","token_type":"Bearer","expires_in":\#(life),"refresh_token":"R"}"#)
      case "/end":
        .redirect("https://app.example/out?state=\(request.query["state"] ?? "")")
      case "/other-state": .redirect("https://app.example/out?state=other")
      default: StandInServer.Answer(status ?? 404)
      }
    }
    var endpoints = [
      "--endpoint", "authorization=\(server.base)/a", "--endpoint", "token=\(server.base)/t",
      "--endpoint", "end_session=\(server.base)/end",
    ]
    if status != nil { endpoints += ["--endpoint", "revocation=\(server.base)/revoke"] }
    let login = try run(
      ["login", "--client-id", "me"] + Tokentry.pasted + ["--account", "work", "--session", "mail"]
        + endpoints, input: Tokentry.callback)
    try #require(login.status == 0, "\(login.messages)")
    let cookies = "\(folder.path)/state/tokentry/sessions/mail"
    try FileManager.default.createDirectory(
      atPath: cookies, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try body(server)
  }

  private var isKept: Bool { folder.contains("accounts/work.json") }
  private var hasCookies: Bool { folder.contains("state/tokentry/sessions/mail") }

  @Test("Both tokens are revoked, the refresh token first, and then token and cookies are deleted")
  func revoked() throws {
    try withAccount { server in
      let outcome = try run(["logout", "--account", "work"])
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(
        outcome.output
          == #"{"account":"work","revoked":["refresh_token","access_token"],"session_ended":false,"session":"mail","forgotten":true}"#
          + "\n")
      let revocations = server.requests.filter { $0.path == "/revoke" }
      #expect(revocations.map { $0.form["token"] } == ["R", "T"])
      #expect(revocations.allSatisfy { $0.form["client_id"] == "me" && $0.method == "POST" })
      #expect(!isKept && !hasCookies)
      let again = try run(["logout", "--account", "work"])
      #expect(again.status == 8)
      #expect(again.error == "unknown_account")
    }
  }

  @Test("A warning says that the refresh token stays valid at a provider that revokes none")
  func notRevoked() throws {
    try withAccount(revoking: nil) { _ in
      let outcome = try run(["logout", "--account", "work"])
      #expect(outcome.status == 0 && outcome.output.contains(#""revoked":[]"#), "\(outcome.output)")
      #expect(outcome.messages.hasPrefix("tokentry: warning: the provider does not revoke tokens"))
      #expect(!isKept)
    }
  }

  // RFC 7009 section 2.2.1.
  @Test(
    "A failed revocation keeps the account, unless --force is given", arguments: [503, 500])
  func busy(status: Int) throws {
    try withAccount(revoking: status) { _ in
      let outcome = try run(["logout", "--account", "work"])
      #expect(outcome.status == (status == 503 ? 1 : 5))
      #expect(outcome.error == (status == 503 ? "temporarily_unavailable" : "bad_provider_response"))
      #expect(outcome["retryable"] as? Bool == true)
      #expect(isKept && hasCookies)
      #expect(try run(["token", "--account", "work", "--silent"]).accessToken == "T")
      let forced = try run(["logout", "--account", "work", "--force"])
      #expect(forced.status == 0, "\(forced.messages)")
      #expect(forced["revoked"] as? [String] == [])
      #expect(forced.messages.contains("tokentry: warning: "))
      #expect(!isKept && !hasCookies)
    }
  }

  // OpenID Connect RP-Initiated Logout sections 2 and 3.
  @Test("With --redirect-uri the provider's session is ended on its page before the tokens are revoked")
  func page() throws {
    try withAccount { server in
      let outcome = try run(
        ["logout", "--account", "work", "--redirect-uri", "https://app.example/out", "--headless-test"])
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(outcome["session_ended"] as? Bool == true)
      let page = try #require(server.requests.first { $0.path == "/end" })
      #expect(page.query["client_id"] == "me")
      #expect(page.query["post_logout_redirect_uri"] == "https://app.example/out")
      #expect(server.requests.map(\.path) == ["/t", "/end", "/revoke", "/revoke"])
    }
  }

  @Test("The browser brings the user back from that page with the state")
  func browser() throws {
    try withAccount { server in
      let redirect = "http://127.0.0.1:\(try freePort())/out"
      let browser = try Browser(
        "import urllib.parse\n" + "query = urllib.parse.parse_qs(urllib.parse.urlparse(address).query)\n"
          + "address = query['post_logout_redirect_uri'][0] + '?state=' + query['state'][0]")
      let outcome = try run([
        "logout", "--account", "work", "--redirect-uri", redirect, "--browser", browser.command, "--way",
        "browser",
      ])
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(outcome["session_ended"] as? Bool == true)
      #expect(browser.page().contains("Almost done"))
    }
  }

  @Test("If that page does not come back in time, the failure says so")
  func late() throws {
    try withAccount { _ in
      let outcome = try run([
        "logout", "--account", "work", "--redirect-uri", "http://127.0.0.1:\(try freePort())/out", "--way",
        "browser",
        "--browser", "true", "--timeout", "2",
      ])
      #expect(outcome.status == 4, "\(outcome.messages)")
      #expect(
        outcome.messages.contains("the provider's page that ends the session has not come back in time"))
    }
  }

  @Test("A wrong state, a missing state or no callback from that page keeps the account")
  func otherState() throws {
    try withAccount { server in
      for (line, status, code) in [
        ("https://app.example/out?state=other\n", Int32(6), "state_mismatch"),
        ("https://app.example/out\n", 6, "state_missing"), ("", 3, "cancelled"),
      ] {
        let outcome = try run(
          ["logout", "--account", "work", "--redirect-uri", "https://app.example/out", "--headless-test"]
            + ["--navigations", "-"], input: line)
        #expect(outcome.status == status)
        #expect(outcome.error == code)
      }
      #expect(server.hits("/revoke") == 0)
      #expect(isKept && hasCookies)
    }
  }

  @Test("With --silent no page is opened")
  func silent() throws {
    try withAccount { server in
      let outcome = try run(
        ["logout", "--account", "work", "--redirect-uri", "https://app.example/out", "--silent"])
      #expect(outcome["session_ended"] as? Bool == false, "\(outcome.output)")
      #expect(server.hits("/end") == 0)
    }
  }

  @Test("A damaged account can be deleted with --force")
  func damaged() throws {
    try withAccount { _ in
      truncate("\(folder.path)/accounts/work.json", 40)
      #expect(try run(["logout", "--account", "work"]).error == "store_unavailable")
      let outcome = try run(["logout", "--account", "work", "--force", "--session", "mail"])
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(!isKept && !hasCookies)
    }
  }

  @Test("userinfo asks with the account's token, and only the account's own provider")
  func userinfo() throws {
    try withAccount { server in
      let arguments = ["userinfo", "--account", "work", "--endpoint", "userinfo=\(server.base)/t"]
      let outcome = try run(arguments)
      #expect(outcome.accessToken == "T", "\(outcome.messages)")
      #expect(server.requests.last?.headers["authorization"] == "Bearer T")
      for more in [["--issuer", "https://as.example"], ["--token-file", "-"], ["--client-id", "other"]] {
        #expect(try run(arguments + more, input: #"{"access_token":"T","token_type":"Bearer"}"#).status == 2)
      }
      #expect(try run(["userinfo", "--account", "none"]).error == "unknown_account")
    }
  }
}
