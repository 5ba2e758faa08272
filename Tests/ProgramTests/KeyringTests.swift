import Foundation
@testable import TestSupport
import Testing

@Suite("Accounts in the keyring", .blocking)
struct KeyringTests {
  private func logIn(
    _ bus: PrivateBus, _ token: String = "TOPSECRET", client: String = "753197"
  ) throws -> Program.Outcome {
    try Program.run(
      Self.arguments(client), input: Self.callback(token), environment: bus.environment)
  }

  private static func arguments(_ client: String) -> [String] {
    [
      "login", "--provider", "vk", "--client-id", client, "--state", "S", "--headless-test",
      "--navigations", "-", "--account", "work",
    ]
  }

  private static func callback(_ token: String) -> String {
    "https://oauth.vk.com/blank.html#access_token=\(token)&expires_in=86400&user_id=1&state=S\n"
  }

  private func run(_ bus: PrivateBus, _ arguments: String...) throws -> Program.Outcome {
    try Program.run(arguments, environment: bus.environment)
  }

  @Test("What a login keeps is handed out again, and a second login takes the place of the first")
  func keep() throws {
    let bus = try PrivateBus(.unlocked)
    #expect(try logIn(bus, "first").status == 0)
    #expect(try logIn(bus, client: "753198").status == 0)
    let outcome = try run(bus, "token", "--account", "work", "--silent")
    #expect(outcome["access_token"] as? String == "TOPSECRET", "\(outcome.messages)")
    let accounts = try run(bus, "accounts")["accounts"] as? [[String: Any]]
    #expect(accounts?.map { $0["client_id"] as? String } == ["753198"])
    let unknown = try run(bus, "token", "--account", "wrk")
    #expect(unknown["error"] as? String == "unknown_account")
    #expect(unknown.messages.contains("did you mean work?"))
  }

  @Test("Of an account and its older copy in another keyring the newer one is listed and hands out its token")
  func newest() throws {
    let bus = try PrivateBus(.unlocked)
    #expect(try logIn(bus, "first").status == 0)
    #expect(try copy(to: bus, with: "older") == "2\n")
    Self.waitForNextSecond()
    #expect(try logIn(bus, "second", client: "753198").status == 0)
    let accounts = try run(bus, "accounts")["accounts"] as? [[String: Any]]
    #expect(accounts?.map { $0["client_id"] as? String } == ["753198"])
    let outcome = try run(bus, "token", "--account", "work", "--silent")
    #expect(outcome["access_token"] as? String == "second", "\(outcome.messages)")
    Self.waitForNextSecond()
    #expect(try copy(to: bus, with: "newer") == "2\n")
    let again = try run(bus, "token", "--account", "work", "--silent")
    #expect(again["access_token"] as? String == "newer", "\(again.messages)")
  }

  @Test("Nobody is told that an account is forgotten while a copy of it is in a keyring that is locked")
  func lockedCopy() throws {
    let bus = try PrivateBus(.unlocked)
    #expect(try logIn(bus, "first").status == 0)
    #expect(try copy(to: bus, with: "newer") == "2\n")
    try bus.lock()
    let logout = try run(bus, "logout", "--account", "work")
    #expect(logout["error"] as? String == "store_locked", "\(logout.output)")
  }

  /// Copies the account into the session's keyring, with another token, by which the copy is known; returns how many
  /// there are then.
  private func copy(to bus: PrivateBus, with token: String) throws -> String {
    let script = """
      secret-tool lookup account work | sed 's/"access_token":"[^"]*"/"access_token":"\(token)"/' |
        secret-tool store --label=copy --collection=session account work xdg:schema org.tokentry.Account
      secret-tool search --all --unlock account work 2>&1 | grep -c "^label"
      """
    return try bus.output(["sh", "-c", script])
  }

  @Test(
    "Which of two is newer their times say, in whatever order a keyring finds them",
    arguments: [false, true])
  func newestInEitherOrder(isReversed: Bool) throws {
    let bus = try PrivateBus(.unlocked)
    let entries = try ["older", "newer"].enumerated().map { number, token in
      #expect(try logIn(bus, token).status == 0)
      return ["\(number + 1_000)", try bus.output(["secret-tool", "lookup", "account", "work"])]
    }
    let other = try PrivateBus(.none)
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "other-keyring.py")
    let found = isReversed ? entries.reversed() : entries
    try other.start(["/usr/bin/python3", script.path()] + found.joined())
    try other.waitForOwner(of: "org.freedesktop.secrets")
    let outcome = try run(other, "token", "--account", "work", "--silent")
    #expect(outcome["access_token"] as? String == "newer", "\(outcome.messages)")
  }

  /// The keyring counts in seconds.
  private static func waitForNextSecond() {
    let second = time(nil)
    while time(nil) <= second { usleep(20_000) }
  }

  @Test("The doctor sees whether there is a keyring, and whether it is open, without asking anybody")
  func doctor() throws {
    let open = try PrivateBus(.unlocked)
    #expect(try keyring(open) == ["ok", "the keyring is open"])
    try open.lock()
    #expect(
      try keyring(open) == [
        "warning", "the keyring is locked: saving or reading an account asks for its password",
      ])
    #expect(try keyring(PrivateBus(.none)) == ["warning", "no keyring is on the session bus"])
  }

  /// What the doctor says of the keyring.
  private func keyring(_ bus: PrivateBus) throws -> [String] {
    let checks = try #require(try run(bus, "doctor")["checks"] as? [[String: String]])
    let check = try #require(checks.first { $0["name"] == "keyring" })
    return [check["state"] ?? "", check["message"] ?? ""]
  }

  @Test("Neither attributes nor label nor the keyring's file show what is secret")
  func attributes() throws {
    let bus = try PrivateBus(.unlocked)
    #expect(try logIn(bus).status == 0)
    let item = try bus.item("work")
    #expect(item.contains("'Label': <'Tokentry: work'>"), "\(item)")
    #expect(item.contains("'account': 'work'") && !item.contains("TOPSECRET") && !item.contains("753197"))
    #expect(try !bus.files().isEmpty)
    #expect(try bus.files().range(of: Data("TOPSECRET".utf8)) == nil)
  }

  @Test(
    "A client is kept beside the accounts, and neither its attributes nor the list of accounts show its secret"
  )
  func client() throws {
    let bus = try PrivateBus(.unlocked)
    let server = try StandInServer { _, _ in .json(#"{"client_id":"c","client_secret":"TOPSECRET"}"#) }
    let options = ["--registration-endpoint", server.base + "/register"]
    let first = try Program.run(["register"] + options, environment: bus.environment)
    #expect(first["registered"] as? Bool == true, "\(first.messages)")
    let second = try Program.run(["register"] + options, environment: bus.environment)
    #expect(second["client_id"] as? String == "c" && second["registered"] as? Bool == false)
    #expect(try run(bus, "accounts").output == "{\"accounts\":[]}\n")
    let item = try bus.item("\(server.base)/register http://127.0.0.1/callback", of: "client")
    #expect(item.contains("Tokentry: \(server.base)/register") && !item.contains("TOPSECRET"), "\(item)")
    let forgotten = try Program.run(["register", "--forget"] + options, environment: bus.environment)
    #expect(forgotten["forgotten"] as? Bool == true)
    let unknown = try Program.run(["register", "--forget"] + options, environment: bus.environment)
    #expect(unknown["error"] as? String == "unknown_client")
  }

  @Test("An account that is logged out is in the keyring no more")
  func logout() throws {
    let bus = try PrivateBus(.unlocked)
    #expect(try logIn(bus).status == 0)
    let outcome = try run(bus, "logout", "--account", "work")
    #expect(outcome["forgotten"] as? Bool == true, "\(outcome.messages)")
    #expect(try run(bus, "accounts").output == "{\"accounts\":[]}\n")
    #expect(try run(bus, "logout", "--account", "work")["error"] as? String == "unknown_account")
  }

  @Test("A locked keyring lists names alone and hands nothing out, and nobody is asked for its password")
  func locked() throws {
    let bus = try PrivateBus(.unlocked)
    #expect(try logIn(bus).status == 0)
    try bus.lock()
    #expect(try run(bus, "accounts").output == #"{"accounts":[{"account":"work","locked":true}]}"# + "\n")
    let outcome = try run(bus, "token", "--account", "work", "--silent")
    #expect(outcome.status == 9)
    #expect(outcome["error"] as? String == "store_locked")
    // Nothing on this bus can ask for the password, which is as if the question was turned away.
    #expect(try run(bus, "token", "--account", "work")["error"] as? String == "store_locked")
    #expect(try logIn(bus)["error"] as? String == "store_locked")
    // It is known before anybody signs in.
    let server = try StandInServer { _, _ in .html("") }
    let early = try Program.run(
      [
        "login", "--authorization-endpoint", server.base + "/a", "--token-endpoint", server.base + "/t",
        "--client-id", "c", "--redirect-uri", "https://app.example/done", "--headless-test", "--account",
        "new",
      ], environment: bus.environment)
    #expect(early["error"] as? String == "store_locked", "\(early.output)")
    #expect(server.requests.isEmpty)
  }

  @Test("However often a login is killed while it keeps its token, there is a whole one, and it is alone")
  func killed() throws {
    let bus = try PrivateBus(.unlocked)
    var start = ContinuousClock.now
    #expect(try logIn(bus, "first").status == 0)
    // Some are killed before they are done, and some not; every fifth is left alone and says how long it takes by now.
    var duration = start.duration(to: .now)
    var tokens = ["first"]
    for round in 1...(Rows.areAll ? 40 : 20) {
      let process = try Program.prepared(Self.arguments("753197"), environment: bus.environment)
      let input = Pipe()
      process.standardInput = input
      process.standardOutput = FileHandle.nullDevice
      tokens.append("round\(round)")
      start = .now
      try process.run()
      try input.give(Self.callback(tokens[round]))
      if round % 5 != 0 {
        usleep(.random(in: 0...UInt32(duration / .microseconds(1) * 2.0)))
        kill(process.processIdentifier, SIGKILL)
      }
      process.waitUntilExit()
      if round % 5 == 0 { duration = start.duration(to: .now) }
      let outcome = try run(bus, "token", "--account", "work", "--silent")
      let token = try #require(outcome["access_token"] as? String, "\(outcome.messages)")
      #expect(round % 5 == 0 ? token == tokens[round] : tokens.contains(token))
    }
    #expect((try run(bus, "accounts")["accounts"] as? [Any])?.count == 1)
  }

  @Test(
    "Without a bus, and on a bus without a keyring, accounts cannot be kept and it is said what can be done")
  func noService() throws {
    let bus = try PrivateBus(.none)
    let nowhere = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"]
    for environment in [bus.environment, bus.environment.merging(nowhere) { $1 }] {
      let outcome = try Program.run(["accounts"], environment: environment)
      #expect(outcome.status == 9)
      #expect(outcome["error"] as? String == "store_unavailable")
      #expect(outcome.messages.contains("tokentry: hint: --store file:PATH"))
      let token = try Program.run(["token", "--account", "work"], environment: environment)
      #expect(token["error"] as? String == "store_unavailable")
    }
    #expect(try logIn(bus)["error"] as? String == "store_unavailable")
  }
}
