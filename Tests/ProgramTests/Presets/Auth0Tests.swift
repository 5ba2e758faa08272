import Foundation
import LoginCore
import TestSupport
import Testing

/// https://auth0.com/docs/get-started/authentication-and-authorization-flow/authorization-code-flow-with-pkce
@Suite("Auth0", .blocking)
struct Auth0Tests {
  private static let issuer = "https://acme.eu.auth0.com/"

  /// Issues a refresh token only if the scope contains `offline_access`, and a new one with every refresh.
  private func standIn() throws -> PresetStandIn {
    let authority = try IDTokenAuthority(.rs256)
    return try PresetStandIn(
      "auth0", variables: ["tenant": "acme.eu"],
      page: { request in
        let isOffline = request.query["scope"]?.contains("offline_access") == true
        return PresetStandIn.redirect(request, with: "code=\(isOffline ? "offline" : "once")")
      },
      answer: { request in
        switch request.path {
        case "/.well-known/jwks.json": return authority.keys(["use": "sig"])
        case "/userinfo": return .json(#"{"sub":"ann"}"#)
        case "/oauth/revoke": return StandInServer.Answer(200)
        default: return Self.token(for: request, authority)
        }
      })
  }

  private static func token(
    for request: StandInServer.Request, _ authority: IDTokenAuthority
  ) -> StandInServer.Answer {
    let isRefresh = request.form["grant_type"] == "refresh_token"
    let idToken = try? authority.token(of: issuer, ["aud": "53", "nonce": isRefresh ? .null : "N"])
    let refreshToken = isRefresh || request.form["code"] == "offline"
    return .json(
      #"{"access_token":"\#(isRefresh ? "A2" : "A1")","token_type":"Bearer","expires_in":86400,"#
        + (refreshToken ? #""refresh_token":"\#(isRefresh ? "R2" : "R1")","# : "")
        + #""id_token":"\#(idToken ?? "")"}"#)
  }

  @Test("A native client signs in with PKCE and gets a refresh token, as README and man page show")
  func kept() throws {
    let standIn = try standIn()
    let login = try standIn.keep(["--scope", "openid offline_access"] + optionsFile(["nonce": "N"]))
    #expect(login.status == 0, "\(login.messages)")
    #expect(login["refresh_token"] as? String == "R1")
    #expect(login.checks["id_token"] == "verified")
    let request = try #require(standIn.server.requests.first)
    #expect(request.path == "/authorize" && request.query["code_challenge_method"] == "S256")
    #expect(request.query["redirect_uri"] == "https://acme.eu.auth0.com/mobile")
    #expect(try standIn.refresh().accessToken == "A2")
    #expect(
      standIn.server.requests.last { $0.path == "/oauth/token" }?.form == [
        "grant_type": "refresh_token", "refresh_token": "R1", "client_id": "53",
      ])
    #expect(try standIn.use("userinfo")["sub"] as? String == "ann")
    #expect(try standIn.use("logout")["revoked"] as? [String] == ["refresh_token", "access_token"])
  }

  @Test("Without offline_access there is no refresh token")
  func once() throws {
    let login = try standIn().login(optionsFile(["nonce": "N"]))
    #expect(login.status == 0, "\(login.messages)")
    #expect(login["refresh_token"] == nil)
  }
}
