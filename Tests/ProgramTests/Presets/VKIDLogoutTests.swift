import Foundation
import TestSupport
import Testing

@Suite("Logging out of VK ID, against a stand-in", .blocking)
struct VKIDLogoutTests {
  private static func token(_ state: String?, life: Int) -> StandInServer.Answer {
    .json(
      #"{"refresh_token":"R","access_token":"A","id_token":"I.D.T","token_type":"Bearer","expires_in":\#(life),"#
        + #""user_id":1234567890,"state":"\#(state ?? "")","scope":"vkid.personal_info"}"#)
  }

  private func outcome(
    life: Int = 3_600, _ answer: StandInServer.Answer
  ) throws -> (logout: Program.Outcome, requests: [StandInServer.Request], isKept: Bool) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "vkid-\(UUID().uuidString)").path()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let standIn = try PresetStandIn(
      "vkid", callback: { "vk53://vk.ru/blank.html?code=C&device_id=D&state=\($0)&type=code_v2" },
      answer: { request in
        // What a refresh brings lasts for as long as a busy machine takes to use it.
        let isRefresh = request.query["grant_type"] == "refresh_token"
        return request.path == "/oauth2/logout"
          ? answer : Self.token(request.query["state"], life: isRefresh ? 3_600 : life)
      })
    let environment = ["TOKENTRY_STORE": "file:\(folder)"]
    let login = try standIn.login(["--account", "vk"], environment: environment)
    try #require(login.status == 0, "\(login.messages)")
    if life == 1 { usleep(1_100_000) }  // until it is over
    let outcome = try Program.run(["logout", "--account", "vk"], environment: environment)
    let isKept = FileManager.default.fileExists(atPath: folder + "/vk.json")
    return (outcome, standIn.server.requests, isKept)
  }

  // https://id.vk.com/about/business/go/docs/en/vkid/latest/vk-id/connection/api-description
  @Test("the request is the documented one: a POST with the client in the query and the token in the header")
  func request() throws {
    let (logout, requests, isKept) = try outcome(.json(#"{"response":1}"#))
    #expect(logout.status == 0, "\(logout.messages)")
    #expect(
      logout.output == #"{"account":"vk","revoked":[],"session_ended":true,"forgotten":true}"# + "\n")
    let request = try #require(requests.last)
    #expect(request.method == "POST")
    #expect(request.target == "/oauth2/logout?client_id=53")
    #expect(request.headers["authorization"] == "Bearer A")
    #expect(request.body.isEmpty)
    #expect(!isKept)
  }

  @Test("a token that has expired is refreshed for it")
  func expired() throws {
    let (logout, requests, _) = try outcome(life: 1, .json(#"{"response":1}"#))
    #expect(logout.status == 0, "\(logout.messages)")
    #expect(requests.map(\.path).suffix(2) == ["/oauth2/auth", "/oauth2/logout"])
    #expect(requests.dropLast().last?.query["grant_type"] == "refresh_token")
  }

  @Test("where VK refuses the account is kept; where the token was dead already it is forgotten")
  func refused() throws {
    let refused = try outcome(.json(#"{"error":"server_error"}"#, status: 500))
    #expect(refused.logout.status == 1)
    #expect(refused.logout["error"] as? String == "server_error")
    #expect(refused.isKept)
    let dead = try outcome(.json(#"{"error":"invalid_token"}"#, status: 401))
    #expect(dead.logout["session_ended"] as? Bool == true, "\(dead.logout.output)")
    #expect(!dead.isKept)
  }
}
