import Foundation
import LoginCore
@testable import TestSupport
import Testing

@Suite("Accounts in the keyring", .blocking)
struct KeyringTests {
  private func logIn(_ bus: PrivateBus, _ token: String = "TOPSECRET") throws -> Outcome {
    try Tokentry.run(
      Self.arguments("753197"), input: Self.callback(token), environment: bus.environment)
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

  private func run(_ bus: PrivateBus, _ arguments: String...) throws -> Outcome {
    try Tokentry.run(arguments, environment: bus.environment)
  }

  @Test("A kept token is handed out, and a second login replaces the first")
  func keep() throws {
    let bus = try PrivateBus(.unlocked)
    #expect(try logIn(bus, "first").status == 0)
    #expect(try logIn(bus).status == 0)
    let outcome = try run(bus, "token", "--account", "work", "--silent")
    #expect(outcome.accessToken == "TOPSECRET", "\(outcome.messages)")
    #expect((try run(bus, "accounts")["accounts"] as? [[String: Any]])?.count == 1)
    let unknown = try run(bus, "token", "--account", "wrk")
    #expect(unknown.error == "unknown_account")
    #expect(unknown.messages.contains("did you mean work?"))
  }

  @Test("The newer of two copies in different keyrings is listed and handed out")
  func newest() throws {
    let bus = try PrivateBus(.unlocked)
    #expect(try logIn(bus, "first").status == 0)
    #expect(try copy(to: bus, with: "older") == "2\n")
    Self.waitForNextSecond()
    #expect(try logIn(bus, "second").status == 0)
    #expect((try run(bus, "accounts")["accounts"] as? [[String: Any]])?.count == 1)
    let outcome = try run(bus, "token", "--account", "work", "--silent")
    #expect(outcome.accessToken == "second", "\(outcome.messages)")
    Self.waitForNextSecond()
    #expect(try copy(to: bus, with: "newer") == "2\n")
    let again = try run(bus, "token", "--account", "work", "--silent")
    #expect(again.accessToken == "newer", "\(again.messages)")
  }

  @Test("logout does not claim success while a copy is in a locked keyring")
  func lockedCopy() throws {
    let bus = try PrivateBus(.unlocked)
    #expect(try logIn(bus, "first").status == 0)
    #expect(try copy(to: bus, with: "newer") == "2\n")
    try bus.lock()
    let logout = try run(bus, "logout", "--account", "work")
    #expect(logout.error == "store_locked", "\(logout.output)")
  }

  /// Copies the account with another token into the session keyring. Returns the number of copies.
  private func copy(to bus: PrivateBus, with token: String) throws -> String {
    let script = """
      secret-tool lookup account work | sed 's/"access_token":"[^"]*"/"access_token":"\(token)"/' |
        secret-tool store --label=copy --collection=session account work xdg:schema org.tokentry.Account
      secret-tool search --all --unlock account work 2>&1 | grep -c "^label"
      """
    return try bus.output(["sh", "-c", script])
  }

  @Test(
    "The copy with the newer modification time counts, in either order of the search results",
    arguments: [false, true])
  func newestInEitherOrder(isReversed: Bool) throws {
    let bus = try PrivateBus(.unlocked)
    let entries = try ["older", "newer"].enumerated().map { number, token in
      #expect(try logIn(bus, token).status == 0)
      return ["\(number + 1_000)", try bus.output(["secret-tool", "lookup", "account", "work"])]
    }
    let other = try PrivateBus(.none)
    let found = isReversed ? entries.reversed() : entries
    try other.start(["/usr/bin/python3", Command.script("other-keyring.py")] + found.joined())
    try other.waitForOwner(of: "org.freedesktop.secrets")
    let outcome = try run(other, "token", "--account", "work", "--silent")
    #expect(outcome.accessToken == "newer", "\(outcome.messages)")
  }

  @Test(
    "The calls on the bus are the same for many accounts as for one",
    arguments: [["token", "--account", "work"], ["accounts"], ["helper", "git", "get"]])
  func calls(_ command: [String]) throws {
    let bus = try PrivateBus(.unlocked)
    #expect(try logIn(bus).status == 0)
    let document = try bus.output(["secret-tool", "lookup", "account", "work"])
    let calls = try [1, 20].map { count in
      let other = try PrivateBus(.none)
      let entries = (0..<count).flatMap { number in
        ["1000", number == 0 ? document : document.replacing("\"work\"", with: "\"other-\(number)\"")]
      }
      let keyring = try other.start(
        ["/usr/bin/python3", Command.script("other-keyring.py")] + entries)
      try other.waitForOwner(of: "org.freedesktop.secrets")
      let outcome = try Tokentry.run(
        command, input: "protocol=https\nhost=h.example\n\n", environment: other.environment)
      #expect(outcome.status == 0, "\(outcome.messages)")
      return keyring.errors.split(separator: "\n").map(String.init)
    }
    #expect(calls[0].contains("GetSecrets"))
    #expect(calls[0] == calls[1])
  }

  @Test("An account whose document is damaged is listed beside the others")
  func damaged() throws {
    let bus = try PrivateBus(.unlocked)
    #expect(try logIn(bus).status == 0)
    let script = """
      secret-tool lookup account work | sed 's/"work"/"cut"/' | head -c 100 |
        secret-tool store --label=cut account cut xdg:schema org.tokentry.Account
      echo | secret-tool store --label=empty account empty xdg:schema org.tokentry.Account
      """
    _ = try bus.output(["sh", "-c", script])
    let accounts = try #require(try run(bus, "accounts")["accounts"] as? [[String: Any]])
    #expect(accounts.map { $0["account"] as? String } == ["cut", "empty", "work"])
    #expect(accounts.map { $0["error"] != nil } == [true, true, false])
  }

  /// The keyring counts in seconds.
  private static func waitForNextSecond() {
    let second = time(nil)
    while time(nil) <= second { usleep(20_000) }
  }

  @Test("doctor reports a missing, a locked and an open keyring, and does not ask for a password")
  func doctor() throws {
    let open = try PrivateBus(.unlocked)
    #expect(try keyring(open) == ["ok", "the keyring is open"])
    try open.lock()
    #expect(
      try keyring(open) == [
        "warning", "the keyring is locked: saving or reading an account asks for its password",
      ])
    #expect(try keyring(PrivateBus(.none)) == ["warning", "no keyring service is running"])
  }

  /// What doctor says about the keyring.
  private func keyring(_ bus: PrivateBus) throws -> [String] {
    let checks = try #require(try run(bus, "doctor")["checks"] as? [[String: String]])
    let check = try #require(checks.first { $0["name"] == "keyring" })
    return [check["state"] ?? "", check["message"] ?? ""]
  }

  @Test("Attributes, label and the keyring's file do not show secrets")
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
    "A registered client is kept beside the accounts, and its secret stays hidden"
  )
  func client() throws {
    let bus = try PrivateBus(.unlocked)
    let server = try StandInServer { request, _ in
      .json(
        request.path == "/register"
          ? #"{"client_id":"c","client_secret":"TOPSECRET"}"# : #"{"access_token":"T","token_type":"Bearer"}"#
      )
    }
    let options = ["--endpoint", "registration=\(server.base)/register"]
    let login =
      ["login", "--grant", "client-credentials", "--endpoint", "token=\(server.base)/t"] + options
    for _ in 0..<2 {
      let outcome = try Tokentry.run(login, environment: bus.environment)
      #expect(outcome.status == 0, "\(outcome.messages)")
    }
    #expect(server.hits("/register") == 1)
    #expect(try run(bus, "accounts").output == "{\"accounts\":[]}\n")
    var provider = LoginCore.Provider()
    provider.endpoints[.registration] = try Endpoint("\(server.base)/register")
    let redirectURI = try RedirectURI.onThisMachine(for: provider)
    let item = try bus.item("\(server.base)/register \(redirectURI)", of: "client")
    #expect(item.contains("Tokentry: \(server.base)/register") && !item.contains("TOPSECRET"), "\(item)")
    let forgotten = try Tokentry.run(["logout"] + options, environment: bus.environment)
    #expect(forgotten["forgotten"] as? Bool == true)
    let unknown = try Tokentry.run(["logout"] + options, environment: bus.environment)
    #expect(unknown.error == "unknown_client")
  }

  @Test("logout removes the account from the keyring")
  func logout() throws {
    let bus = try PrivateBus(.unlocked)
    #expect(try logIn(bus).status == 0)
    let outcome = try run(bus, "logout", "--account", "work")
    #expect(outcome["forgotten"] as? Bool == true, "\(outcome.messages)")
    #expect(try run(bus, "accounts").output == "{\"accounts\":[]}\n")
    #expect(try run(bus, "logout", "--account", "work").error == "unknown_account")
  }

  @Test("A locked keyring lists names only, hands out no token, and --silent does not ask for the password")
  func locked() throws {
    let bus = try PrivateBus(.unlocked)
    #expect(try logIn(bus).status == 0)
    try bus.lock()
    #expect(try run(bus, "accounts").output == #"{"accounts":[{"account":"work","locked":true}]}"# + "\n")
    let outcome = try run(bus, "token", "--account", "work", "--silent")
    #expect(outcome.status == 9)
    #expect(outcome.error == "store_locked")
    // This bus has no prompt, which is like a cancelled prompt.
    #expect(try run(bus, "token", "--account", "work").error == "store_locked")
    #expect(try logIn(bus).error == "store_locked")
    // The program notices before the user signs in.
    let server = try StandInServer { _, _ in .html("") }
    let early = try Tokentry.run(
      [
        "login", "--endpoint", "authorization=\(server.base)/a", "--endpoint", "token=\(server.base)/t",
        "--client-id", "c", "--redirect-uri", "https://app.example/done", "--headless-test", "--account",
        "new",
      ], environment: bus.environment)
    #expect(early.error == "store_locked", "\(early.output)")
    #expect(server.requests.isEmpty)
  }

  @Test("However often a login is killed while it saves, the account is complete and there is only one")
  func killed() throws {
    let bus = try PrivateBus(.unlocked)
    var start = ContinuousClock.now
    #expect(try logIn(bus, "first").status == 0)
    // Some are killed before they are done, some after. Every fifth runs to its end and measures the time again.
    var duration = start.duration(to: .now)
    var tokens = ["first"]
    for round in 1...(Rows.areAll ? 40 : 20) {
      tokens.append("round\(round)")
      start = .now
      let login = try RunningTokentry(
        Self.arguments("753197"), environment: bus.environment, input: Self.callback(tokens[round]))
      if round % 5 != 0 {
        usleep(.random(in: 0...UInt32(duration / .microseconds(1) * 2.0)))
        login.end(SIGKILL)
      }
      _ = login.outcome()
      if round % 5 == 0 { duration = start.duration(to: .now) }
      let outcome = try run(bus, "token", "--account", "work", "--silent")
      let token = try #require(outcome.accessToken, "\(outcome.messages)")
      #expect(round % 5 == 0 ? token == tokens[round] : tokens.contains(token))
    }
    #expect((try run(bus, "accounts")["accounts"] as? [Any])?.count == 1)
  }

  @Test("Without a bus, or without a keyring on it, accounts cannot be kept, and a hint says what to do")
  func noService() throws {
    let bus = try PrivateBus(.none)
    let nowhere = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"]
    for environment in [bus.environment, bus.environment.merging(nowhere) { $1 }] {
      let outcome = try Tokentry.run(["accounts"], environment: environment)
      #expect(outcome.status == 9)
      #expect(outcome.error == "store_unavailable")
      #expect(outcome.messages.contains("tokentry: hint: --store file:PATH"))
      let token = try Tokentry.run(["token", "--account", "work"], environment: environment)
      #expect(token.error == "store_unavailable")
    }
    #expect(try logIn(bus).error == "store_unavailable")
  }
}

@Suite("The prompts of a keyring", .blocking)
struct KeyringPromptTests {
  @Test("A user who cancels the question for the password of a new keyring is told that there is none")
  func created() async throws {
    let screen = try await Screen()
    let bus = try PrivateBus(.none)
    try bus.start("gnome-keyring-daemon", "--foreground", "--components=secrets")
    try bus.waitForOwner(of: "org.freedesktop.secrets")
    try bus.start("/usr/libexec/gcr-prompter", variables: ["DISPLAY": screen.name])
    try bus.waitForOwner(of: "org.gnome.keyring.SystemPrompter")
    let server = try StandInServer { _, _ in .json(#"{"access_token":"T","token_type":"Bearer"}"#) }
    let login = try Program(
      try Tokentry.path(),
      ["login", "--grant", "client-credentials", "--endpoint", "token=\(server.base)", "--client-id", "me"]
        + ["--account", "work"],
      environment: bus.environment.merging(["TOKENTRY_CLIENT_SECRET": "s"]) { $1 },
      errorPath: screen.folder + "/login")
    // The dialog has no title, and the prompter has another window of 10x10 pixels.
    let asks = await eventually { screen.state.contains(/"Gcr-prompter"\) +\d{3}/) }
    try #require(asks, "\(login.errors)")
    try await screen.standsStill()
    try screen.press("Escape")
    #expect(await login.end() == 9, "\(login.errors)")
    #expect(login.errors.contains("error: no keyring was created"), "\(login.errors)")
    #expect(login.text.contains(#""origin":"user""#))
  }

  /// The daemon asks for the password in a window of its own, as on a desktop.
  @Test("The user is asked for the keyring's password, and can say no")
  func prompt() async throws {
    let screen = try await Screen()
    let bus = try PrivateBus(.unlocked)
    try bus.start("/usr/libexec/gcr-prompter", variables: ["DISPLAY": screen.name])
    try bus.waitForOwner(of: "org.gnome.keyring.SystemPrompter")
    let callback = "https://oauth.vk.com/blank.html#access_token=T1&expires_in=86400&user_id=1&state=S\n"
    let login = [
      "login", "--provider", "vk", "--client-id", "1", "--state", "S", "--headless-test", "--navigations",
      "-", "--account", "work",
    ]
    #expect(try Tokentry.run(login, input: callback, environment: bus.environment).status == 0)
    for (answer, status) in [("password", 0), ("", 9)] as [(String, Int32)] {
      try bus.lock()
      let token = try Program(
        try Tokentry.path(), ["token", "--account", "work"], environment: bus.environment,
        errorPath: screen.folder + "/token")
      let asks = await eventually { screen.shows(".*Unlock.*") }
      try #require(asks, "\(token.errors)")
      try screen.focus(".*Unlock.*")
      try await screen.standsStill()
      try screen.type(answer)
      try screen.press(answer.isEmpty ? "Escape" : "Return")
      #expect(await token.end() == status, "\(token.errors)")
      #expect(token.text.contains(status == 0 ? "\"access_token\":\"T1\"" : "\"error\":\"store_locked\""))
    }
    // With --silent the answer comes at once, although the prompt would be on the screen.
    for arguments in [["token", "--account", "work", "--silent"], login + ["--silent"]] {
      let silent = try Tokentry.run(
        arguments + ["--timeout", "60"], input: callback, environment: bus.environment)
      #expect(silent.error == "store_locked", "\(silent.output)")
    }
    // So it does in a program with LoginKit that must not ask the user to sign in.
    let wishes = #"{"calls":["token"],"issuer":"https://id.example","api":"","store":"","deadline":10}"#
    let kit = try Command.run([try Tokentry.neighbour("kit-login"), wishes], environment: bus.environment)
    #expect(kit.output.contains(#""error":"store_locked""#), "\(kit.output)")
  }
}
