import Foundation
import Synchronization
import TestSupport
import Testing

/// https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html, and the server's own
/// OauthApiController.
@Suite("Nextcloud", .blocking)
struct NextcloudTests {
  private static let registered = "http://127.0.0.1:8765/callback"
  private static let secret = ["TOKENTRY_CLIENT_SECRET": "s+/"]

  private func standIn() throws -> PresetStandIn {
    let code = Mutex("C")
    let count = Mutex(0)
    return try PresetStandIn(
      "nextcloud", variables: ["server": "cloud.example/nextcloud"],
      // Redirects to the registered address and ignores that of the request.
      page: { .redirect("\(Self.registered)?state=\($0.query["state"] ?? "")&code=C") },
      answer: { request in
        let given = request.form["code"] ?? request.form["refresh_token"]
        let isProven =
          request.headers["authorization"] == "Basic " + Data("53:s%2B%2F".utf8).base64EncodedString()
        return code.withLock { code in
          guard given == code else { return .json(#"{"error":"invalid_request"}"#, status: 400) }
          guard isProven else { return .json(#"{"error":"invalid_client"}"#, status: 400) }
          let number = count.withLock { count in
            count += 1
            return count
          }
          code = "R\(number)"
          return .json(
            #"{"access_token":"A\#(number)","token_type":"Bearer","expires_in":3600,"refresh_token":"\#(code)","#
              + #""user_id":"ann"}"#)
        }
      })
  }

  private static let redirect = ["--redirect-uri", registered]

  @Test("A client with a secret signs in at a server with a path, and the answer names the user")
  func login() throws {
    let standIn = try standIn()
    let outcome = try standIn.keep(Self.redirect, environment: Self.secret)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome["user_id"] as? String == "ann")
    #expect(outcome["expires_in"] as? Int != nil)
    let page = try #require(standIn.server.requests.first)
    #expect(page.path == "/index.php/apps/oauth2/authorize")
    #expect(page.query["code_challenge_method"] == "S256")
    let exchange = try #require(standIn.server.requests.last)
    #expect(exchange.path == "/index.php/apps/oauth2/api/v1/token")
    #expect(exchange.form["client_secret"] == nil && exchange.form["code_verifier"] != nil)
    let explained = try Tokentry.run(
      ["explain", "--provider", "nextcloud", "--var", "server=cloud.example/nextcloud", "--client-id", "53"]
        + Self.redirect)
    #expect(explained.output.contains("https://cloud.example/nextcloud/index.php/"), "\(explained.output)")
  }

  @Test("Refresh tokens rotate, and Nextcloud's error for a dead one needs a login")
  func rotation() throws {
    let standIn = try standIn()
    #expect(try standIn.keep(Self.redirect, environment: Self.secret).status == 0)
    for number in 2...3 {
      let token = try standIn.refresh()
      #expect(token.accessToken == "A\(number)", "\(token.messages)")
      #expect(token["user_id"] as? String == "ann")
    }
    // Another program uses the refresh token.
    _ = try standIn.run(
      ["login", "--options", "-"], input: #"{"refresh_token":"R3"}"#, environment: Self.secret)
    let dead = try standIn.refresh()
    #expect(dead.status == 8, "\(dead.output)")
    #expect(dead.error == "login_required")
  }

  @Test("Without its secret the client gets the server's error")
  func noSecret() throws {
    let outcome = try standIn().login(Self.redirect)
    #expect(outcome.status == 1)
    #expect(outcome.error == "invalid_client")
  }
}

/// https://docs.nextcloud.com/server/latest/developer_manual/client_apis/LoginFlow/
@Suite("Nextcloud's Login Flow v2", .blocking)
struct LoginFlowTests {
  /// A server at which the user signs in as soon as the page is opened, or at once.
  private func standIn(waitsForPage: Bool = false) throws -> PresetStandIn {
    let isSignedIn = Mutex(!waitsForPage)
    let base = Mutex("")
    let standIn = try PresetStandIn(
      "nextcloud-app", variables: ["server": "cloud.example"], page: { _ in StandInServer.Answer(500) },
      answer: { request in
        switch request.path {
        case "/index.php/login/v2":
          let server = base.withLock(\.self)
          return .json(
            #"{"poll":{"token":"P","endpoint":"\#(server)/login/v2/poll"},"login":"\#(server)/login/v2/flow/L"}"#
          )
        case "/login/v2/flow/L":
          isSignedIn.withLock { $0 = true }
          return StandInServer.Answer(200, ["Content-Type: text/html"], "<title>Connected</title>")
        case "/index.php/login/v2/poll" where request.form == ["token": "P"]:
          return isSignedIn.withLock(\.self)
            ? .json(#"{"server":"https:\/\/cloud.example","loginName":"ann","appPassword":"p-q"}"#)
            : .json("[]", status: 404)
        default:
          // Outside of the flow, an app password is needed.
          let isKnown = request.headers["authorization"] == "Bearer p-q"
          return .json(#"{"ocs":{"data":{"id":"ann"}}}"#, status: isKnown ? 200 : 401)
        }
      })
    base.withLock { $0 = standIn.server.base }
    return standIn
  }

  @Test("An app password is kept, signs requests, tells who the user is, and is deleted at logout")
  func account() throws {
    let standIn = try standIn()
    let login = try standIn.keep()
    #expect(login.status == 0, "\(login.messages)")
    #expect(
      login.output
        == #"{"access_token":"p-q","token_type":"Bearer","user_id":"ann","server":"https://cloud.example","checks":{}}"#
        + "\n")
    #expect(login.messages.contains("to sign in, open \(standIn.server.base)/login/v2/flow/L\n"))
    #expect(standIn.server.requests.first?.headers["user-agent"] == "53", "the name that Nextcloud shows")
    #expect(try standIn.use("token", "--output", "token").output == "p-q\n")
    let files = try standIn.use("request", standIn.server.base + "/remote.php/dav/files/ann")
    #expect(files.status == 0, "\(files.messages)")
    #expect(try standIn.use("userinfo").output.contains(#""id":"ann""#))
    let logout = try standIn.use("logout")
    #expect(logout["session_ended"] as? Bool == true, "\(logout.messages)")
    let deletion = try #require(standIn.server.requests.last)
    #expect(deletion.method == "DELETE" && deletion.path == "/ocs/v2.php/core/apppassword")
    #expect(deletion.headers["ocs-apirequest"] == "true")
  }

  @Test("The page is opened in the browser, and explain says so")
  func browser() throws {
    let standIn = try standIn(waitsForPage: true)
    let browser = try Browser()
    let outcome = try standIn.keep(in: browser)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.accessToken == "p-q")
    let explained = try standIn.run(["explain", "--way", "browser", "--browser", browser.command])
    #expect(explained["way"] as? String == "browser", "\(explained.messages)")
    #expect(explained["url"] as? String == standIn.server.base + "/index.php/login/v2")
  }
}
