import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Accounts kept by the real program", .blocking)
struct AccountTests {
  /// A provider whose tokens live for `life` seconds and whose refresh tokens are good for one use.
  private final class Provider: Sendable {
    struct State {
      var refreshToken = 1
      var error: (code: String, status: Int)?
    }

    let state = Mutex(State())

    func answer(_ request: StandInServer.Request, life: Int) -> StandInServer.Answer {
      if request.path == "/a" {
        let state = request.target.split(separator: "&").first { $0.hasPrefix("state=") } ?? ""
        return .redirect("https://app.example/done?code=C&\(state)")
      }
      return state.withLock { state in
        if let error = state.error { return .json(#"{"error":"\#(error.code)"}"#, status: error.status) }
        if request.body.contains("grant_type=refresh_token") {
          guard request.body.contains("refresh_token=R\(state.refreshToken)&") else {
            return .json(#"{"error":"invalid_grant"}"#, status: 400)
          }
          state.refreshToken += 1
        }
        let number = state.refreshToken
        return .json(
          #"{"access_token":"T\#(number)","token_type":"Bearer","expires_in":\#(life),"refresh_token":"R\#(number)"}"#
        )
      }
    }
  }

  private let folder = FileManager.default.temporaryDirectory.appending(path: "accounts-\(UUID().uuidString)")
    .path(percentEncoded: false)

  private func run(_ arguments: [String], input: String = "") throws -> Program.Outcome {
    try Program.run(arguments, input: input, environment: ["TOKENTRY_STORE": "file:\(folder)"])
  }

  private func logIn(_ server: StandInServer, _ account: String = "work") throws -> Program.Outcome {
    try run(
      [
        "login", "--authorization-endpoint", server.base + "/a", "--token-endpoint", server.base + "/t",
        "--client-id", "me", "--scope", "mail", "--login-hint", "ann@mail.example", "--redirect-uri",
        "https://app.example/done", "--state", "S",
        "--headless-test", "--navigations", "-", "--account", account,
      ], input: "https://app.example/done?code=C&state=S\n")
  }

  private func withServer(
    life: Int, _ body: (StandInServer, Provider) throws -> Void
  ) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let provider = Provider()
    let server = try StandInServer { request, _ in provider.answer(request, life: life) }
    #expect(try logIn(server)["access_token"] as? String == "T1")
    try body(server, provider)
  }

  @Test("A token that is good is the kept one, with what is left of its life")
  func kept() throws {
    try withServer(life: 3_600) { server, _ in
      let outcome = try run(["token", "--account", "work", "--silent"])
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(outcome["access_token"] as? String == "T1")
      #expect((outcome["expires_in"] as? Int).map { (3_000...3_600).contains($0) } == true)
      #expect(server.requests.count == 1)
      #expect(try run(["token", "--account", "work", "--output", "token"]).output == "T1\n")
      let xoauth2 = try run(["token", "--account", "work", "--output", "xoauth2"]).output
      let decoded = Data(base64Encoded: String(xoauth2.dropLast())).map {
        String(decoding: $0, as: UTF8.self)
      }
      #expect(decoded == "user=ann@mail.example\u{1}auth=Bearer T1\u{1}\u{1}")
    }
  }

  @Test("One that does not last is refreshed, and the new refresh token is the one that is used next")
  func refreshed() throws {
    try withServer(life: 3_600) { _, _ in
      for number in 2...4 {
        let outcome = try run(["token", "--account", "work", "--min-valid", "7200", "--silent"])
        #expect(outcome["access_token"] as? String == "T\(number)", "\(outcome.messages)")
      }
      #expect(try run(["token", "--account", "work"])["access_token"] as? String == "T4")
    }
  }

  @Test("A dead refresh token needs a login: silently that is status 8, otherwise the login takes place")
  func dead() throws {
    try withServer(life: 10) { server, provider in
      provider.state.withLock { $0.refreshToken = 7 }
      let silent = try run(["token", "--account", "work", "--silent"])
      #expect(silent.status == 8)
      #expect(silent["error"] as? String == "login_required")
      // The kept request is all that this login has to go by; the page signs in whoever comes.
      let again = try run(["token", "--account", "work", "--headless-test"])
      #expect(again["access_token"] as? String == "T7", "\(again.output)\(again.messages)")
      let page = try #require(server.requests.last { $0.path == "/a" })
      #expect(page.target.contains("client_id=me") && page.target.contains("scope=mail"))
      #expect(try run(["token", "--account", "work", "--min-valid", "5"])["access_token"] as? String == "T7")
    }
  }

  @Test("A refusal that may pass is that error, and the account stays as it is")
  func passing() throws {
    try withServer(life: 10) { _, provider in
      provider.state.withLock { $0.error = ("temporarily_unavailable", 503) }
      let outcome = try run(["token", "--account", "work"])
      #expect(outcome.status == 1)
      #expect(outcome["error"] as? String == "temporarily_unavailable")
      provider.state.withLock { $0.error = nil }
      #expect(try run(["token", "--account", "work"])["access_token"] as? String == "T2")
    }
  }

  @Test("Where another program holds an account up, the deadline says so", arguments: ["logout", "token"])
  func heldUp(command: String) throws {
    try withServer(life: 30) { _, _ in
      let lock = open(folder + "/.work.lock", O_RDWR | O_CLOEXEC)
      defer { close(lock) }
      try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
      let outcome = try run([command, "--account", "work", "--silent", "--timeout", "3", "-v"])
      #expect(outcome.status == 4 && outcome["error"] as? String == "timeout")
      let words = "another program that is using the account"
      #expect(outcome.output.contains(words + " was not done within 3 s"), "\(outcome.output)")
      #expect(outcome.messages.contains("waiting for " + words), "\(outcome.messages)")
    }
  }

  @Test("The list names accounts without a secret")
  func list() throws {
    try withServer(life: 3_600) { server, _ in
      #expect(try logIn(server, "another one").status == 0)
      let outcome = try run(["accounts"])
      #expect(outcome.status == 0)
      let accounts = try #require(outcome["accounts"] as? [[String: Any]])
      #expect(accounts.map { $0["account"] as? String } == ["another one", "work"])
      #expect(accounts.map { $0["client_id"] as? String } == ["me", "me"])
      #expect(!outcome.output.contains("\"T1\"") && !outcome.output.contains("R1"))
      chmod(folder + "/work.json", 0o640)
      let again = try #require(try run(["accounts"])["accounts"] as? [[String: Any]])
      #expect(
        again.map { $0["error"] as? String } == [
          nil, "\(folder)/work.json can be read or written by other users",
        ])
    }
  }

  @Test("Where nothing can be kept, nobody signs in for nothing and nothing is printed but the error")
  func noStore() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    let server = try StandInServer { _, _ in .json(#"{"access_token":"T","token_type":"Bearer"}"#) }
    let outcome = try logIn(server)
    #expect(outcome.status == 9)
    #expect(outcome["error"] as? String == "store_unavailable")
    #expect(outcome.messages.contains("chmod 700"))
    #expect(server.requests.isEmpty)
  }

  @Test("What is no account, no store or no name is said before anything else")
  func wrong() throws {
    let unknown = try run(["token", "--account", "none"])
    #expect(unknown.status == 9)
    #expect(unknown["error"] as? String == "unknown_account")
    #expect(try run(["accounts"]).output == "{\"accounts\":[]}\n")
    #expect(try run(["token"]).status == 2)
    #expect(try run(["token", "--account", " "]).status == 2)
    #expect(try run(["accounts", "--store", "cloud"]).status == 2)
    #expect(try run(["accounts", "--store", "file:"]).status == 2)
  }
}
