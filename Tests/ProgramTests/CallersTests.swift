import Foundation
import Synchronization
@testable import TestSupport
import Testing

@Suite("Many programs that want a token at once", .blocking)
struct CallersTests {
  private static let token = ["token", "--account", "work"]
  private static let login = token + ["--headless-test", "-v"]

  @Test(
    "Of a hundred with an expired token one refreshes, and all have its token",
    arguments: chosen([false, true], telling: true))
  func hundred(inKeyring: Bool) async throws {
    let bus = inKeyring ? try PrivateBus(.unlocked) : nil
    let callers = try Callers(delay: 100_000, bus: bus?.environment)
    let outcomes = await callers.run(100, Self.token + ["--silent"])
    #expect(outcomes.allSatisfy { $0?["access_token"] as? String == "T3" })
    #expect(callers.seen.refreshes == 1 && callers.seen.deadTokens == 0)
    withExtendedLifetime(bus) {}
  }

  @Test("A token that is shorter than anybody wants is refreshed once for all who wait")
  func shortLife() throws {
    let callers = try Callers(life: 2)
    callers.conduct.withLock { $0 = .holdsRefresh }
    let first = try callers.start(Self.login)
    callers.wait { callers.seen.tokenRequests == 1 }
    let others = try (0..<20).map { _ in try callers.start(Self.token + ["--silent", "-v"]) }
    callers.wait { others.allSatisfy(\.isWaiting) }
    callers.conduct.withLock { $0 = .signsIn }
    #expect(([first] + others).allSatisfy { $0.outcome()["access_token"] as? String == "T3" })
    #expect(callers.seen.refreshes == 1)
  }

  /// Programs of which the first signs in, and all the others wait for it.
  private func waiting(
    _ count: Int, _ callers: Callers, first options: [String] = []
  ) throws -> (first: Caller, others: [Caller]) {
    callers.revoke()
    callers.conduct.withLock { $0 = .holds }
    let first = try callers.start(Self.login + options)
    callers.wait { callers.seen.logins == 1 }
    let others = try (1..<count).map { _ in try callers.start(Self.login) }
    callers.wait { others.allSatisfy(\.isWaiting) }
    return (first, others)
  }

  @Test("Of twenty that need a login one signs in, and all have its token")
  func login() throws {
    let callers = try Callers()
    let (first, others) = try waiting(20, callers)
    callers.conduct.withLock { $0 = .signsIn }
    let token = first.outcome()["access_token"] as? String
    #expect(token != nil)
    #expect(others.allSatisfy { $0.outcome()["access_token"] as? String == token })
    #expect(callers.seen.logins == 1)
  }

  @Test("A login that is turned away is turned away for all, and then nobody is asked but by a wanted login")
  func denied() throws {
    let callers = try Callers()
    let (first, others) = try waiting(20, callers)
    callers.conduct.withLock { $0 = .denies }
    let outcome = first.outcome()
    #expect(outcome.status == 1 && outcome["error"] as? String == "access_denied")
    for other in others.map({ $0.outcome() }) {
      #expect(other.output == outcome.output && other.status == 1)
    }
    let soon = try callers.run(Self.login)
    #expect(soon.status == 8 && soon["error"] as? String == "login_required")
    #expect((soon["details"] as? [String: Int])?["retry_after"].map { (1...5).contains($0) } == true)
    #expect(soon.messages.contains("tokentry: hint: `tokentry login --account work` asks at once"))
    #expect(callers.seen.logins == 1)
    usleep(5_100_000)  // the pause itself
    #expect(try callers.run(Self.login)["error"] as? String == "access_denied")
    usleep(5_100_000)
    #expect(try callers.run(Self.login)["error"] as? String == "login_required", "the pause has grown")
    #expect(callers.seen.logins == 2)
  }

  @Test("The end of the one that signs in frees the others at once, and one of them goes on")
  func killed() throws {
    // A second is meant; a busy machine is given more.
    for isKilled in [true, false] { #expect(try timeToGoOn(after: isKilled) < .seconds(10)) }
  }

  /// How long the others wait after the end of the one that signs in.
  private func timeToGoOn(after isKilled: Bool) throws -> Duration {
    let callers = try Callers()
    let (first, others) = try waiting(6, callers, first: isKilled ? [] : ["--timeout", "5"])
    if isKilled { first.end(SIGKILL) }
    #expect(first.outcome().status == (isKilled ? -SIGKILL : 4))
    let start = ContinuousClock.now
    callers.wait { callers.seen.logins == 2 }
    let duration = ContinuousClock.now - start
    usleep(200_000)  // nothing tells that nothing happens
    #expect(callers.seen.logins == 2, "the others go on waiting")
    callers.conduct.withLock { $0 = .signsIn }
    let outcomes = others.map { $0.outcome() }
    let tokens = Set(outcomes.map { $0["access_token"] as? String })
    #expect(tokens.count == 1 && !tokens.contains(nil), "\(outcomes.map(\.messages))")
    #expect(callers.seen.logins == 2)
    return duration
  }

  @Test("Who does not want to wait, or no longer, ends alone")
  func alone() throws {
    let callers = try Callers()
    let (first, others) = try waiting(3, callers)
    for arguments in [Self.login, Self.token + ["--silent"]] {
      let busy = try callers.run(arguments + ["--no-wait"])
      #expect(busy.status == 8 && busy["error"] as? String == "already_in_progress")
      #expect(busy["retryable"] as? Bool == true)
    }
    let impatient = try callers.run(Self.token + ["--timeout", "1"])
    #expect(impatient.status == 4 && impatient["error"] as? String == "timeout")
    others[0].end(SIGKILL)
    callers.conduct.withLock { $0 = .signsIn }
    #expect(first.outcome().status == 0 && others[1].outcome().status == 0)
    #expect(callers.seen.logins == 1)
  }

  @Test("A wanted login waits for its own turn, and is told apart from the one before")
  func wanted() throws {
    let callers = try Callers()
    let (first, _) = try waiting(1, callers)
    let server = try #require(callers.base)
    let arguments = [
      "login", "--authorization-endpoint", server + "/a", "--token-endpoint", server + "/t", "--client-id",
      "me",
      "--redirect-uri", "https://app.example/done", "--headless-test", "--account", "work", "-v",
    ]
    #expect(try callers.run(arguments + ["--no-wait"])["error"] as? String == "already_in_progress")
    let login = try callers.start(arguments)
    callers.wait { login.isWaiting }
    callers.conduct.withLock { $0 = .signsIn }
    let tokens = [first.outcome(), login.outcome()].map { $0["access_token"] as? String }
    #expect(!tokens.contains(nil) && tokens[0] != tokens[1])
    #expect(callers.seen.logins == 2 && callers.seen.mostAtOnce == 1)
  }
}
