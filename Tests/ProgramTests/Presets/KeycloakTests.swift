import Foundation
import LoginCore
import TestSupport
import Testing

/// https://www.keycloak.org/securing-apps/oidc-layers
@Suite("Keycloak", .blocking)
struct KeycloakTests {
  private static let place = ["server": "sso.example:8443/auth", "realm": "staff"]
  private static let issuer = "https://sso.example:8443/auth/realms/staff"
  private static let protocolPath = "/realms/staff/protocol/openid-connect"

  private static func answer(
    to request: StandInServer.Request, _ authority: IDTokenAuthority, issuer: String
  ) -> StandInServer.Answer {
    switch request.path {
    case protocolPath + "/certs": return authority.keys(["use": "sig"])
    case protocolPath + "/revoke": return StandInServer.Answer(200)
    case protocolPath + "/logout":
      return .redirect(
        "\(request.query["post_logout_redirect_uri"] ?? "")?state=\(request.query["state"] ?? "")")
    default:
      let number = request.form["grant_type"] == "refresh_token" ? 2 : 1
      let claims: JSONObject = [
        "aud": "53", "azp": "53", "typ": "ID", "acr": "1", "nonce": number == 1 ? "N" : .null,
      ]
      let idToken = (try? authority.token(of: issuer, claims)) ?? ""
      return .json(
        #"{"access_token":"A\#(number)","expires_in":300,"refresh_expires_in":1800,"refresh_token":"R\#(number)","#
          + #""token_type":"Bearer","id_token":"\#(idToken)","not-before-policy":0,"session_state":"8d2a","#
          + #""scope":"openid email"}"#)
    }
  }

  private func standIn(iss: String? = issuer) throws -> PresetStandIn {
    let authority = try IDTokenAuthority(.rs256)
    return try PresetStandIn(
      "keycloak", variables: Self.place,
      page: {
        PresetStandIn.redirect(
          $0,
          with: "session_state=8d2a&code=0cde.8d2a" + (iss.map { "&iss=\(FormEncoding.encode($0))" } ?? ""))
      },
      answer: { Self.answer(to: $0, authority, issuer: Self.issuer) })
  }

  @Test("Server and realm are variables, the issuer in the callback is verified, and Keycloak's members pass")
  func login() throws {
    let standIn = try standIn()
    let outcome = try standIn.keep(optionsFile(["nonce": "N"]))
    #expect(outcome.status == 0, "\(outcome.messages)")
    let checks = outcome.checks
    #expect(checks["iss"] == "verified" && checks["id_token"] == "verified" && checks["nonce"] == "verified")
    #expect(standIn.server.requests.first?.query["scope"] == "openid")
    #expect(outcome.output.contains(#""refresh_expires_in":1800"#))
    #expect(outcome.output.contains(#""not-before-policy":0"#))
    #expect(
      standIn.server.requests.map(\.path) == ["/auth", "/token", "/certs"].map { Self.protocolPath + $0 })
  }

  @Test("An old Keycloak sends no issuer, another issuer is refused, and a realm cannot leave its path")
  func issuers() throws {
    let old = try standIn(iss: nil).login(optionsFile(["nonce": "N"]))
    #expect(old.status == 0, "\(old.messages)")
    #expect(old.checks["iss"] == nil)
    let other = try standIn(iss: "https://sso.example:8443/auth/realms/other").login(
      optionsFile(["nonce": "N"]))
    #expect(other.status == 6)
    #expect(other.error == "issuer_mismatch")
    let explained = try Tokentry.run(
      ["explain", "--provider", "keycloak", "--client-id", "53", "--var", "server=sso.example", "--var"]
        + ["realm=a/../../b"])
    #expect(explained.output.contains("/realms/a%2F..%2F..%2Fb/"), "\(explained.output)")
  }

  @Test("Refresh tokens rotate, and logout revokes both tokens and ends the session in the browser")
  func afterwards() throws {
    let standIn = try standIn()
    let login = try standIn.keep(optionsFile(["nonce": "N"]))
    let token = try standIn.refresh()
    #expect(token["refresh_token"] as? String == "R2", "\(token.messages)")
    let logout = try Tokentry.run(
      standIn.words(of: "logout") + ["--redirect-uri", "https://app.example/out", "--headless-test"])
    #expect(logout.status == 0, "\(logout.messages)")
    #expect(logout["session_ended"] as? Bool == true)
    #expect(logout["revoked"] as? [String] == ["refresh_token", "access_token"])
    let page = try #require(standIn.server.requests.first { $0.path == Self.protocolPath + "/logout" })
    #expect(page.query["client_id"] == "53")
    #expect(page.query["id_token_hint"] != nil && login["id_token"] != nil)
  }

  // OpenID Connect Discovery section 4.1: the metadata are below the path of the issuer.
  @Test("Without the preset, the address of the realm is enough")
  func discovery() throws {
    let authority = try IDTokenAuthority(.rs256)
    let server = try StandInServer { request, base in
      let realm = base + "/realms/staff"
      switch request.path {
      case "/realms/staff/.well-known/openid-configuration":
        let endpoint = base + Self.protocolPath
        return .json(
          #"{"issuer":"\#(realm)","authorization_endpoint":"\#(endpoint)/auth","token_endpoint":"\#(endpoint)/token","#
            + #""jwks_uri":"\#(endpoint)/certs","authorization_response_iss_parameter_supported":true,"#
            + #""id_token_signing_alg_values_supported":["RS256"]}"#)
      case Self.protocolPath + "/auth":
        return PresetStandIn.redirect(request, with: "code=0cde&iss=\(FormEncoding.encode(realm))")
      default: return Self.answer(to: request, authority, issuer: realm)
      }
    }
    let outcome = try Tokentry.run(
      [
        "login", "--issuer", server.base + "/realms/staff", "--client-id", "53", "--scope", "openid",
        "--redirect-uri", "https://app.example/done", "--headless-test",
      ] + optionsFile(["nonce": "N"]))
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.checks["iss"] == "verified")
  }
}
