import Foundation
import TestSupport
import Testing

@Suite("Programs that are killed while they get a token", .blocking)
struct KilledCallersTests {
  private static let rounds = Rows.areAll ? 200 : 60

  @Test("However often one is killed, two are never at the account at once, and it is not lost")
  func killedAtRandom() throws {
    let login = ["token", "--account", "work", "--headless-test", "-v"]
    let callers = try Callers(life: 2, delay: 10_000)
    var (lost, longest, gaps) = (0, Duration.zero, [Double]())
    for round in 0..<Self.rounds {
      let needsLogin = round % 3 == 0
      if needsLogin { callers.revoke() }
      let before = callers.seen
      let group = try (0..<3).map { _ in try callers.start(login + ["--timeout", "60"]) }
      usleep(UInt32.random(in: 0...120_000))
      let killTime = ContinuousClock.now
      group[round % 3].end(SIGKILL)
      let outcomes = group.map { $0.outcome() }
      for outcome in outcomes where outcome.status != -SIGKILL {
        #expect(outcome.status == 0, "round \(round): \(outcome.output)\(outcome.messages)")
      }
      #expect(try callers.run(login).status == 0)
      let after = callers.seen
      gaps.append(try #require(callers.written).timeIntervalSince(after.issuedDate))
      // Where the account was lost before, nothing else can be.
      if !needsLogin, after.deadTokens > before.deadTokens {
        lost += 1
        longest = max(longest, killTime - after.issuedInVain)
      }
    }
    #expect(callers.seen.mostAtOnce == 1)
    // What is printed below takes some milliseconds; a busy machine is given more.
    #expect(longest <= .seconds(2), "the account was lost long after its token was issued")
    let median = gaps.sorted()[gaps.count / 2]
    #expect(median <= 1, "from the provider's answer to the disk")
    print(
      "\(Self.rounds) kills: \(lost) between rotation and writing, the longest gap \(longest);",
      "otherwise \(Int(median * 1_000)) ms from rotation to writing, at most \(Int((gaps.max() ?? 0) * 1_000)) ms"
    )
  }
}
