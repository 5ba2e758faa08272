import Foundation
import LoginCore
import Synchronization
import TestSupport
import Testing

/// https://developers.google.com/identity/protocols/oauth2/native-app
@Suite("Google", .blocking)
struct GoogleTests {
  private static let secret = ["TOKENTRY_CLIENT_SECRET": "GOCSPX"]

  private func standIn(issuer: String = "https://accounts.google.com") throws -> PresetStandIn {
    let authority = try IDTokenAuthority(.rs256)
    let live = Mutex(["R", "A1", "A2"])
    return try PresetStandIn(
      "google",
      page: {
        PresetStandIn.redirect(
          $0, with: "code=4%2FP7q7W91&scope=email%20openid&authuser=0&hd=example.com&prompt=consent")
      },
      answer: { request in
        switch request.path {
        case "/oauth2/v3/certs": return authority.keys
        case "/v1/userinfo": return .json(#"{"sub":"ann","email":"ann@mail.example"}"#)
        case "/revoke":
          // Revoking one token of a grant ends both. Revoking a dead token is an error.
          let wasLive = live.withLock { live in
            defer { live = [] }
            return live.contains(request.form["token"] ?? "")
          }
          return wasLive ? .json("{}") : .json(#"{"error":"invalid_token"}"#, status: 400)
        default:
          guard request.form["client_secret"] == "GOCSPX" else {
            return .json(
              #"{"error":"invalid_request","error_description":"client_secret is missing."}"#, status: 400)
          }
          let isRefresh = request.form["grant_type"] == "refresh_token"
          let claims: JSONObject = ["aud": "53", "azp": "53", "nonce": isRefresh ? .null : "N"]
          let idToken = (try? authority.token(of: issuer, claims)) ?? ""
          return .json(
            #"{"access_token":"A\#(isRefresh ? 2 : 1)","expires_in":3599,"scope":"openid email","#
              + #""token_type":"Bearer","id_token":"\#(idToken)"\#(isRefresh ? "" : #","refresh_token":"R""#)}"#
          )
        }
      })
  }

  @Test("A desktop client signs in in the browser, on a port of its own, with its secret in the body")
  func login() throws {
    let standIn = try standIn()
    let outcome = try standIn.keep(optionsFile(["nonce": "N"]), in: Browser(), environment: Self.secret)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.checks["id_token"] == "verified")
    #expect((outcome["claims"] as? [String: Any])?["sub"] as? String == "ann")
    let page = try #require(standIn.server.requests.first { $0.path == "/o/oauth2/v2/auth" }).query
    #expect(page["redirect_uri"]?.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\//) != nil)
    #expect(page["scope"] == "openid email")
    #expect(page["code_challenge_method"] == "S256")
    let exchange = try #require(standIn.server.requests.first { $0.path == "/token" })
    #expect(
      Set(exchange.form.keys) == [
        "grant_type", "code", "redirect_uri", "code_verifier", "client_id", "client_secret",
      ])
    #expect(exchange.form["code"] == "4/P7q7W91")
    #expect(exchange.headers["authorization"] == nil)
  }

  /// https://developers.google.com/identity/protocols/oauth2/limited-input-device
  @Test("Over ssh a forwarded port or a paste brings the answer, since a desktop client gets no device code")
  func overSSH() throws {
    let ssh = ["SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"]
    let standIn = try standIn()
    #expect(try standIn.run(["explain"], environment: ssh)["way"] as? String == "browser")
    // A client for televisions can ask for a code.
    let asked = try standIn.run(["explain", "--way", "device"], environment: ssh)
    #expect(asked["way"] as? String == "device", "\(asked.output)")
  }

  @Test("A refresh brings no new refresh token, and the old one is kept")
  func refresh() throws {
    let standIn = try standIn()
    #expect(try standIn.keep(optionsFile(["nonce": "N"]), environment: Self.secret).status == 0)
    for _ in 0..<2 {
      let token = try standIn.refresh()
      #expect(token.status == 0, "\(token.messages)")
      #expect(token.accessToken == "A2")
      #expect(token["refresh_token"] as? String == "R")
      let request = try #require(standIn.server.requests.last { $0.path == "/token" })
      #expect(
        request.form == [
          "grant_type": "refresh_token", "refresh_token": "R", "client_id": "53", "client_secret": "GOCSPX",
        ])
    }
    #expect(try standIn.use("userinfo")["email"] as? String == "ann@mail.example")
  }

  @Test("Revoking the access token after the refresh token fails at Google, and is not an error here")
  func revocation() throws {
    let standIn = try standIn()
    #expect(try standIn.keep(optionsFile(["nonce": "N"]), environment: Self.secret).status == 0)
    let logout = try standIn.use("logout")
    #expect(logout.status == 0, "\(logout.messages)")
    #expect(logout["revoked"] as? [String] == ["refresh_token", "access_token"])
    #expect(standIn.server.requests.filter { $0.path == "/revoke" }.map { $0.form["token"] } == ["R", "A1"])
  }

  @Test("The window is not used, and an id_token of another issuer is refused")
  func refused() throws {
    let standIn = try standIn(issuer: "https://accounts.google.example")
    // With this redirect URI only the window could hand the answer back.
    let explained = try standIn.run(
      ["explain", "--redirect-uri", "https://app.example/done"], environment: ["DISPLAY": ":4096"])
    #expect(explained["way"] as? String == "browser", "\(explained.output)")
    let outcome = try standIn.run(
      ["login", "--headless-test"] + optionsFile(["nonce": "N"]), environment: Self.secret)
    #expect(outcome.status == 6)
    #expect(outcome.error == "invalid_id_token")
  }
}
