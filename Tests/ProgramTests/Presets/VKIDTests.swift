import Foundation
import Synchronization
import TestSupport
import Testing

/// https://id.vk.com/about/business/go/docs/en/vkid/latest/vk-id/connection/api-description
@Suite("VK ID", .blocking)
struct VKIDTests {
  /// Issues A1, R1 and so on, as the documents describe it.
  private final class VK: Sendable {
    /// `echo` replaces the state in an answer, and `logout` the answer to a logout.
    private let state = Mutex(
      (number: 0, echo: String?.none, life: 3_600, logout: StandInServer.Answer.json(#"{"response":1}"#)))

    func echo(_ text: String?) { state.withLock { $0.echo = text } }
    func life(_ seconds: Int) { state.withLock { $0.life = seconds } }
    func logout(_ answer: StandInServer.Answer) { state.withLock { $0.logout = answer } }

    func answer(_ request: StandInServer.Request) -> StandInServer.Answer {
      state.withLock { state in
        switch request.path {
        case "/oauth2/public_info":
          return .json(#"{"user":{"user_id":"1234567890","first_name":"Ivan","last_name":"P."}}"#)
        case "/oauth2/user_info":
          return .json(#"{"user":{"user_id":"1234567890","first_name":"Ivan","verified":false}}"#)
        case "/oauth2/logout": return state.logout
        default:
          if let old = request.form["refresh_token"], old != "R\(state.number)" {
            return .json(#"{"error":"invalid_grant","error_description":"used already"}"#, status: 400)
          }
          state.number += 1
          // A refreshed token lasts for as long as a busy machine takes to use it.
          let life = state.number == 1 ? state.life : 3_600
          return .json(
            """
            {"refresh_token":"R\(state.number)","access_token":"A\(state.number)","id_token":"I.D.T",
            "token_type":"Bearer","expires_in":\(life),"user_id":1234567890,
            "state":"\(state.echo ?? request.query["state"] ?? "")","scope":"vkid.personal_info email"}
            """)
        }
      }
    }
  }

  private let vk = VK()

  private func standIn(
    _ callback: String = "vk53://vk.ru/blank.html?code=C&expires_in=600&device_id=D&ext_id=E&type=code_v2",
    own: [String: Any] = [:]
  ) throws -> PresetStandIn {
    try PresetStandIn("vkid", own: own, callback: { "\(callback)&state=\($0)" }, answer: vk.answer)
  }

  private func logIn(_ standIn: PresetStandIn) throws -> Outcome {
    let outcome = try standIn.keep()
    try #require(outcome.status == 0, "\(outcome.messages)")
    return outcome
  }

  @Test("The requests have the documented parameters only, and the token names user and device")
  func login() throws {
    let standIn = try standIn()
    let outcome = try standIn.login(["--scope", "email", "--param", "lang_id=3", "--param", "scheme=dark"])
    #expect(outcome.status == 0, "\(outcome.output)")
    let page = try #require(standIn.server.requests.first).query
    #expect(
      Set(page.keys) == [
        "response_type", "client_id", "redirect_uri", "state", "scope", "code_challenge",
        "code_challenge_method", "prompt", "lang_id", "scheme",
      ])
    #expect(page["response_type"] == "code" && page["client_id"] == "53" && page["prompt"] == "login")
    #expect(page["redirect_uri"] == "vk53://vk.ru/blank.html" && page["code_challenge_method"] == "S256")
    #expect(standIn.server.hits("/oauth2/auth") == 1)
    let exchange = try #require(standIn.server.requests.last)
    #expect(exchange.method == "POST" && exchange.form == ["code": "C"])
    #expect(exchange.headers["content-type"] == "application/x-www-form-urlencoded")
    var query = exchange.query
    let state = query.removeValue(forKey: "state")
    #expect(state?.isEmpty == false && state != page["state"])
    #expect(query.removeValue(forKey: "code_verifier") != nil)
    #expect(
      query == [
        "grant_type": "authorization_code", "redirect_uri": "vk53://vk.ru/blank.html", "client_id": "53",
        "device_id": "D",
      ])
    #expect(outcome.accessToken == "A1" && outcome["state"] == nil)
    #expect(outcome["device_id"] as? String == "D" && outcome["id_token"] as? String == "I.D.T")
    #expect(outcome.output.contains(#""user_id":1234567890"#))
    #expect(outcome.output.contains(#""checks":{"redirect":"exact","state":"verified","pkce":"S256"}"#))
  }

  @Test("The caller's prompt replaces the preset's")
  func prompt() throws {
    let standIn = try standIn()
    #expect(try standIn.login(optionsFile(["prompt": "consent"])).status == 0)
    #expect(standIn.server.requests.first?.query["prompt"] == "consent")
  }

  @Test(
    "Every form of the redirect is accepted, and a callback that is not one is refused before the exchange",
    arguments: [
      ("vk53://?code=C&device_id=D&type=code_v2&expires_in=1", 0, #""redirect":"alias""#),
      ("vk53://vk.ru/blank.html?code=C", 6, #""details":{"missing":["device_id"]}"#),
      ("vk53://vk.ru/blank.html?error=access_denied&error_description=User+denied", 1, "access_denied"),
    ])
  func callback(callback: String, status: Int, part: String) throws {
    let standIn = try standIn(callback)
    let outcome = try standIn.login()
    #expect(outcome.status == status && outcome.output.contains(part), "\(outcome.output)")
    #expect(standIn.server.hits("/oauth2/auth") == (status == 0 ? 1 : 0))
  }

  @Test("An answer with a missing or another state is refused", arguments: ["", "other"])
  func echo(state: String) throws {
    vk.echo(state)
    let outcome = try standIn().login()
    #expect(outcome.status == 6 && outcome.error == "state_mismatch")
  }

  @Test("An answer without a user is refused, and the client secret is not sent")
  func members() throws {
    let standIn = try PresetStandIn(
      "vkid", callback: { "vk53://vk.ru/blank.html?code=C&device_id=D&state=\($0)" },
      answer: { .json(#"{"access_token":"A","token_type":"Bearer","state":"\#($0.query["state"] ?? "")"}"#) })
    let outcome = try standIn.login(environment: ["TOKENTRY_CLIENT_SECRET": "s"])
    #expect(outcome.status == 6)
    #expect(outcome.output.contains(#""details":{"missing":["user_id"]}"#), "\(outcome.output)")
    let exchange = try #require(standIn.server.requests.last)
    #expect(exchange.headers["authorization"] == nil && exchange.form == ["code": "C"])
  }

  /// The parameters of a refresh, as in the documents.
  private func expectRefresh(_ request: StandInServer.Request?, of token: String) throws {
    let request = try #require(request)
    #expect(request.method == "POST" && request.path == "/oauth2/auth")
    #expect(request.headers["authorization"] == nil && request.form == ["refresh_token": token])
    var query = request.query
    #expect(query.removeValue(forKey: "state")?.isEmpty == false)
    #expect(query == ["grant_type": "refresh_token", "client_id": "53", "device_id": "D"])
  }

  @Test("A kept account is refreshed with its device and a new state each time, as is a token from a file")
  func refresh() throws {
    let standIn = try standIn()
    let token = try logIn(standIn).output
    let printed = try standIn.run(["login", "--token-file", "-"], input: token)
    #expect(printed.accessToken == "A2" && printed["device_id"] as? String == "D", "\(printed.messages)")
    try expectRefresh(standIn.server.requests.last, of: "R1")
    let other = try self.standIn()
    vk.echo(nil)
    _ = try logIn(other)
    for number in 4...5 {
      let outcome = try other.refresh()
      #expect(outcome.accessToken == "A\(number)", "\(outcome.messages)")
      #expect(outcome["device_id"] as? String == "D" && outcome["id_token"] as? String == "I.D.T")
      #expect(outcome.output.contains(#""user_id":1234567890"#) && outcome["state"] == nil)
      try expectRefresh(other.server.requests.last, of: "R\(number - 1)")
    }
    let states = other.server.requests.compactMap { $0.query["state"] }
    #expect(Set(states).count == 4, "those of the login, the exchange and two refreshes")
  }

  @Test("A rotated token is kept before the state of its answer is refused")
  func rotation() throws {
    let standIn = try standIn()
    _ = try logIn(standIn)
    vk.echo("another")
    let refused = try standIn.refresh()
    #expect(refused.status == 6 && refused.error == "state_mismatch")
    vk.echo("")  // as in the documents' example
    let outcome = try standIn.refresh()
    #expect(outcome.accessToken == "A3", "\(outcome.messages)")
    try expectRefresh(standIn.server.requests.last, of: "R2")
  }

  @Test("userinfo sends the token in the header field and the client in the body")
  func userinfo() throws {
    let standIn = try standIn()
    let token = try logIn(standIn).output
    let outcome = try standIn.run(["userinfo", "--token-file", "-"], input: token)
    #expect(
      outcome.output == #"{"user":{"user_id":"1234567890","first_name":"Ivan","verified":false}}"# + "\n")
    let request = try #require(standIn.server.requests.last)
    #expect(request.method == "POST" && request.target == "/oauth2/user_info")
    #expect(request.headers["authorization"] == "Bearer A1" && request.form == ["client_id": "53"])
  }

  @Test("A preset can ask for what VK tells without an access token: the id_token is in the body")
  func publicInfo() throws {
    let standIn = try standIn(own: [
      "userinfo_endpoint": "https://id.vk.ru/oauth2/public_info?client_id={client_id}",
      "userinfo_request": ["method": "POST", "members": ["id_token"]],
    ])
    let token = try logIn(standIn).output
    for input in [token, #"{"id_token":"I.D.T"}"#] {
      let outcome = try standIn.run(["userinfo", "--token-file", "-"], input: input)
      #expect(outcome.output.contains(#""last_name":"P.""#), "\(outcome.messages)")
      let request = try #require(standIn.server.requests.last)
      #expect(request.method == "POST" && request.target == "/oauth2/public_info?client_id=53")
      #expect(request.form == ["id_token": "I.D.T"] && request.headers["authorization"] == nil)
    }
  }

  @Test("A logout is a POST with the client in the query and the token in the header, as documented")
  func logout() throws {
    let standIn = try standIn()
    _ = try logIn(standIn)
    let logout = try Tokentry.run(standIn.words(of: "logout"))
    #expect(logout.output == #"{"account":"work","revoked":[],"session_ended":true,"forgotten":true}"# + "\n")
    let request = try #require(standIn.server.requests.last)
    #expect(request.method == "POST" && request.target == "/oauth2/logout?client_id=53")
    #expect(request.headers["authorization"] == "Bearer A1" && request.body.isEmpty)
    #expect(try standIn.use("token").error == "unknown_account")
  }

  @Test("An expired token is refreshed for a logout")
  func expired() throws {
    vk.life(1)
    let standIn = try standIn()
    _ = try logIn(standIn)
    usleep(1_100_000)  // until it has expired
    let logout = try Tokentry.run(standIn.words(of: "logout"))
    #expect(logout.status == 0, "\(logout.messages)")
    #expect(standIn.server.requests.map(\.path).suffix(2) == ["/oauth2/auth", "/oauth2/logout"])
    try expectRefresh(standIn.server.requests.dropLast().last, of: "R1")
  }

  @Test("A refused logout keeps the account, and a dead token does not")
  func refused() throws {
    let standIn = try standIn()
    _ = try logIn(standIn)
    vk.logout(.json(#"{"error":"server_error"}"#, status: 500))
    let refused = try Tokentry.run(standIn.words(of: "logout"))
    #expect(refused.status == 1 && refused.error == "server_error")
    #expect(try standIn.use("token").status == 0)
    vk.logout(.json(#"{"error":"invalid_token"}"#, status: 401))
    let dead = try Tokentry.run(standIn.words(of: "logout"))
    #expect(dead["session_ended"] as? Bool == true, "\(dead.output)")
    #expect(try standIn.use("token").error == "unknown_account")
  }
}
