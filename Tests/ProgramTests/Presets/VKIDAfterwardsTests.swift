import Foundation
import Synchronization
import TestSupport
import Testing

/// What follows a login at VK ID, as its documents have it.
@Suite("VK ID after the login, against a stand-in", .blocking)
struct VKIDAfterwardsTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "vkid-\(UUID().uuidString)")
    .path()

  /// Gives out A1, R1 and so on; of a refresh it repeats the state, unless it is to say something else.
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

  private func withStandIn(
    _ preset: String = "vkid", _ body: (PresetStandIn, VK) throws -> Void
  ) throws {
    let vk = VK()
    let standIn = try PresetStandIn(
      preset,
      callback: { "vk53://vk.ru/blank.html?code=C&device_id=D&state=\($0)&type=code_v2" },
      answer: vk.answer)
    defer {
      standIn.remove()
      try? FileManager.default.removeItem(atPath: folder)
    }
    try body(standIn, vk)
  }

  private func logIn(_ standIn: PresetStandIn) throws -> Program.Outcome {
    let outcome = try standIn.run([
      "login", "--headless-test", "--account", "vk", "--store", "file:\(folder)",
    ])
    #expect(outcome.status == 0, "\(outcome.messages)")
    return outcome
  }

  /// A token that has to be newer than the kept one.
  private func refresh() throws -> Program.Outcome {
    try Program.run([
      "token", "--account", "vk", "--store", "file:\(folder)", "--silent", "--min-valid", "7200",
    ])
  }

  /// The members of a refresh, as the documents have them.
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

  @Test("A kept account is refreshed with its device and a state that is new each time")
  func account() throws {
    try withStandIn { standIn, _ in
      _ = try logIn(standIn)
      for number in 2...3 {
        let outcome = try refresh()
        #expect(outcome.status == 0, "\(outcome.messages)")
        #expect(outcome["access_token"] as? String == "A\(number)")
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

  @Test("A rotated token is kept before its state is found to be that of another request")
  func rotation() throws {
    try withStandIn { standIn, vk in
      _ = try logIn(standIn)
      vk.echo("another")
      let refused = try refresh()
      #expect(refused.status == 6)
      #expect(refused["error"] as? String == "state_mismatch")
      vk.echo("")  // as in the documents' example
      let outcome = try refresh()
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(outcome["access_token"] as? String == "A3")
      try expectRefresh(standIn.server.requests.last, of: "R2")
    }
  }

  @Test("A token from a file is refreshed in the same way")
  func tokenFile() throws {
    try withStandIn { standIn, _ in
      let token = try logIn(standIn).output
      let outcome = try standIn.run(["login", "--token-file", "-"], input: token)
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(outcome["access_token"] as? String == "A2")
      #expect(outcome["device_id"] as? String == "D")
      try expectRefresh(standIn.server.requests.last, of: "R1")
    }
  }

  @Test("The user is asked for with the token in the header field and the client in the body")
  func userinfo() throws {
    try withStandIn { standIn, _ in
      let token = try logIn(standIn).output
      let outcome = try standIn.run(["userinfo", "--token-file", "-"], input: token)
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(
        outcome.output
          == #"{"user":{"user_id":"1234567890","first_name":"Ivan","verified":false}}"# + "\n")
      let request = try #require(standIn.server.requests.last)
      #expect(request.method == "POST")
      #expect(request.path == "/oauth2/user_info")
      #expect(request.headers["authorization"] == "Bearer A1")
      #expect(request.form == ["client_id": "53"])
      #expect(request.query.isEmpty)
    }
  }

  @Test(
    "The masked user is asked for with the id_token in the body, the client in the query and nothing else")
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
