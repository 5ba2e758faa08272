import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Programs that are killed while they get a token", .blocking)
struct KilledCallersTests {
  private static let rounds = Rows.areAll ? 200 : 20

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

  /// What ends a program that would have waited.
  enum End: CaseIterable {
    case signal, deadline, readerGone
  }

  // The provider notices who does not wait for its answer: so a slow machine never hides a fault. It may take the second
  // that a program has for the answer, so that there is another try.
  @Test(
    "One that has to end while it refreshes takes the provider's answer, and keeps it",
    arguments: End.allCases)
  func endsWhileRefreshing(end: End) throws {
    let options = end == .deadline ? ["--timeout", "3"] : []
    var outcomes: [Program.Outcome] = []
    for _ in 0..<3 {
      let callers = try Callers()
      callers.conduct.withLock { $0 = .holdsRefresh }
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
      callers.conduct.withLock { $0 = .signsIn }
      let outcome = caller.outcome()
      outcomes.append(outcome)
      let next = try callers.run(["token", "--account", "work", "--silent"])
      let isKept = next.status == 0 && callers.seen.deadTokens == 0 && callers.seen.refreshes == 1
      // What came in time is handed out, unless there is nobody to take it.
      if isKept, outcome.status == (end == .readerGone ? 9 : 0) { return }
    }
    Issue.record("the account was lost each time: \(outcomes)")
  }

  @Test("One that has to end while a provider does not answer ends soon", arguments: [End.signal, .deadline])
  func endsWithoutAnswer(end: End) throws {
    let callers = try Callers()
    callers.conduct.withLock { $0 = .holdsRefresh }
    let options = end == .deadline ? ["--timeout", "5"] : []
    let caller = try callers.start(["token", "--account", "work", "--silent"] + options)
    callers.wait { callers.seen.tokenRequests == 1 }
    if end == .signal { caller.end(SIGTERM) }
    let outcome = caller.outcome()
    #expect(outcome.status == (end == .signal ? 3 : 4), "\(outcome.output)")
    #expect(outcome["error"] as? String == (end == .signal ? "cancelled" : "timeout"))
    // Nobody was to sign in.
    #expect(outcome["origin"] as? String == (end == .signal ? "caller" : "network"))
    #expect(outcome.messages.contains("5 s were over before 127.0.0.1 had answered") == (end == .deadline))
  }

  @Test("Input that does not come in time is the caller's matter")
  func endsWithoutInput() throws {
    let outcome = try Program.run(
      ["login", "--request", "-", "--timeout", "1"],
      wrapper: [
        "/bin/bash", "-c", "exec 3< <(exec sleep 20); \"$@\" <&3; status=$?; kill -KILL $!; exit $status",
        "bash",
      ])
    #expect(outcome.status == 4 && outcome["origin"] as? String == "caller", "\(outcome.output)")
    #expect(outcome.messages.contains("before all of the input was there"), "\(outcome.messages)")
  }
}
