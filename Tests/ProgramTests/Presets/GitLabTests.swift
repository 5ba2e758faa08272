import Foundation
import LoginCore
import Synchronization
import TestSupport
import Testing

/// https://docs.gitlab.com/api/oauth2/
@Suite("GitLab", .blocking)
struct GitLabTests {
  /// Issues A1, R1 and so on. A refresh token can be used once.
  private func standIn(_ server: String = "gitlab.com", own: [String: Any] = [:]) throws -> PresetStandIn {
    let authority = try IDTokenAuthority(.rs256)
    let count = Mutex(0)
    return try PresetStandIn(
      "gitlab", variables: server == "gitlab.com" ? [:] : ["server": server], own: own,
      page: { PresetStandIn.redirect($0, with: "code=1234567890") },
      answer: { request in
        if request.path == "/oauth/discovery/keys" { return authority.keys }
        if request.path == "/oauth/authorize_device" {
          return .json(
            #"{"device_code":"D","user_code":"0A44L90H","verification_uri":"https://gitlab.example/oauth/device","#
              + #""verification_uri_complete":"https://gitlab.example/oauth/device?user_code=0A44L90H","#
              + #""expires_in":300,"interval":1}"#)
        }
        if request.path == "/oauth/revoke" { return .json("{}") }
        return count.withLock { count in
          if let old = request.form["refresh_token"], old != "R\(count)" {
            return .json(
              #"{"error":"invalid_grant","error_description":"The provided authorization grant is invalid"}"#,
              status: 400)
          }
          count += 1
          let claims: JSONObject = ["aud": "53", "nonce": count == 1 ? "N" : .null]
          let idToken = (try? authority.token(of: "https://\(server)", claims)) ?? ""
          return .json(
            #"{"access_token":"A\#(count)","token_type":"bearer","expires_in":7200,"refresh_token":"R\#(count)","#
              + #""created_at":1607635748\#(request.form["device_code"] == nil ? #","id_token":"\#(idToken)""# : "")}"#
          )
        }
      })
  }

  @Test("A public client signs in with PKCE only, and created_at stays a number")
  func login() throws {
    let standIn = try standIn()
    let outcome = try standIn.keep(
      ["--scope", "openid read_user"] + optionsFile(["nonce": "N"]), in: Browser())
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.output.contains(#""created_at":1607635748"#))
    #expect(outcome.checks["id_token"] == "verified")
    let page = try #require(standIn.server.requests.first)
    #expect(page.query["redirect_uri"]?.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\//) != nil)
    let exchange = try #require(standIn.server.requests.first { $0.path == "/oauth/token" })
    #expect(Set(exchange.form.keys) == ["client_id", "code", "grant_type", "redirect_uri", "code_verifier"])
    #expect(exchange.headers["authorization"] == nil)
  }

  @Test("Refresh tokens rotate: the newest one is kept, and a dead one needs a login")
  func rotation() throws {
    let standIn = try standIn()
    #expect(try standIn.keep(["--scope", "openid"] + optionsFile(["nonce": "N"])).status == 0)
    for number in 2...3 {
      #expect(try standIn.refresh().accessToken == "A\(number)")
    }
    // Another program uses the refresh token.
    _ = try standIn.run(["login", "--options", "-"], input: #"{"refresh_token":"R3"}"#)
    let dead = try standIn.refresh()
    #expect(dead.status == 8)
    #expect(dead.error == "login_required")
    #expect(try standIn.use("logout")["revoked"] as? [String] == ["refresh_token", "access_token"])
  }

  @Test("A device gets its token with a code that the user enters at GitLab")
  func device() throws {
    let standIn = try standIn()
    let outcome = try standIn.run(["login", "--way", "device", "--scope", "read_user"])
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.messages.contains("enter the code 0A44L90H"))
    #expect(
      standIn.server.requests.last?.form == [
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": "D", "client_id": "53",
      ])
  }

  @Test("A self-hosted GitLab has its own issuer and API")
  func ownServer() throws {
    let ours = try standIn("git.example:8443/gitlab").login(
      ["--scope", "openid"] + optionsFile(["nonce": "N"]))
    #expect(ours.status == 0, "\(ours.output)")
    let theirs = try standIn("git.example", own: ["issuer": "https://gitlab.com"])
      .login(["--scope", "openid"] + optionsFile(["nonce": "N"]))
    #expect(theirs.error == "invalid_id_token")
    let preset = try Preset(Array(PresetStandIn.text("gitlab")))
    let own = try preset.provider(variables: ["server": "git.example"], clientID: "53")
    #expect(own.apiOrigins.map(\.description) == ["https://git.example"])
  }
}
