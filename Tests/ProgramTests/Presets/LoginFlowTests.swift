import Foundation
import Synchronization
import TestSupport
import Testing

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
