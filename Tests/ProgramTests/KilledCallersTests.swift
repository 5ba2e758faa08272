import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Programs that are killed while they get a token", .blocking)
struct KilledCallersTests {
  private static let rounds = Rows.areAll ? 200 : 20

  @Test("However often a program is killed, two never use the account at once, and the account is not lost")
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
      // If the account had needed a login anyway, it cannot be lost.
      if !needsLogin, after.deadTokens > before.deadTokens {
        lost += 1
        longest = max(longest, killTime - after.issuedInVain)
      }
    }
    #expect(callers.seen.mostAtOnce == 1)
    // The printed times are some milliseconds; a busy machine gets more.
    #expect(longest <= .seconds(2), "the account was lost long after its token was issued")
    let median = gaps.sorted()[gaps.count / 2]
    #expect(median <= 1, "from the provider's answer to the disk")
    print(
      "\(Self.rounds) kills: \(lost) between rotation and writing, the longest gap \(longest);",
      "otherwise \(Int(median * 1_000)) ms from rotation to writing, at most \(Int((gaps.max() ?? 0) * 1_000)) ms"
    )
  }

  /// How a program is made to end early.
  enum End: CaseIterable {
    case signal, deadline, readerGone
  }

  // The provider does not hand out a token to a program that has gone, so a slow machine never hides a loss. The
  // machine may take the second that the program has for the answer, so there are three tries.
  @Test(
    "A program that has to end while it refreshes waits for the provider's answer and keeps it",
    arguments: End.allCases)
  func endsWhileRefreshing(end: End) throws {
    let options = end == .deadline ? ["--timeout", "3"] : []
    var outcomes: [Outcome] = []
    for _ in 0..<3 {
      let callers = try Callers()
      callers.behavior.withLock { $0 = .holdsRefresh }
      let (pipe, start) = (Pipe(), ContinuousClock.now)
      let caller = try callers.start(
        ["token", "--account", "work", "--silent"] + options, output: end == .readerGone ? pipe : nil)
      for _ in 0..<3_000 where callers.seen.tokenRequests == 0 && caller.isRunning { usleep(10_000) }
      switch end {
      case .signal: caller.end(SIGTERM)
      case .readerGone:
        try pipe.fileHandleForWriting.close()
        try pipe.fileHandleForReading.close()
      case .deadline: while start.duration(to: .now) < .milliseconds(3_100) { usleep(10_000) }
      }
      usleep(200_000)
      callers.behavior.withLock { $0 = .signsIn }
      let outcome = caller.outcome()
      outcomes.append(outcome)
      let next = try callers.run(["token", "--account", "work", "--silent"])
      let isKept = next.status == 0 && callers.seen.deadTokens == 0 && callers.seen.refreshes == 1
      // A token that came in time is handed out, unless the reader has gone.
      if isKept, outcome.status == (end == .readerGone ? 9 : 0) { return }
    }
    Issue.record("the account was lost each time: \(outcomes)")
  }

  @Test(
    "A program that has to end while the provider does not answer ends soon",
    arguments: [End.signal, .deadline])
  func endsWithoutAnswer(end: End) throws {
    let callers = try Callers()
    callers.behavior.withLock { $0 = .holdsRefresh }
    let options = end == .deadline ? ["--timeout", "5"] : []
    let caller = try callers.start(["token", "--account", "work", "--silent"] + options)
    callers.wait { callers.seen.tokenRequests == 1 }
    if end == .signal { caller.end(SIGTERM) }
    let outcome = caller.outcome()
    #expect(outcome.status == (end == .signal ? 3 : 4), "\(outcome.output)")
    #expect(outcome.error == (end == .signal ? "cancelled" : "timeout"))
    // The user is not to blame: the refresh needed no sign-in.
    #expect(outcome["origin"] as? String == (end == .signal ? "caller" : "network"))
    #expect(outcome.messages.contains("127.0.0.1 did not answer within 5 s") == (end == .deadline))
  }

  @Test("Input that does not come in time is the caller's fault")
  func endsWithoutInput() throws {
    let outcome = try Tokentry.run(
      ["login", "--request", "-", "--timeout", "1"],
      wrapper: [
        "/bin/bash", "-c", "exec 3< <(exec sleep 20); \"$@\" <&3; status=$?; kill -KILL $!; exit $status",
        "bash",
      ])
    #expect(outcome.status == 4 && outcome["origin"] as? String == "caller", "\(outcome.output)")
    #expect(outcome.messages.contains("the input was not complete"), "\(outcome.messages)")
  }
}
