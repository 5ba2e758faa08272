import Foundation
import Synchronization
@testable import TestSupport
import Testing

@Suite("Many programs that want a token of one account", .blocking)
struct CallersTests {
  private static let token = ["token", "--account", "work"]
  private static let login = token + ["--headless-test", "-v"]

  @Test(
    "A hundred programs with an expired token refresh it once, and all get the new one",
    arguments: chosen([false, true], telling: true))
  func hundred(inKeyring: Bool) async throws {
    let bus = inKeyring ? try PrivateBus(.unlocked) : nil
    let callers = try Callers(delay: 100_000, bus: bus?.environment)
    let outcomes = try await callers.run(100, Self.token + ["--silent"])
    #expect(outcomes.allSatisfy { $0.accessToken == "T3" })
    #expect(callers.seen.refreshes == 1 && callers.seen.deadTokens == 0)
    withExtendedLifetime(bus) {}
  }

  /// Programs of which the first signs in, while the others wait for it.
  private func waiting(
    _ count: Int, _ callers: Callers, first options: [String] = []
  ) throws -> (first: RunningTokentry, others: [RunningTokentry]) {
    callers.revoke()
    callers.behavior.withLock { $0 = .holds }
    let first = try callers.start(Self.login + options)
    callers.wait { callers.seen.logins == 1 }
    let others = try (1..<count).map { _ in try callers.start(Self.login) }
    callers.wait { others.allSatisfy(\.isWaiting) }
    return (first, others)
  }

  @Test("Of twenty programs that need a login one signs in, and all get its token")
  func login() throws {
    let callers = try Callers()
    let (first, others) = try waiting(20, callers)
    callers.behavior.withLock { $0 = .signsIn }
    let token = first.outcome().accessToken
    #expect(token != nil)
    #expect(others.allSatisfy { $0.outcome().accessToken == token })
    #expect(callers.seen.logins == 1)
  }

  @Test("A denied login is denied for all who wait, and then only an explicit login asks again")
  func denied() throws {
    let callers = try Callers()
    let (first, others) = try waiting(20, callers)
    callers.behavior.withLock { $0 = .denies }
    let outcome = first.outcome()
    #expect(outcome.status == 1 && outcome.error == "access_denied")
    for other in others.map({ $0.outcome() }) {
      #expect(other.output == outcome.output && other.status == 1)
    }
    #expect(callers.seen.logins == 1)
    try callers.letTimePass()
    #expect(try callers.run(Self.login).error == "access_denied")
    let soon = try callers.run(Self.login)
    #expect(soon.status == 8 && soon.error == "login_required")
    let pause = (soon["details"] as? [String: Int])?["retry_after"] ?? 0
    #expect(pause > 5 && pause <= 30, "the pause after the second refusal, which is longer than the first")
    #expect(soon.messages.contains("tokentry: hint: run `tokentry login --account work` to sign in now"))
    #expect(callers.seen.logins == 2)
  }

  @Test("When the program that signs in ends, one of the others goes on")
  func killed() throws {
    for isKilled in [true, false] { try goOn(after: isKilled) }
  }

  private func goOn(after isKilled: Bool) throws {
    let callers = try Callers()
    let (first, others) = try waiting(6, callers, first: isKilled ? [] : ["--timeout", "5"])
    if isKilled { first.end(SIGKILL) }
    #expect(first.outcome().status == (isKilled ? -SIGKILL : 4))
    callers.wait { callers.seen.logins == 2 }
    usleep(200_000)  // a second login would have come by now
    #expect(callers.seen.logins == 2, "the others go on waiting")
    callers.behavior.withLock { $0 = .signsIn }
    let outcomes = others.map { $0.outcome() }
    let tokens = Set(outcomes.map { $0.accessToken })
    #expect(tokens.count == 1 && !tokens.contains(nil), "\(outcomes.map(\.messages))")
    #expect(callers.seen.logins == 2)
  }

  @Test("A program that does not want to wait, or stops waiting, ends alone")
  func alone() throws {
    let callers = try Callers()
    let (first, others) = try waiting(3, callers)
    for arguments in [Self.login, Self.token + ["--silent"]] {
      let busy = try callers.run(arguments + ["--no-wait"])
      #expect(busy.status == 8 && busy.error == "already_in_progress")
      #expect(busy["retryable"] as? Bool == true)
    }
    let impatient = try callers.run(Self.token + ["--timeout", "1"])
    #expect(impatient.status == 4 && impatient.error == "timeout")
    others[0].end(SIGKILL)
    callers.behavior.withLock { $0 = .signsIn }
    #expect(first.outcome().status == 0 && others[1].outcome().status == 0)
    #expect(callers.seen.logins == 1)
  }

  @Test("An explicit login waits for its turn and is separate from the login before it")
  func wanted() throws {
    let callers = try Callers()
    let (first, _) = try waiting(1, callers)
    let server = try #require(callers.base)
    let arguments =
      ["login", "--endpoint", "authorization=\(server)/a", "--endpoint", "token=\(server)/t", "--client-id"]
      + ["me", "--redirect-uri", "https://app.example/done", "--headless-test", "--account", "work", "-v"]
    #expect(try callers.run(arguments + ["--no-wait"]).error == "already_in_progress")
    let login = try callers.start(arguments)
    callers.wait { login.isWaiting }
    callers.behavior.withLock { $0 = .signsIn }
    let tokens = [first.outcome(), login.outcome()].map { $0.accessToken }
    #expect(!tokens.contains(nil) && tokens[0] != tokens[1])
    #expect(callers.seen.logins == 2 && callers.seen.mostAtOnce == 1)
  }
}
