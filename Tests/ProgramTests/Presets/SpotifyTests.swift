import Foundation
import TestSupport
import Testing

/// https://developer.spotify.com/documentation/web-api/tutorials/code-pkce-flow and
/// https://developer.spotify.com/documentation/web-api/concepts/redirect_uri
@Suite("Spotify", .blocking)
struct SpotifyTests {
  /// A refresh brings `newToken`, if any.
  private func standIn(newToken: String? = nil) throws -> PresetStandIn {
    try PresetStandIn(
      "spotify",
      page: { request in
        // The registered redirect URI has the address 127.0.0.1 and any port.
        guard (request.query["redirect_uri"] ?? "").hasPrefix("http://127.0.0.1"),
          request.query["redirect_uri"]?.hasSuffix("/callback") == true
        else { return StandInServer.Answer(400, [], "INVALID_CLIENT: Invalid redirect URI") }
        return PresetStandIn.redirect(request, with: "code=AQDf")
      },
      answer: { request in
        guard request.form["client_id"] == "53", request.headers["authorization"] == nil else {
          return .json(#"{"error":"invalid_client"}"#, status: 400)
        }
        if request.form["grant_type"] == "refresh_token" {
          return .json(
            #"{"access_token":"A2","token_type":"Bearer","expires_in":3600,"scope":"user-read-email""#
              + (newToken.map { #","refresh_token":"\#($0)"}"# } ?? "}"))
        }
        return .json(
          #"{"access_token":"A1","token_type":"Bearer","scope":"user-read-email","expires_in":3600,"#
            + #""refresh_token":"R1"}"#)
      })
  }

  @Test("A public client comes back to this machine at a port that it did not register")
  func login() throws {
    let standIn = try standIn()
    let outcome = try standIn.keep(["--scope", "user-read-email"], in: Browser())
    #expect(outcome.status == 0, "\(outcome.messages)")
    let redirect = try #require(standIn.server.requests.first?.query["redirect_uri"])
    #expect(redirect.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\/callback/) != nil)
    let exchange = try #require(standIn.server.requests.first { $0.path == "/api/token" })
    #expect(Set(exchange.form.keys) == ["grant_type", "code", "redirect_uri", "client_id", "code_verifier"])
    #expect(exchange.form["redirect_uri"] == redirect)
  }

  @Test("A refresh may bring a new refresh token; otherwise the old one is kept", arguments: [nil, "R2"])
  func refresh(newToken: String?) throws {
    let standIn = try standIn(newToken: newToken)
    #expect(try standIn.keep().status == 0)
    for number in 1...2 {
      let token = try standIn.refresh()
      #expect(token.accessToken == "A2", "\(token.messages)")
      #expect(token["refresh_token"] as? String == newToken ?? "R1")
      #expect(
        standIn.server.requests.last?.form == [
          "grant_type": "refresh_token", "refresh_token": number == 1 ? "R1" : newToken ?? "R1",
          "client_id": "53",
        ])
    }
  }
}
