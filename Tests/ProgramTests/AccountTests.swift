import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Accounts", .blocking)
struct AccountTests {
  /// A provider whose tokens live for `life` seconds and whose refresh tokens can be used once.
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

  private let folder = TemporaryFolder()
  private var store: String { folder.path + "/store" }

  private func run(_ arguments: [String], input: String = "") throws -> Outcome {
    try Tokentry.run(arguments, input: input, environment: ["TOKENTRY_STORE": "file:\(store)"])
  }

  private func logIn(
    _ server: StandInServer, _ account: String = "work", scope: String = "mail", more: [String] = []
  ) throws -> Outcome {
    try run(
      ["login"] + server.endpoints("/a", "/t") + Tokentry.pasted
        + ["--scope", scope, "--login-hint", "ann@mail.example", "--account", account] + more,
      input: Tokentry.callback)
  }

  private func withServer(life: Int, _ body: (StandInServer, Provider) throws -> Void) throws {
    let provider = Provider()
    let server = try StandInServer { request, _ in provider.answer(request, life: life) }
    #expect(try logIn(server).accessToken == "T1")
    try body(server, provider)
  }

  @Test("A valid token is the kept one, with the rest of its lifetime")
  func kept() throws {
    try withServer(life: 3_600) { server, _ in
      let outcome = try run(["token", "--account", "work", "--silent"])
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(outcome.accessToken == "T1")
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

  @Test("An account of another client or provider is not replaced, until it is signed out")
  func notReplaced() throws {
    try withServer(life: 3_600) { server, provider in
      let other = try StandInServer { request, _ in provider.answer(request, life: 3_600) }
      for (server, more) in [(other, []), (other, ["--if-needed"])] {
        let outcome = try logIn(server, more: more)
        #expect(outcome.status == 2 && outcome.error == "invalid_configuration", "\(outcome)")
        #expect(outcome.messages.contains("sign out of that account first"))
      }
      #expect(other.requests.isEmpty)
      // The account is renewed with another scope, and at another path of the server's API.
      #expect(try logIn(server, scope: "files").status == 0)
      let moved = try run(
        ["login"] + server.endpoints("/v2/a", "/t") + Tokentry.pasted + ["--account", "work"],
        input: Tokentry.callback)
      #expect(moved.status == 0, "\(moved)")
      #expect(try run(["logout", "--account", "work"]).status == 0)
      #expect(try logIn(other).status == 0)
    }
  }

  @Test("login --if-needed signs in only if the kept token was for less, and cannot be refreshed")
  func ifNeeded() throws {
    try withServer(life: 3_600) { server, _ in
      for (scope, logins) in [("mail", 1), ("mail files", 2), ("files", 2)] {
        let outcome = try logIn(server, scope: scope, more: ["--if-needed"])
        #expect(outcome.accessToken == "T1", "\(outcome)")
        #expect(server.requests.count == logins, "\(scope)")
      }
      #expect(try logIn(server, "other", more: ["--if-needed", "--output", "token"]).output == "T1\n")
      #expect(server.requests.count == 3)
    }
    #expect(try run(["logout", "--account", "work"]).status == 0)
    try withServer(life: 10) { server, provider in
      let refreshed = try logIn(server, more: ["--if-needed"])
      #expect(refreshed.accessToken == "T2", "\(refreshed)")
      #expect(server.requests.last?.body.contains("grant_type=refresh_token") == true)
      provider.state.withLock { $0.error = ("temporarily_unavailable", 503) }
      #expect(try logIn(server, more: ["--if-needed"]).error == "temporarily_unavailable")
      provider.state.withLock {
        $0.error = nil
        $0.refreshToken = 7
      }
      #expect(try logIn(server, more: ["--if-needed"]).accessToken == "T7")
    }
  }

  @Test("A token that ends too soon is refreshed, and each refresh token is used once")
  func refreshed() throws {
    try withServer(life: 3_600) { _, _ in
      for number in 2...4 {
        let outcome = try run(["token", "--account", "work", "--min-valid", "7200", "--silent"])
        #expect(outcome.accessToken == "T\(number)", "\(outcome.messages)")
      }
      #expect(try run(["token", "--account", "work"]).accessToken == "T4")
    }
  }

  @Test("A dead refresh token needs a login: --silent ends with status 8, otherwise the user signs in")
  func dead() throws {
    try withServer(life: 10) { server, provider in
      provider.state.withLock { $0.refreshToken = 7 }
      let silent = try run(["token", "--account", "work", "--silent"])
      #expect(silent.status == 8)
      #expect(silent.error == "login_required")
      // The login uses the kept request. The page signs in anyone.
      let again = try run(["token", "--account", "work", "--headless-test"])
      #expect(again.accessToken == "T7", "\(again)")
      let page = try #require(server.requests.last { $0.path == "/a" })
      #expect(page.target.contains("client_id=me") && page.target.contains("scope=mail"))
      #expect(try run(["token", "--account", "work", "--min-valid", "5"]).accessToken == "T7")
      // So does an explicit login that says no more than the account's name.
      #expect(try run(["login", "--account", "work", "--headless-test"]).accessToken == "T7")
      #expect(server.requests.last { $0.path == "/a" }?.target.contains("scope=mail") == true)
      for more in [["--account", "other"], ["--account", "work", "--scope", "x"]] {
        let refused = try run(["login", "--headless-test"] + more)
        #expect(
          refused.status == 2 && refused.messages.contains("no provider was given"), "\(refused.messages)")
      }
    }
  }

  @Test("The deadline names the program that holds the account", arguments: ["logout", "token"])
  func heldUp(command: String) throws {
    try withServer(life: 30) { _, _ in
      let lock = open(store + "/.work.lock", O_RDWR | O_CLOEXEC)
      defer { close(lock) }
      try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
      let outcome = try run([command, "--account", "work", "--silent", "--timeout", "3", "-v"])
      #expect(outcome.status == 4 && outcome.error == "timeout")
      let words = "another program or task was still using the account after 3 s"
      #expect(outcome.output.contains(words), "\(outcome.output)")
      #expect(outcome.messages.contains("waiting for another program"), "\(outcome.messages)")
      let short = try run([command, "--account", "work", "--silent", "--timeout", "1", "-v"])
      #expect(!short.messages.contains("waiting for another program"), "a refresh takes as long")
    }
  }

  @Test("The list of accounts contains no secret")
  func list() throws {
    try withServer(life: 3_600) { server, _ in
      #expect(try logIn(server, "another one").status == 0)
      let outcome = try run(["accounts"])
      #expect(outcome.status == 0)
      let accounts = try #require(outcome["accounts"] as? [[String: Any]])
      #expect(accounts.map { $0["account"] as? String } == ["another one", "work"])
      #expect(accounts.map { $0["client_id"] as? String } == ["me", "me"])
      #expect(!outcome.output.contains("\"T1\"") && !outcome.output.contains("R1"))
      chmod(store + "/work.json", 0o640)
      let again = try #require(try run(["accounts"])["accounts"] as? [[String: Any]])
      #expect(
        again.map { $0["error"] as? String } == [
          nil, "\(store)/work.json can be read or written by other users",
        ])
    }
  }

  @Test("If the account cannot be kept, the user is not asked to sign in")
  func noStore() throws {
    mkdir(store, 0o755)
    chmod(store, 0o755)
    let server = try StandInServer { _, _ in .json(#"{"access_token":"T","token_type":"Bearer"}"#) }
    let outcome = try logIn(server)
    #expect(outcome.status == 9)
    #expect(outcome.error == "store_unavailable")
    #expect(outcome.messages.contains("chmod 700"))
    #expect(server.requests.isEmpty)
  }

  @Test("An unknown account, store or name is refused at once")
  func wrong() throws {
    let unknown = try run(["token", "--account", "none"])
    #expect(unknown.status == 8)
    #expect(unknown.error == "unknown_account")
    #expect(try run(["accounts"]).output == "{\"accounts\":[]}\n")
    #expect(try run(["token"]).status == 2)
    #expect(try run(["token", "--account", " "]).status == 2)
    #expect(try run(["accounts", "--store", "cloud"]).status == 2)
    #expect(try run(["accounts", "--store", "file:"]).status == 2)
  }
}
