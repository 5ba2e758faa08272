import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("The agent", .blocking)
struct AgentTests {
  private static let host = "https://h.example"

  private func ready(_ accounts: [String] = ["work"], life: Int = 3_600) throws -> Services {
    let services = try Services(life: life)
    try services.writePreset()
    for account in accounts { try services.logIn(account) }
    return services
  }

  private func agent(_ services: Services, _ options: [String] = []) throws -> RunningAgent {
    try RunningAgent(services.environment, ["--ask", "never"] + options)
  }

  @Test("Commands answer over an agent as they do at home, without what must not leave")
  func commands() throws {
    let services = try ready()
    let agent = try agent(services)
    for output in ["token", "header", "env", "xoauth2"] {
      let arguments = ["token", "--account", "work", "--output", output]
      #expect(try agent.run(arguments).output == services.run(arguments).output)
    }
    let token = try agent.run(["token", "--account", "work"])
    #expect(token.accessToken == "T1" && token["expires_at"] != nil && token["account"] == nil)
    #expect(token["refresh_token"] == nil && token["user"] == nil)
    #expect(try agent.run(["accounts"]).output == services.run(["accounts"]).output)
    let request = try agent.run(["request", services.base + "/api/me"])
    #expect(request.output == "GET 0 - -\n", "\(request)")
    let missing = try agent.run(["token", "--account", "other"])
    #expect(missing.status == 8 && missing.error == "unknown_account")
    #expect(services.provider.requests.count == 1, "the provider was asked")
  }

  @Test(
    "What belongs home is refused",
    arguments: [
      ["logout", "--account", "work"], ["logout", "--account", "work", "--force"],
      ["logout", "--issuer", "https://i.example"], ["token", "--account", "work", "--store", "agent:"],
    ])
  func refused(arguments: [String]) throws {
    let agent = try agent(try ready())
    let outcome = try agent.run(arguments)
    #expect(outcome.status == 2 && outcome.error == "invalid_configuration", "\(outcome)")
  }

  @Test("A refused token is refreshed at home, and another one is given")
  func rejected() throws {
    let services = try ready()
    let agent = try agent(services)
    try services.accept("T2")
    let outcome = try agent.run(["request", services.base + "/api/me"])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(services.log.count == 2)
    #expect(services.provider.requests.count == 2, "a login and a refresh")
    // A token that is no longer the kept one was replaced already.
    let program = try agent.connection()
    _ = program.line()
    #expect(
      try program.ok(#"{"token":{"account":"work","rejected":"T1"}}"#)["access_token"] as? String == "T2")
    #expect(services.provider.requests.count == 2)
  }

  @Test("An expired token is refreshed once for twenty programs")
  func refresh() async throws {
    let services = try Services(life: 30, prefix: "T")
    try services.writePreset()
    try services.logIn()
    let agent = try agent(services)
    defer { agent.end() }
    let environment = agent.environment
    let outcomes = try await atOnce(20) { _ in
      try Tokentry.run(["token", "--account", "work"], environment: environment)
    }
    #expect(outcomes.allSatisfy { $0.accessToken == "T2" }, "\(outcomes)")
    #expect(services.provider.requests.count == 2, "a login and a refresh")
  }

  @Test(
    "A refresh that was sent is kept if the program that asked leaves, and answered if the agent is told to end"
  )
  func keepsRefresh() throws {
    let wish = #"{"token":{"account":"work","silent":true}}"# + "\n"
    for isAgentsEnd in [false, true] {
      let callers = try Callers()
      callers.behavior.withLock { $0 = .holdsRefresh }
      let agent = try RunningAgent(callers.environment)
      var program: AgentConversation? = try agent.connection()
      #expect(program?.line() != nil)
      try program?.send(wish)
      callers.wait { callers.seen.tokenRequests == 1 }
      if isAgentsEnd { agent.signal(SIGTERM) } else { program = nil }
      // Longer than other requests in progress get.
      usleep(2_500_000)
      callers.behavior.withLock { $0 = .signsIn }
      if let program {
        let answer = try #require(program.object())
        #expect((answer["ok"] as? [String: Any])?["access_token"] as? String == "T3", "\(answer)")
        #expect(program.line() == nil)
      }
      #expect(try callers.run(["token", "--account", "work", "--silent"]).accessToken == "T3")
      #expect(callers.seen.deadTokens == 0 && callers.seen.refreshes == 1)
      #expect(agent.end().status == 0)
    }
  }

  @Test("If the user must sign in, a silent request says so, and another one signs in at home")
  func signIn() throws {
    let services = try ready(life: 30)
    services.refuseRefresh()
    let agent = try agent(services, ["--headless-test"])
    let silent = try agent.run(["token", "--account", "work", "--silent"])
    #expect(silent.status == 8 && silent.error == "login_required", "\(silent)")
    let outcome = try agent.run(["token", "--account", "work"])
    #expect(outcome.accessToken == "T101", "\(outcome)")
  }

  @Test("Without a display there is no permission; errors come first, and a list needs none")
  func noDisplay() throws {
    let services = try ready()
    let agent = try RunningAgent(services.environment, ["--ask", "new"])
    let outcome = try agent.run(["token", "--account", "work"])
    #expect(outcome.status == 7 && outcome.error == "no_display", "\(outcome)")
    #expect(
      try agent.run(["token", "--account", "work", "--silent"]).status == 7, "silence is about signing in")
    #expect(try agent.run(["token", "--account", "x"]).status == 8)
    #expect(try agent.run(["accounts"]).output.contains("work"))
  }

  @Test("Before a permission no server is asked and no token is given up", arguments: ["new", "never"])
  func permissionFirst(policy: String) throws {
    let services = try ready(life: 30)
    let agent = try RunningAgent(services.environment, ["--ask", policy])
    let program = try agent.connection()
    _ = program.line()
    let isAllowed = policy == "never"
    for wish in [#""min_valid":2147483647"#, #""rejected":"T1","silent":true"#] {
      let answer = try program.ask(#"{"token":{"account":"work",\#(wish)}}"#)
      #expect((answer["ok"] != nil) == isAllowed, "\(answer)")
    }
    #expect(services.provider.requests.count == (isAllowed ? 3 : 1))
    let kept = try services.run(["token", "--account", "work", "--silent", "--min-valid", "0"])
    #expect(kept.accessToken == (isAllowed ? "T3" : "T1"), "\(kept)")
  }

  @Test("A login over the agent makes an account at home, and replaces none of another client")
  func login() throws {
    let services = try ready()
    let agent = try agent(services, ["--headless-test"])
    let arguments = ["login", "--provider", "here", "--client-id", "me", "--for", Self.host, "--account"]
    let outcome = try agent.run(arguments + ["new"])
    #expect(outcome.accessToken == "T101" && outcome["refresh_token"] == nil, "\(outcome)")
    #expect(try services.run(["token", "--account", "new", "--silent"]).accessToken == "T101")
    #expect(try agent.run(["login", "--account", "work"]).accessToken == "T101", "as it was made")
    #expect(try agent.run(arguments + ["new", "--if-needed"]).accessToken == "T101")
    let refused: [([String], String)] = [
      (
        ["login", "--provider", "here", "--client-id", "other", "--account", "work"], "invalid_configuration"
      ),
      (["login", "--provider", "./here.json", "--client-id", "me", "--account", "x"], "invalid_option"),
      (["login", "--provider", "nix", "--client-id", "me", "--account", "x"], "unknown_provider"),
      (
        ["login", "--provider", "here", "--client-id", "me", "--dpop", "--account", "x"],
        "invalid_configuration"
      ),
    ]
    for (arguments, error) in refused {
      let outcome = try agent.run(arguments)
      #expect(outcome.status == 2 && outcome.error == error, "\(arguments) \(outcome)")
    }
    #expect(try services.run(["accounts"]).output.contains("\"x\"") == false)
  }

  @Test("An agent with --account knows no other account")
  func limited() throws {
    let services = try ready(["work", "home"])
    let agent = try agent(services, ["--account", "work", "--account", "later", "--headless-test"])
    #expect(try agent.run(["accounts"]).output.contains("home") == false)
    #expect(try agent.run(["token", "--account", "work"]).accessToken == "T1")
    // Only one of the two accounts for this address is visible.
    #expect(try agent.run(["request", services.base + "/api/me"]).status == 0)
    for command in [["token"], ["userinfo"], ["login", "--provider", "here", "--client-id", "me"]] {
      let outcome = try agent.run(command + ["--account", "home"])
      #expect(outcome.status == 8 && outcome.error == "unknown_account", "\(outcome)")
    }
    #expect(
      try agent.run(["login", "--provider", "here", "--client-id", "me", "--account", "later"]).status == 0)
  }

  @Test("Helpers answer their programs over an agent as they do at home")
  func helpers() throws {
    let services = try Services(prefix: "ACCESSTOKEN-")
    try services.writePreset(origins: "https://api.example")
    for account in ["work", "home"] {
      try services.logIn(account, ["--for", Self.host, "--for", "https://\(account).example"])
    }
    let agent = try agent(services)
    for row in HelperRow.all {
      // Two accounts fit the first address, one the second, and none the third, not even if it is named.
      let other = "https://other.example"
      for (address, options) in [
        (Self.host, []), ("https://work.example", []), (other, []), (other, ["--account", "work"]),
      ] {
        let question = row.question(address)
        let arguments = ["helper", row.name] + options + question.arguments
        let home = try services.run(arguments, input: question.input, question.environment)
        let outcome = try agent.run(arguments, input: question.input, question.environment)
        #expect(
          outcome.status == home.status && outcome.output == home.output, "\(row.name) \(outcome) \(home)")
        #expect(outcome.messages.isEmpty == home.messages.isEmpty, "\(row.name) \(outcome.messages)")
      }
    }
    #expect(
      try agent.run(["helper", "docker", "list"]).output == services.run(["helper", "docker", "list"]).output)
    #expect(services.provider.requests.count == 2, "two logins")
  }

  @Test("Git's refusal of a token is heard at home")
  func erase() throws {
    let services = try ready()
    let agent = try agent(services)
    let host = services.base.dropFirst("http://".count)
    let input = "protocol=http\nhost=\(host)\nusername=x-token\npassword=T1\n\n"
    #expect(try agent.run(["helper", "git", "erase"], input: input).status == 0)
    #expect(try agent.run(["token", "--account", "work"]).accessToken == "T2")
  }

  @Test("Without an agent, with another program, or with another version at the socket, the status is 9")
  func noAgent() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/s"
    let missing = try Tokentry.run(["accounts"], environment: ["TOKENTRY_AGENT": path])
    #expect(missing.status == 9 && missing.error == "store_unavailable" && missing.messages.contains(path))
    let script =
      "import os, socket, sys; s = socket.socket(socket.AF_UNIX); n = sys.argv[1] + '.new'; s.bind(n); "
      + "s.listen(); os.rename(n, sys.argv[1]); "  // or a program could find the socket before it listens
      + "c = s.accept()[0]; c.sendall(sys.argv[2].encode()); sys.argv[2] and c.recv(1); c.close()"
    let greetings = [
      "{\"tokentry_agent\":2}\n", "SSH-2.0\n", "", "{\"tokentry_agent\":1,\"can\":[\"token\"]}\n",
      "{\"tokentry_agent\":1,\"can\":[\"accounts\"]}\n",
    ]
    for greeting in greetings {
      let process = Command.process(["/usr/bin/python3", "-c", script, path, greeting])
      try process.run()
      waitUntil { folder.contains("s") }
      let outcome = try Tokentry.run(["accounts"], environment: ["TOKENTRY_AGENT": path])
      process.terminate()
      process.waitUntilExit()
      unlink(path)
      #expect(outcome.status == 9 && outcome.error == "store_unavailable", "\(greeting) \(outcome)")
      #expect(outcome.messages.contains(path), "\(outcome.messages)")
    }
  }

  @Test("--store comes before TOKENTRY_AGENT, and that before TOKENTRY_STORE")
  func places() throws {
    let services = try ready()
    let agent = try agent(services)
    let empty = TemporaryFolder()
    let store = ["TOKENTRY_STORE": "file:\(empty.path)/none"]
    #expect(try agent.run(["token", "--account", "work"], store).accessToken == "T1")
    #expect(
      try agent.run(["accounts", "--store", "file:\(empty.path)/none"]).output == "{\"accounts\":[]}\n")
    let asStore = try Tokentry.run(
      ["token", "--account", "work"], environment: ["TOKENTRY_STORE": "agent:\(agent.socket)"])
    #expect(asStore.accessToken == "T1", "\(asStore)")
    // An agent does not ask another one.
    let other = try Tokentry.run(["agent", "--store", "agent:\(agent.socket)", "--socket", empty.path + "/s"])
    #expect(other.status == 2 && other.error == "invalid_configuration", "\(other)")
    let second = try RunningAgent(services.environment.merging(agent.environment) { $1 })
    agent.end()
    #expect(try second.run(["token", "--account", "work"]).accessToken == "T1")
  }

  /// Signs in to the account `sky`, whose token is bound to a key.
  private func signIn(at provider: BoundProvider, _ home: [String: String]) throws {
    let login = try Tokentry.run(
      BoundLoginTests.arguments(at: provider.server) + [
        "--dpop", "--account", "sky", "--for", provider.server.base,
      ],
      environment: home)
    try #require(login.accessToken == "T1", "\(login)")
  }

  @Test("A token that is bound to a key is used through proofs, and the key stays at home")
  func proofs() throws {
    let folder = TemporaryFolder()
    let home = ["TOKENTRY_STORE": "file:\(folder.path)/accounts"]
    let provider = try BoundProvider { _ in }
    try signIn(at: provider, home)
    let agent = try RunningAgent(home)
    let request = try agent.run(["request", "-X", "PATCH", "-d", "a=b", provider.server.base + "/api"])
    #expect(request.status == 0 && request.output == "PATCH a=b\n", "\(request)")
    try Proofs.expectVerified(provider.server)
    let token = try agent.run(["token", "--account", "sky"])
    #expect(token.accessToken == "T1" && token["token_type"] as? String == "DPoP" && token["dpop_jwk"] == nil)
    let program = try agent.connection()
    _ = program.line()
    #expect(
      try program.error(#"{"proof":{"account":"sky","method":"GET","url":"https://evil.example/"}}"#)
        == "origin_not_allowed")
  }

  @Test("A proof is made with a token that is refreshed first if it has ended")
  func proofOfEnded() throws {
    let folder = TemporaryFolder()
    let home = ["TOKENTRY_STORE": "file:\(folder.path)/accounts"]
    let provider = try BoundProvider(life: 1) { _ in }
    try signIn(at: provider, home)
    let agent = try RunningAgent(home)
    let program = try agent.connection()
    _ = program.line()
    let proof = try program.ok(
      #"{"proof":{"account":"sky","method":"GET","url":"\#(provider.server.base)/api"}}"#)
    #expect(proof["access_token"] as? String == "T2" && proof["expires_at"] != nil, "\(proof)")
  }
}
