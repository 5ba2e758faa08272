import Foundation
import Synchronization
import TestSupport
import Testing

/// https://id.vk.com/about/business/go/docs/en/vkid/latest/vk-id/connection/api-description
@Suite("VK ID", .blocking)
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

  @Test("The authorization request has the documented parameters only")
  func authorization() throws {
    let standIn = try standIn()
    let outcome = try standIn.login(["--scope", "email", "--param", "lang_id=3", "--param", "scheme=dark"])
    #expect(outcome.status == 0, "\(outcome.output)")
    let query = try #require(standIn.server.requests.first).query
    #expect(
      Set(query.keys) == [
        "response_type", "client_id", "redirect_uri", "state", "scope", "code_challenge",
        "code_challenge_method", "prompt", "lang_id", "scheme",
      ])
    #expect(query["response_type"] == "code")
    #expect(query["redirect_uri"] == "vk53://vk.ru/blank.html")
    #expect(query["code_challenge_method"] == "S256")
    #expect(query["prompt"] == "login")
    #expect(query["client_id"] == "53")
  }

  @Test("The caller's prompt replaces the preset's")
  func prompt() throws {
    let standIn = try standIn()
    #expect(try standIn.login(optionsFile(["prompt": "consent"])).status == 0)
    #expect(standIn.server.requests.first?.query["prompt"] == "consent")
  }

  @Test("The exchange has the code in the body and the rest in the query, with a new state")
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

  @Test("The token has the user's number, the device, and an id_token that is not claimed as verified")
  func token() throws {
    let outcome = try standIn().login()
    #expect(outcome.accessToken == "A")
    #expect(outcome.output.contains(#""user_id":1234567890"#))
    #expect(outcome["device_id"] as? String == "D")
    #expect(outcome["id_token"] as? String == "I.D.T")
    #expect(outcome["state"] == nil)
    #expect(outcome.output.contains(#""checks":{"redirect":"exact","state":"verified","pkce":"S256"}"#))
  }

  @Test("The deep-link form of the redirect is accepted")
  func deepLink() throws {
    let outcome = try standIn(callback: { "vk53://?code=C&device_id=D&state=\($0)&type=code_v2&expires_in=1" }
    ).login()
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains(#""redirect":"alias""#))
  }

  @Test("A callback without a device is refused, and the code is not exchanged")
  func noDevice() throws {
    let standIn = try standIn(callback: { "vk53://vk.ru/blank.html?code=C&state=\($0)" })
    let outcome = try standIn.login()
    #expect(outcome.status == 6)
    #expect(outcome.error == "malformed_callback")
    #expect(outcome.output.contains(#""details":{"missing":["device_id"]}"#))
    #expect(standIn.server.hits("/oauth2/auth") == 0)
  }

  @Test("An answer without a user is refused, and the client secret is not sent")
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
    "An answer with a missing or another state is refused",
    arguments: [("", "state_mismatch"), ("other", "state_mismatch")])
  func echo(state: String, code: String) throws {
    let outcome = try standIn(answer: { _ in Self.token(state: state) }).login()
    #expect(outcome.status == 6)
    #expect(outcome.error == code)
  }

  @Test("A denial ends the login")
  func denial() throws {
    let outcome = try standIn(callback: {
      "vk53://vk.ru/blank.html?error=access_denied&error_description=User+denied&state=\($0)"
    }).login()
    #expect(outcome.status == 1)
    #expect(outcome.error == "access_denied")
  }
}

/// What follows a login at VK ID, as its documents describe it.
@Suite("VK ID after the login", .blocking)
struct VKIDAfterwardsTests {
  /// Issues A1, R1 and so on. A refresh repeats the state, unless `echo` replaces it.
  private final class VK: Sendable {
    private let state = Mutex((number: 0, echo: String?.none))

    func echo(_ text: String?) { state.withLock { $0.echo = text } }

    func answer(_ request: StandInServer.Request) -> StandInServer.Answer {
      if request.path == "/oauth2/public_info" {
        return .json(#"{"user":{"user_id":"1234567890","first_name":"Ivan","last_name":"P."}}"#)
      }
      if request.path == "/oauth2/user_info" {
        return .json(#"{"user":{"user_id":"1234567890","first_name":"Ivan","verified":false}}"#)
      }
      return state.withLock { state in
        if let old = request.form["refresh_token"], old != "R\(state.number)" {
          return .json(#"{"error":"invalid_grant","error_description":"used already"}"#, status: 400)
        }
        state.number += 1
        let isRefresh = request.query["grant_type"] == "refresh_token"
        let echo = (isRefresh ? state.echo : nil) ?? request.query["state"] ?? ""
        return .json(
          """
          {"refresh_token":"R\(state.number)","access_token":"A\(state.number)","id_token":"I.D.T",
          "token_type":"Bearer","expires_in":3600,"user_id":1234567890,"state":"\(echo)","scope":"email"}
          """)
      }
    }
  }

  private func withStandIn(_ preset: String = "vkid", _ body: (PresetStandIn, VK) throws -> Void) throws {
    let vk = VK()
    let standIn = try PresetStandIn(
      preset,
      callback: { "vk53://vk.ru/blank.html?code=C&device_id=D&state=\($0)&type=code_v2" },
      answer: vk.answer)
    try body(standIn, vk)
  }

  private func logIn(_ standIn: PresetStandIn) throws -> Outcome {
    let outcome = try standIn.keep()
    #expect(outcome.status == 0, "\(outcome.messages)")
    return outcome
  }

  /// The parameters of a refresh, as in the documents.
  private func expectRefresh(_ request: StandInServer.Request?, of token: String) throws {
    let request = try #require(request)
    #expect(request.method == "POST")
    #expect(request.path == "/oauth2/auth")
    #expect(request.headers["content-type"] == "application/x-www-form-urlencoded")
    #expect(request.headers["authorization"] == nil)
    #expect(request.form == ["refresh_token": token])
    #expect(Set(request.query.keys) == ["grant_type", "client_id", "device_id", "state"])
    #expect(request.query["grant_type"] == "refresh_token")
    #expect(request.query["client_id"] == "53")
    #expect(request.query["device_id"] == "D")
    #expect(request.query["state"]?.isEmpty == false)
  }

  @Test("A kept account is refreshed with its device and a new state each time")
  func account() throws {
    try withStandIn { standIn, _ in
      _ = try logIn(standIn)
      for number in 2...3 {
        let outcome = try standIn.refresh()
        #expect(outcome.status == 0, "\(outcome.messages)")
        #expect(outcome.accessToken == "A\(number)")
        #expect(outcome["device_id"] as? String == "D")
        #expect(outcome["id_token"] as? String == "I.D.T")
        #expect(outcome.output.contains(#""user_id":1234567890"#))
        #expect(outcome["state"] == nil)
        try expectRefresh(standIn.server.requests.last, of: "R\(number - 1)")
      }
      let states = standIn.server.requests.compactMap { $0.query["state"] }
      #expect(Set(states).count == 4, "those of the login, the exchange and two refreshes")
    }
  }

  @Test("A rotated token is kept before the state of its answer is refused")
  func rotation() throws {
    try withStandIn { standIn, vk in
      _ = try logIn(standIn)
      vk.echo("another")
      let refused = try standIn.refresh()
      #expect(refused.status == 6)
      #expect(refused.error == "state_mismatch")
      vk.echo("")  // as in the documents' example
      let outcome = try standIn.refresh()
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(outcome.accessToken == "A3")
      try expectRefresh(standIn.server.requests.last, of: "R2")
    }
  }

  @Test("A token from a file is refreshed in the same way")
  func tokenFile() throws {
    try withStandIn { standIn, _ in
      let token = try logIn(standIn).output
      let outcome = try standIn.run(["login", "--token-file", "-"], input: token)
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(outcome.accessToken == "A2")
      #expect(outcome["device_id"] as? String == "D")
      try expectRefresh(standIn.server.requests.last, of: "R1")
    }
  }

  @Test("userinfo sends the token in the header field and the client in the body")
  func userinfo() throws {
    try withStandIn { standIn, _ in
      let token = try logIn(standIn).output
      let outcome = try standIn.run(["userinfo", "--token-file", "-"], input: token)
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(
        outcome.output == #"{"user":{"user_id":"1234567890","first_name":"Ivan","verified":false}}"# + "\n")
      let request = try #require(standIn.server.requests.last)
      #expect(request.method == "POST")
      #expect(request.path == "/oauth2/user_info")
      #expect(request.headers["authorization"] == "Bearer A1")
      #expect(request.form == ["client_id": "53"])
      #expect(request.query.isEmpty)
    }
  }

  @Test("The preset vkid-public-info sends the id_token in the body and the client in the query")
  func publicInfo() throws {
    try withStandIn("vkid-public-info") { standIn, _ in
      let token = try logIn(standIn).output
      for input in [token, #"{"id_token":"I.D.T"}"#] {
        let outcome = try standIn.run(["userinfo", "--token-file", "-"], input: input)
        #expect(outcome.status == 0, "\(outcome.messages)")
        #expect(outcome.output.contains(#""last_name":"P.""#))
        let request = try #require(standIn.server.requests.last)
        #expect(request.method == "POST")
        #expect(request.target == "/oauth2/public_info?client_id=53")
        #expect(request.form == ["id_token": "I.D.T"])
        #expect(request.headers["authorization"] == nil)
      }
    }
  }
}

@Suite("Logout at VK ID", .blocking)
struct VKIDLogoutTests {
  private static func token(_ state: String?, life: Int) -> StandInServer.Answer {
    .json(
      #"{"refresh_token":"R","access_token":"A","id_token":"I.D.T","token_type":"Bearer","expires_in":\#(life),"#
        + #""user_id":1234567890,"state":"\#(state ?? "")","scope":"vkid.personal_info"}"#)
  }

  private func outcome(
    life: Int = 3_600, _ answer: StandInServer.Answer
  ) throws -> (logout: Outcome, requests: [StandInServer.Request], isKept: Bool) {
    let standIn = try PresetStandIn(
      "vkid", callback: { "vk53://vk.ru/blank.html?code=C&device_id=D&state=\($0)&type=code_v2" },
      answer: { request in
        // A refreshed token lasts for as long as a busy machine takes to use it.
        let isRefresh = request.query["grant_type"] == "refresh_token"
        return request.path == "/oauth2/logout"
          ? answer : Self.token(request.query["state"], life: isRefresh ? 3_600 : life)
      })
    let login = try standIn.keep()
    try #require(login.status == 0, "\(login.messages)")
    if life == 1 { usleep(1_100_000) }  // until it has expired
    let outcome = try Tokentry.run(standIn.words(of: "logout"))
    let requests = standIn.server.requests
    let isKept = try standIn.use("token").error != "unknown_account"
    return (outcome, requests, isKept)
  }

  // https://id.vk.com/about/business/go/docs/en/vkid/latest/vk-id/connection/api-description
  @Test("The request is a POST with the client in the query and the token in the header, as documented")
  func request() throws {
    let (logout, requests, isKept) = try outcome(.json(#"{"response":1}"#))
    #expect(logout.status == 0, "\(logout.messages)")
    #expect(logout.output == #"{"account":"work","revoked":[],"session_ended":true,"forgotten":true}"# + "\n")
    let request = try #require(requests.last)
    #expect(request.method == "POST")
    #expect(request.target == "/oauth2/logout?client_id=53")
    #expect(request.headers["authorization"] == "Bearer A")
    #expect(request.body.isEmpty)
    #expect(!isKept)
  }

  @Test("An expired token is refreshed for it")
  func expired() throws {
    let (logout, requests, _) = try outcome(life: 1, .json(#"{"response":1}"#))
    #expect(logout.status == 0, "\(logout.messages)")
    #expect(requests.map(\.path).suffix(2) == ["/oauth2/auth", "/oauth2/logout"])
    #expect(requests.dropLast().last?.query["grant_type"] == "refresh_token")
  }

  @Test("A refusal keeps the account, and a dead token does not")
  func refused() throws {
    let refused = try outcome(.json(#"{"error":"server_error"}"#, status: 500))
    #expect(refused.logout.status == 1)
    #expect(refused.logout.error == "server_error")
    #expect(refused.isKept)
    let dead = try outcome(.json(#"{"error":"invalid_token"}"#, status: 401))
    #expect(dead.logout["session_ended"] as? Bool == true, "\(dead.logout.output)")
    #expect(!dead.isKept)
  }
}
