import Foundation
import TestSupport
import Testing

@Suite("Accounts", .blocking)
struct AccountTests {
  private let folder = TemporaryFolder()
  private let demo: RunningDemo
  private var store: String { folder.path + "/store" }

  init() throws { demo = try RunningDemo(in: folder) }

  private func run(_ arguments: [String]) throws -> Outcome { try demo.run(arguments) }

  private func logIn(
    _ account: String = "work", at other: RunningDemo? = nil, scope: String = "profile", _ more: [String] = []
  ) throws -> Outcome {
    try (other ?? demo).login(
      ["--login-hint", "ann@mail.example", "--account", account] + more, scope: scope)
  }

  @Test("A valid token is the kept one, with the rest of its lifetime")
  func kept() throws {
    let token = try #require(try logIn().accessToken)
    let requests = try demo.requests().count
    let outcome = try run(["token", "--account", "work", "--silent"])
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.accessToken == token)
    #expect((outcome["expires_in"] as? Int).map { (3_000...3_600).contains($0) } == true)
    #expect(try run(["token", "--account", "work", "--output", "token"]).output == token + "\n")
    let xoauth2 = try run(["token", "--account", "work", "--output", "xoauth2"]).output
    let decoded = Data(base64Encoded: String(xoauth2.dropLast())).map { String(decoding: $0, as: UTF8.self) }
    #expect(decoded == "user=ann@mail.example\u{1}auth=Bearer \(token)\u{1}\u{1}")
    #expect(try demo.requests().count == requests)
  }

  @Test("An account of another client or provider is not replaced, until it is signed out")
  func notReplaced() throws {
    func logIn(page: String, scope: String = "profile") throws -> Outcome {
      let (page, token) = ("authorization=\(demo.issuer)\(page)", "token=\(demo.issuer)/token")
      let client = ["--client-id", "tokentry-demo", "--scope", scope, "--headless-test"]
      return try run(["login", "--endpoint", page, "--endpoint", token, "--account", "work"] + client)
    }
    #expect(try logIn(page: "/authorize").status == 0)
    let other = try RunningDemo(in: folder)
    for more in [[], ["--if-needed"]] {
      let outcome = try self.logIn(at: other, more)
      #expect(outcome.status == 2 && outcome.error == "invalid_configuration", "\(outcome)")
      #expect(outcome.messages.contains("sign out of that account first"))
    }
    #expect(try other.requests(at: "/authorize").isEmpty)
    // The account is renewed with another scope, at another address of the server.
    #expect(try logIn(page: "/authorize?v=2", scope: "admin").status == 0)
    #expect(try run(["logout", "--account", "work"]).status == 0)
    #expect(try self.logIn(at: other).status == 0)
  }

  @Test("login --if-needed signs in only if the kept token was for less, and cannot be refreshed")
  func ifNeeded() throws {
    #expect(try logIn().status == 0)
    for (scope, logins) in [("profile", 1), ("openid profile", 2), ("openid", 2)] {
      let outcome = try logIn(scope: scope, ["--if-needed"])
      #expect(outcome.status == 0, "\(outcome)")
      #expect(try demo.count("sign_ins") == logins, "\(scope)")
    }
    let other = try logIn("other", ["--if-needed", "--output", "token"]).output
    #expect(try run(["token", "--account", "other"]).accessToken == String(other.dropLast()))
    #expect(try demo.count("sign_ins") == 3 && demo.count("refreshes") == 0)
    try demo.faults("short-life=10")
    #expect(try run(["logout", "--account", "work"]).status == 0)
    #expect(try logIn().status == 0)
    #expect(try logIn("work", ["--if-needed"]).status == 0)
    #expect(try demo.count("sign_ins") == 4 && demo.count("refreshes") == 1)
    try demo.faults("token-500", "short-life=10")
    #expect(try logIn("work", ["--if-needed"]).error == "bad_provider_response")
    try demo.faults("refresh-dead")
    #expect(try logIn("work", ["--if-needed"]).status == 0)
    #expect(try demo.count("sign_ins") == 5)
  }

  @Test("A token that ends too soon is refreshed, and each refresh token is used once")
  func refreshed() throws {
    #expect(try logIn().status == 0)
    var token: String?
    for number in 1...3 {
      let outcome = try run(["token", "--account", "work", "--min-valid", "7200", "--silent"])
      #expect(outcome.accessToken != token, "\(outcome.messages)")
      #expect(try demo.count("refreshes") == number)
      token = outcome.accessToken
    }
    #expect(try run(["token", "--account", "work"]).accessToken == token)
    #expect(try demo.count("reuses") == 0)
  }

  @Test("A dead refresh token needs a login: --silent ends with status 8, otherwise the user signs in")
  func dead() throws {
    func lastScope() throws -> String? {
      (try demo.requests(at: "/authorize").last?["parameters"] as? [String: String])?["scope"]
    }
    try demo.faults("refresh-dead", "short-life=10")
    #expect(try logIn().status == 0)
    let silent = try run(["token", "--account", "work", "--silent"])
    #expect(silent.status == 8)
    #expect(silent.error == "login_required")
    // The login uses the kept request. The page signs in anyone.
    let again = try run(["token", "--account", "work", "--headless-test"])
    #expect(again.status == 0, "\(again)")
    #expect(try demo.count("sign_ins") == 2 && lastScope() == "profile")
    #expect(try run(["token", "--account", "work", "--min-valid", "5"]).accessToken == again.accessToken)
    // So does an explicit login that says no more than the account's name.
    #expect(try run(["login", "--account", "work", "--headless-test"]).status == 0)
    #expect(try demo.count("sign_ins") == 3 && lastScope() == "profile")
    for more in [["--account", "other"], ["--account", "work", "--scope", "x"]] {
      let refused = try run(["login", "--headless-test"] + more)
      #expect(
        refused.status == 2 && refused.messages.contains("no provider was given"), "\(refused.messages)")
    }
  }

  @Test("The deadline names the program that holds the account", arguments: ["logout", "token"])
  func heldUp(command: String) throws {
    try demo.post("", ["token_life=10"])
    #expect(try logIn().status == 0)
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

  @Test("The list of accounts contains no secret")
  func list() throws {
    let token = try logIn()
    #expect(try logIn("another one").status == 0)
    let outcome = try run(["accounts"])
    #expect(outcome.status == 0)
    let accounts = try #require(outcome["accounts"] as? [[String: Any]])
    #expect(accounts.map { $0["account"] as? String } == ["another one", "work"])
    #expect(accounts.map { $0["client_id"] as? String } == ["tokentry-demo", "tokentry-demo"])
    for name in ["access_token", "refresh_token"] {
      #expect(!outcome.output.contains(try #require(token[name] as? String)))
    }
    chmod(store + "/work.json", 0o640)
    let again = try #require(try run(["accounts"])["accounts"] as? [[String: Any]])
    #expect(
      again.map { $0["error"] as? String } == [
        nil, "\(store)/work.json can be read or written by other users",
      ])
  }

  @Test("If the account cannot be kept, the user is not asked to sign in")
  func noStore() throws {
    mkdir(store, 0o755)
    chmod(store, 0o755)
    let outcome = try logIn()
    #expect(outcome.status == 9)
    #expect(outcome.error == "store_unavailable")
    #expect(outcome.messages.contains("chmod 700"))
    #expect(try demo.requests(at: "/authorize").isEmpty)
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
