import Foundation
import LoginCore
import Synchronization
import TestSupport
import Testing

/// What is kept is right, whoever asks and whatever goes wrong.
@Suite("Kept tokens", .blocking)
struct KeptTests {
  private func agent(_ provider: FamilyProvider, _ options: [String] = []) throws -> RunningAgent {
    try RunningAgent(provider.environment, ["--ask", "never"] + options)
  }

  private static func silent(_ more: String...) -> [String] {
    ["token", "--account", "work", "--silent"] + more
  }

  private func git(_ provider: FamilyProvider, _ more: String = "") -> String {
    "protocol=http\nhost=\(provider.base.dropFirst("http://".count))\n\(more)\n"
  }

  /// A way in which the answer to a refresh must not be trusted.
  struct Mistake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var status: Int32 = 6
    let make: @Sendable (inout FamilyProvider.State) -> Void

    static let all = [
      Mistake(testDescription: "another user") { $0.changes = ["sub": "bob"] },
      Mistake(testDescription: "another issuer") { $0.changes = ["iss": "https://other.example"] },
      Mistake(testDescription: "another audience") { $0.changes = ["aud": "other"] },
      Mistake(testDescription: "the hash of another token") {
        $0.changes = ["at_hash": "AAAAAAAAAAAAAAAAAAAAAA"]
      },
      Mistake(testDescription: "a wrong signature") { $0.replaces = { $0.dropLast(8) + "AAAAAAAA" } },
      Mistake(testDescription: "no signature") { state in
        state.replaces = { token in
          let header = Base64.encodeURLSafe(Array(#"{"alg":"none"}"#.utf8))
          return "\(header).\(token.split(separator: ".")[1])."
        }
      },
      Mistake(testDescription: "no keys", status: 5) { $0.hasKeys = false },
    ]
  }

  @Test("The answer to a refresh that is refused is handed out by no later call", arguments: Mistake.all)
  func refusedAnswer(mistake: Mistake) throws {
    let provider = try FamilyProvider()
    provider.set { $0.life = 1 }
    try provider.signIn()
    provider.set { state in
      state.life = 3_600
      mistake.make(&state)
    }
    let file = provider.folder.path + "/kept"
    let agent = try agent(provider)
    let doors: [() throws -> Outcome] = [
      { try provider.run(Self.silent()) }, { try provider.run(Self.silent()) },
      { try provider.run(["helper", "git", "get", "--silent"], input: git(provider)) },
      { try provider.run(["keep", "--account", "work", "--file", file, "--once"]) },
      { try provider.run(["request", "--account", "work", "--silent", provider.base + "/api"]) },
      { try agent.run(Self.silent()) }, { try agent.run(["request", provider.base + "/api"]) },
    ]
    for (number, door) in doors.enumerated() {
      let outcome = try door()
      #expect(outcome.status == mistake.status, "door \(number): \(outcome)")
      #expect(outcome.output.contains(/\bA\d/) == false, "door \(number): \(outcome.output)")
    }
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(provider.requests.allSatisfy { $0.path != "/api" }, "a refused token was sent")
    provider.set { ($0.changes, $0.replaces, $0.hasKeys) = ([:], nil, true) }
    let mended = try provider.run(Self.silent())
    #expect(mended.status == 0 && mended.accessToken == "A\(provider.seen.current)", "\(mended)")
    #expect(provider.seen.reuses == 0)
  }

  @Test(
    "A refresh that was sent is kept if asker and agent are told to end, in any order",
    .timeLimit(.minutes(2)))
  func bothEnd() async throws {
    let pairs = try await atOnce(10) { number in
      let provider = try FamilyProvider()
      provider.set { $0.life = 1 }
      try provider.signIn()
      provider.set { ($0.life, $0.holds) = (3_600, true) }
      let agent = try RunningAgent(provider.environment)
      let asker = try RunningTokentry(KeptTests.silent(), environment: agent.environment)
      waitUntil { provider.seen.requests == 2 }
      let signals: [() -> Void] = [{ asker.end(number < 5 ? SIGTERM : SIGKILL) }, { agent.signal(SIGTERM) }]
      for signal in number.isMultiple(of: 2) ? signals : signals.reversed() {
        signal()
        usleep(useconds_t(number) * 100_000)
      }
      // Longer than requests in progress get that have not sent a refresh.
      usleep(2_500_000)
      let hasWaited = agent.isRunning
      provider.set { $0.holds = false }
      // A second signal would end it at once.
      waitUntil { !agent.isRunning }
      let kept = try provider.run(KeptTests.silent())
      return (hasWaited, kept, provider.seen.reuses)
    }
    for (number, (hasWaited, kept, reuses)) in pairs.enumerated() {
      #expect(hasWaited && kept.accessToken == "A2" && reuses == 0, "pair \(number): \(kept)")
    }
  }

  @Test(
    "A refused token without a refresh token is not given again, at home and by the agent",
    arguments: [false, true])
  func rejected(isFar: Bool) throws {
    let provider = try FamilyProvider()
    provider.set { $0.hasRefreshTokens = false }
    try provider.signIn()
    let agent = try agent(provider)
    func helper(_ action: String, _ more: String = "") throws -> Outcome {
      let (words, input) = (["helper", "git", action, "--silent"], git(provider, more))
      return isFar ? try agent.run(words, input: input) : try provider.run(words, input: input)
    }
    let first = try helper("get")
    #expect(first.output.contains("password=A1"), "\(first)")
    #expect(try helper("erase", "username=oauth2\npassword=A1\n").status == 0)
    let second = try helper("get")
    #expect(!second.output.contains("A1") && second.status == 8, "\(second)")
  }

  @Test(
    "An id_token that has ended is renewed by a refresh or a sign-in, also over the agent",
    arguments: [false, true], [false, true])
  func identity(hasRefreshTokens: Bool, isFar: Bool) throws {
    let provider = try FamilyProvider()
    // Less than a token has to be good for.
    provider.set { ($0.hasRefreshTokens, $0.identityLife) = (hasRefreshTokens, 30) }
    try provider.signIn()
    provider.set { $0.identityLife = 600 }
    let agent = try agent(provider, FamilyProvider.asking)
    func run(_ words: [String]) throws -> Outcome {
      isFar
        ? try agent.run(words)
        : try provider.run(words + (words.contains("--silent") ? [] : FamilyProvider.asking))
    }
    if !hasRefreshTokens {
      let silent = try run(Self.silent("--output", "id_token"))
      #expect(silent.status == 8, "\(silent)")
      // The question took nothing away.
      #expect(try run(Self.silent()).accessToken == "A1")
    }
    let renewed = try run(["token", "--account", "work", "--output", "id_token"])
    #expect(renewed.status == 0 && renewed.output.split(separator: ".").count == 3, "\(renewed)")
    #expect(provider.seen.current == 2 && provider.seen.refreshes == (hasRefreshTokens ? 1 : 0))
  }

  @Test("Without the provider, a silent question for an id_token leaves the access token good")
  func silentIdentity() throws {
    let provider = try FamilyProvider()
    provider.set { $0.identityLife = 30 }
    try provider.signIn()
    provider.set { $0.refusal = .hangUp }
    #expect(try provider.run(Self.silent("--output", "id_token")).status == 5)
    #expect(try provider.run(Self.silent("--output", "token")).output == "A1\n")
  }

  @Test("An account keeps its user, however somebody else signs in")
  func otherUser() throws {
    let provider = try FamilyProvider()
    provider.set { $0.hasRefreshTokens = false }
    try provider.signIn()
    let hints = { provider.requests.filter { $0.path == "/auth" }.map { $0.query["login_hint"] } }
    #expect(hints() == [nil])
    provider.set { $0.user = "bob" }
    let agent = try agent(provider, FamilyProvider.asking)
    // The first is for a program, for which the user is not asked again at once after a refusal.
    let attempts: [() throws -> Outcome] = [
      { try provider.run(["token", "--account", "work", "--min-valid", "7000"] + FamilyProvider.asking) },
      { try provider.run(provider.login + ["--account", "work"]) },
      { try agent.run(["login", "--account", "work"]) },
    ]
    for attempt in attempts {
      let outcome = try attempt()
      #expect(outcome.status == 6 && outcome.error == "other_user", "\(outcome)")
      #expect(outcome.messages.contains("ada") && outcome.messages.contains("bob"), "\(outcome.messages)")
      #expect(outcome.messages.contains("sign out of that account first"), "\(outcome.messages)")
      #expect(hints().last == "ada")
      let kept = try provider.run(Self.silent())
      #expect(kept.accessToken == "A1" && (kept["claims"] as? [String: Any])?["sub"] as? String == "ada")
    }
    let list = try provider.run(["accounts"])["accounts"] as? [[String: Any]]
    #expect(list?.first { $0["account"] as? String == "work" }?["user"] as? String == "ada")
    #expect(try provider.run(["logout", "--account", "work"]).status == 0)
    #expect(try provider.run(provider.login + ["--account", "work"]).status == 0)
  }

  @Test("A preset can ask for the account's id_token at a new sign-in")
  func identityHint() throws {
    let provider = try FamilyProvider()
    let preset = try provider.folder.write(
      #"{"issuer":"\#(provider.base)","scope":"openid","id_token_hint":true}"#, to: "family.json")
    for _ in 0..<2 {
      let outcome = try provider.run(
        ["login", "--provider", preset, "--client-id", "client", "--account", "work"] + FamilyProvider.asking)
      #expect(outcome.status == 0, "\(outcome)")
    }
    let hints = provider.requests.filter { $0.path == "/auth" }
      .map { $0.query["id_token_hint"]?.split(separator: ".").count }
    #expect(hints == [nil, 3])
  }

  @Test("Over the agent, a refused answer has the status that it has at home", arguments: Mistake.all)
  func statuses(mistake: Mistake) throws {
    let provider = try FamilyProvider()
    provider.set { $0.life = 1 }
    try provider.signIn()
    provider.set { mistake.make(&$0) }
    let (home, far) = (try provider.run(Self.silent()), try agent(provider).run(Self.silent()))
    #expect(far.status == mistake.status && far.output == home.output, "\(far) \(home)")
    #expect(far.messages == home.messages)
  }

  @Test(
    "A program that keeps its tokens itself hears of the new refresh token if the answer is refused",
    arguments: Mistake.all)
  func callersOwn(mistake: Mistake) throws {
    let provider = try FamilyProvider()
    let token = try provider.run(provider.login)
    try #require(token.status == 0, "\(token)")
    provider.set { mistake.make(&$0) }
    for more in [[], ["--account", "new"]] {
      let number = provider.seen.current
      let input = token.output.replacing(#""R1""#, with: "\"R\(number)\"")
      let outcome = try provider.run(provider.login + ["--token-file", "-"] + more, input: input)
      #expect(outcome.status == mistake.status, "\(outcome)")
      #expect(outcome.details["refresh_token"] as? String == "R\(number + 1)", "\(outcome)")
      #expect(!outcome.messages.contains("R\(number + 1)"))
    }
    #expect(provider.seen.reuses == 0)
    #expect(provider.folder.text(of: "store/.new.attempts").contains(/R\d/) == false)
  }

  @Test("So does one whose time ends before the answer is verified")
  func callersOwnInTime() throws {
    let provider = try FamilyProvider()
    let token = try provider.run(provider.login)
    try #require(token.status == 0, "\(token)")
    let keys = try StandInServer { _, _ in .silence }
    let outcome = try provider.run(
      provider.login + ["--endpoint", "jwks_uri=\(keys.base)/keys", "--token-file", "-", "--timeout", "3"],
      input: token.output)
    #expect(outcome.status == 4 && outcome.details["refresh_token"] as? String == "R2", "\(outcome)")
  }

  @Test("A dead refresh token is presented once, whoever asks, until there is another one")
  func deadRefreshToken() throws {
    let provider = try FamilyProvider()
    provider.set { $0.life = 1 }
    try provider.signIn()
    provider.set { $0.isAlive = false }
    let agent = try agent(provider)
    for _ in 0..<5 {
      #expect(try provider.run(Self.silent()).status == 8)
      #expect(try provider.run(["helper", "git", "get", "--silent"], input: git(provider)).status == 8)
      #expect(try provider.run(["helper", "headers", "--silent", provider.base + "/api"]).status == 8)
      #expect(try provider.run(["request", "--silent", provider.base + "/api"]).status == 8)
      #expect(try agent.run(Self.silent()).status == 8)
    }
    #expect(provider.seen.reuses == 1)
    let again = try provider.run(["token", "--account", "work"] + FamilyProvider.asking)
    #expect(again.accessToken == "A2" && provider.seen.reuses == 1, "\(again)")
    let refreshed = try provider.run(Self.silent())
    #expect(refreshed.accessToken == "A3" && provider.seen.reuses == 1, "\(refreshed)")
  }

  @Test("A provider that asks for a pause gets it, and the callers hear how long it lasts")
  func retryAfter() throws {
    let provider = try FamilyProvider()
    provider.set { $0.life = 1 }
    try provider.signIn()
    provider.set {
      $0.refusal = StandInServer.Answer(
        503, ["Retry-After: 600", "Content-Type: application/json"], #"{"error":"temporarily_unavailable"}"#)
    }
    for _ in 0..<3 {
      let outcome = try provider.run(Self.silent())
      #expect(outcome.status == 1 && outcome.error == "temporarily_unavailable", "\(outcome)")
      #expect(outcome["retryable"] as? Bool == true)
      #expect((outcome.details["retry_after"] as? Int).map { (590...600).contains($0) } == true, "\(outcome)")
    }
    #expect(provider.seen.requests == 2, "a login and a refresh")
    provider.set { $0.refusal = nil }
    #expect(try provider.run(provider.login + ["--account", "work"]).status == 0)
  }

  @Test("userinfo refreshes a token that the provider refuses", arguments: [false, true])
  func userinfo(isFar: Bool) throws {
    let provider = try FamilyProvider()
    try provider.signIn()
    provider.set { $0.refused = ["A1"] }
    let agent = try agent(provider)
    func ask() throws -> Outcome {
      let words = ["userinfo", "--account", "work"]
      return isFar ? try agent.run(words) : try provider.run(words)
    }
    let answer = try ask()
    #expect(answer.status == 0 && answer["token"] as? String == "A2", "\(answer)")
    provider.set { $0.refused = ["A2", "A3"] }
    let refused = try ask()
    #expect(refused.status == 1 && refused.error == "invalid_token", "\(refused)")
    let hint = "tokentry: hint: run `tokentry login --account work` to sign in again\n"
    #expect(refused.messages.hasSuffix(hint), "\(refused.messages)")
    #expect(provider.seen.refreshes == 2)
    provider.set { $0.isAlive = false }
    let dead = try ask()
    #expect(dead.status == 8 && dead.error == "login_required", "\(dead)")
  }
}
