import Foundation
import Synchronization
import TestSupport
import Testing

/// https://discord.com/developers/docs/topics/oauth2
@Suite("Discord", .blocking)
struct DiscordTests {
  private static let secret = ["TOKENTRY_CLIENT_SECRET": "937it3ow87i4ery69876wqire"]
  private static let basic = "Basic " + Data("53:937it3ow87i4ery69876wqire".utf8).base64EncodedString()

  private func standIn(issuer: String? = nil) throws -> PresetStandIn {
    let count = Mutex(0)
    return try PresetStandIn(
      "discord",
      page: { PresetStandIn.redirect($0, with: "code=NhhvTDYs" + (issuer.map { "&iss=\($0)" } ?? "")) },
      answer: { request in
        if request.path == "/api/users/@me" {
          return .json(#"{"id":"80351110224678912","username":"nelly"}"#)
        }
        // Both endpoints accept forms only.
        guard request.headers["content-type"] == "application/x-www-form-urlencoded" else {
          return .json(#"{"message":"400: Bad Request","code":0}"#, status: 400)
        }
        if request.path == "/api/oauth2/token/revoke" { return .json("{}") }
        let isProven = request.headers["authorization"] == Self.basic
        let isPublic = request.form["client_id"] == "53" && request.form["client_secret"] == nil
        guard isProven || isPublic else { return .json(#"{"error":"invalid_client"}"#, status: 401) }
        return count.withLock { count in
          count += 1
          return .json(
            #"{"access_token":"A\#(count)","token_type":"Bearer","expires_in":604800,"refresh_token":"R\#(count)","#
              + #""scope":"identify"}"#)
        }
      })
  }

  private static let redirect = ["--redirect-uri", "http://127.0.0.1:8765/"]

  @Test("A confidential client uses Basic at every endpoint, revocation included")
  func confidential() throws {
    let standIn = try standIn()
    let login = try standIn.keep(Self.redirect, environment: Self.secret)
    #expect(login.status == 0, "\(login.messages)")
    #expect(standIn.server.requests.first?.query["scope"] == "identify")
    #expect(login["scope"] as? String == "identify")
    #expect(try standIn.refresh()["refresh_token"] as? String == "R2")
    #expect(standIn.server.requests.last?.form == ["grant_type": "refresh_token", "refresh_token": "R1"])
    #expect(try standIn.use("userinfo")["username"] as? String == "nelly")
    let logout = try standIn.use("logout")
    #expect(logout["revoked"] as? [String] == ["refresh_token", "access_token"], "\(logout.messages)")
    let revocations = standIn.server.requests.filter { $0.path == "/api/oauth2/token/revoke" }
    #expect(
      revocations.map(\.form) == [
        ["token": "R2", "token_type_hint": "refresh_token"],
        ["token": "A2", "token_type_hint": "access_token"],
      ])
    #expect(
      standIn.server.requests.filter { $0.method == "POST" }
        .allSatisfy { $0.headers["authorization"] == Self.basic })
  }

  @Test("A public client is named in the body and protected by PKCE, also in a refresh")
  func publicClient() throws {
    let standIn = try standIn(issuer: "https%3A%2F%2Fdiscord.com")
    let login = try standIn.keep(Self.redirect)
    #expect(login.status == 0, "\(login.messages)")
    #expect(login.checks["iss"] == "verified")
    #expect(standIn.server.requests.first?.query["code_challenge_method"] == "S256")
    #expect(standIn.server.requests.first?.query["redirect_uri"] == "http://127.0.0.1:8765/")
    let exchange = try #require(standIn.server.requests.last)
    #expect(exchange.form["client_id"] == "53" && exchange.form["code_verifier"] != nil)
    #expect(try standIn.refresh().accessToken == "A2")
    #expect(
      standIn.server.requests.last?.form == [
        "grant_type": "refresh_token", "refresh_token": "R1", "client_id": "53",
      ])
  }

  @Test("A callback with another issuer is refused")
  func otherIssuer() throws {
    let outcome = try standIn(issuer: "https%3A%2F%2Fevil.example").login(Self.redirect)
    #expect(outcome.status == 6)
    #expect(outcome.error == "issuer_mismatch")
  }
}
