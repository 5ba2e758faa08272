import Foundation
import TestSupport
import Testing

/// VK ID as its documents have it (https://id.vk.com/about/business/go/docs/en/vkid/latest/vk-id/connection/api-description).
@Suite("VK ID, against a stand-in", .blocking)
struct VKIDTests {
  private static func token(state: String) -> StandInServer.Answer {
    .json(
      """
      {"refresh_token":"R","access_token":"A","id_token":"I.D.T","token_type":"Bearer","expires_in":3600,
      "user_id":1234567890,"state":"\(state)","scope":"vkid.personal_info email"}
      """)
  }

  private func standIn(
    callback: @escaping @Sendable (String) -> String = {
      "vk53://vk.ru/blank.html?code=C&expires_in=600&device_id=D&state=\($0)&ext_id=E&type=code_v2"
    },
    answer: @escaping @Sendable (StandInServer.Request) -> StandInServer.Answer = {
      token(state: $0.query["state"] ?? "")
    }
  ) throws -> PresetStandIn { try PresetStandIn("vkid", callback: callback, answer: answer) }

  @Test("the authorization request has the documented parameters and no other")
  func authorization() throws {
    let standIn = try standIn()
    let outcome = try standIn.login(["--scope", "email", "--param", "lang_id=3", "--param", "scheme=dark"])
    #expect(outcome.status == 0, "\(outcome.output)")
    let query = try #require(standIn.server.requests.first).query
    #expect(
      Set(query.keys) == [
        "response_type", "client_id", "redirect_uri", "state", "scope", "code_challenge",
        "code_challenge_method",
        "prompt", "lang_id", "scheme",
      ])
    #expect(query["response_type"] == "code")
    #expect(query["redirect_uri"] == "vk53://vk.ru/blank.html")
    #expect(query["code_challenge_method"] == "S256")
    #expect(query["prompt"] == "login")
    #expect(query["client_id"] == "53")
  }

  @Test("the caller's prompt takes the place of the preset's")
  func prompt() throws {
    let standIn = try standIn()
    #expect(try standIn.login(["--prompt", "consent"]).status == 0)
    #expect(standIn.server.requests.first?.query["prompt"] == "consent")
  }

  @Test("the exchange has the code in the body and the rest in the query, with a state of its own")
  func exchange() throws {
    let standIn = try standIn()
    let outcome = try standIn.login()
    #expect(outcome.status == 0, "\(outcome.output)")
    let login = try #require(standIn.server.requests.first).query
    let exchange = try #require(standIn.server.requests.last)
    #expect(standIn.server.hits("/oauth2/auth") == 1)
    #expect(exchange.method == "POST")
    #expect(exchange.headers["content-type"] == "application/x-www-form-urlencoded")
    #expect(exchange.form == ["code": "C"])
    #expect(
      Set(exchange.query.keys) == [
        "grant_type", "redirect_uri", "client_id", "device_id", "state", "code_verifier",
      ])
    #expect(exchange.query["grant_type"] == "authorization_code")
    #expect(exchange.query["device_id"] == "D")
    #expect(exchange.query["redirect_uri"] == "vk53://vk.ru/blank.html")
    let state = try #require(exchange.query["state"])
    #expect(!state.isEmpty && state != login["state"])
  }

  @Test(
    "the token has the user's number as it came, the device, and an id_token that nobody claims to have checked"
  )
  func token() throws {
    let outcome = try standIn().login()
    #expect(outcome["access_token"] as? String == "A")
    #expect(outcome.output.contains(#""user_id":1234567890"#))
    #expect(outcome["device_id"] as? String == "D")
    #expect(outcome["id_token"] as? String == "I.D.T")
    #expect(outcome["state"] == nil)
    #expect(outcome.output.contains(#""checks":{"redirect":"exact","state":"verified","pkce":"S256"}"#))
  }

  @Test("the deep-link form of the redirect is the redirect as well")
  func deepLink() throws {
    let outcome = try standIn(callback: { "vk53://?code=C&device_id=D&state=\($0)&type=code_v2&expires_in=1" }
    ).login()
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains(#""redirect":"alias""#))
  }

  @Test("a callback without a device is malformed, and nothing is exchanged")
  func noDevice() throws {
    let standIn = try standIn(callback: { "vk53://vk.ru/blank.html?code=C&state=\($0)" })
    let outcome = try standIn.login()
    #expect(outcome.status == 6)
    #expect(outcome["error"] as? String == "malformed_callback")
    #expect(outcome.output.contains(#""details":{"missing":["device_id"]}"#))
    #expect(standIn.server.hits("/oauth2/auth") == 0)
  }

  @Test("an answer without a user is no token there, and a secret is no business of VK's")
  func members() throws {
    let standIn = try standIn(answer: {
      .json(#"{"access_token":"A","token_type":"Bearer","state":"\#($0.query["state"] ?? "")"}"#)
    })
    let outcome = try standIn.login(environment: ["TOKENTRY_CLIENT_SECRET": "s"])
    #expect(outcome.status == 6)
    #expect(outcome.output.contains(#""details":{"missing":["user_id"]}"#), "\(outcome.output)")
    let exchange = try #require(standIn.server.requests.last)
    #expect(exchange.headers["authorization"] == nil && exchange.form == ["code": "C"])
  }

  @Test(
    "an answer that repeats no state, or another, is not that of the exchange",
    arguments: [("", "state_mismatch"), ("other", "state_mismatch")])
  func echo(state: String, code: String) throws {
    let outcome = try standIn(answer: { _ in Self.token(state: state) }).login()
    #expect(outcome.status == 6)
    #expect(outcome["error"] as? String == code)
  }

  @Test("a user who refuses ends the login as refused")
  func denial() throws {
    let outcome = try standIn(callback: {
      "vk53://vk.ru/blank.html?error=access_denied&error_description=User+denied&state=\($0)"
    }).login()
    #expect(outcome.status == 1)
    #expect(outcome["error"] as? String == "access_denied")
  }
}
