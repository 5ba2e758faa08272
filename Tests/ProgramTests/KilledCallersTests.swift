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

  /// The reason for which a program ends early.
  enum End: CaseIterable {
    case termination, interrupt, deadline, readerGone, callerGone
  }

  /// A program that refreshes a token, and the reason for which it ends meanwhile.
  struct Row: CustomStringConvertible, Sendable {
    let command: String
    let end: End
    var description: String { "\(command), \(end)" }

    static let all =
      End.allCases.map { Row(command: "token", end: $0) }
      + ["helper git", "request", "keep"].map { Row(command: $0, end: .termination) }

    /// The exit status if the refresh succeeds meanwhile: a token that came in time is handed out, but no request is sent
    /// with it any more. nil if the caller has gone.
    var status: Int32? {
      switch end {
      case .callerGone: nil
      case .readerGone: 9
      default: command == "request" ? 3 : 0
      }
    }

    func words(_ callers: Callers, _ folder: TemporaryFolder) -> [String] {
      switch command {
      case "token":
        ["token", "--account", "work", "--silent"] + (end == .deadline ? ["--timeout", "3"] : [])
      case "helper git": ["helper", "git", "get"]
      case "request": ["request", (callers.base ?? "") + "/api"]
      default: ["keep", "--account", "work", "--file", folder.path + "/token"]
      }
    }
  }

  // The provider answers later than the second that a program without a refresh has. As a real one, it hands out the token
  // even to a program that has gone.
  @Test(
    "A program that has to end while it refreshes waits for the provider's answer and keeps it",
    arguments: Row.all)
  func endsWhileRefreshing(row: Row) throws {
    let (callers, folder, pipe) = (try Callers(), TemporaryFolder(), Pipe())
    callers.behavior.withLock { $0 = .holdsRefresh }
    let git = try URL(string: #require(callers.base))?.port.map { "protocol=http\nhost=127.0.0.1:\($0)\n\n" }
    let caller = try callers.start(
      row.words(callers, folder), input: git, output: row.end == .readerGone ? pipe : nil,
      // A shell that starts the program as one of two.
      wrapper: row.end == .callerGone ? ["/bin/sh", "-c", "\"$@\" & wait", "sh"] : [])
    callers.wait { callers.seen.tokenRequests == 1 }
    switch row.end {
    case .termination: caller.end(SIGTERM)
    case .interrupt: caller.end(SIGINT)
    case .readerGone:
      try pipe.fileHandleForWriting.close()
      try pipe.fileHandleForReading.close()
    case .callerGone: caller.end(SIGKILL)
    case .deadline: sleep(3)
    }
    usleep(1_500_000)
    callers.behavior.withLock { $0 = .signsIn }
    let outcome = caller.outcome()
    // The next program waits for the lock of one that still runs.
    let next = try callers.run(["token", "--account", "work", "--silent"])
    #expect(next.accessToken == "T3", "\(outcome) \(next)")
    #expect(callers.seen.deadTokens == 0 && callers.seen.refreshes == 1)
    if let status = row.status { #expect(outcome.status == status, "\(outcome)") }
    if row.command == "keep" { #expect(folder.text(of: "token") == "T3") }
  }

  @Test(
    "A program that has to end while the provider does not answer ends after ten seconds, or at a second signal"
  )
  func endsWithoutAnswer() throws {
    let all = try (0..<3).map { _ in try Callers() }
    let programs = try all.enumerated().map { number, callers in
      callers.behavior.withLock { $0 = .holdsRefresh }
      let options = number == 2 ? ["--timeout", "5"] : []
      let program = try callers.start(["token", "--account", "work", "--silent"] + options)
      callers.wait { callers.seen.tokenRequests == 1 }
      return program
    }
    programs[0].end(SIGTERM)
    programs[1].end(SIGTERM)
    sleep(1)
    #expect(programs[0].isRunning)
    programs[0].end(SIGTERM)
    let outcomes = programs.map { $0.outcome() }
    for (outcome, isDeadline) in zip(outcomes, [false, false, true]) {
      #expect(outcome.status == (isDeadline ? 4 : 3), "\(outcome.output)")
      #expect(outcome.error == (isDeadline ? "timeout" : "cancelled"))
      // The user is not to blame: the refresh needed no sign-in.
      #expect(outcome["origin"] as? String == (isDeadline ? "network" : "caller"))
      #expect(outcome.messages.contains("127.0.0.1 did not answer within 5 s") == isDeadline)
    }
  }

  @Test("Input that does not come in time is the caller's fault")
  func endsWithoutInput() throws {
    let outcome = try Tokentry.run(
      ["login", "--options", "-", "--timeout", "1"],
      wrapper: [
        "/bin/bash", "-c", "exec 3< <(exec sleep 20); \"$@\" <&3; status=$?; kill -KILL $!; exit $status",
        "bash",
      ])
    #expect(outcome.status == 4 && outcome["origin"] as? String == "caller", "\(outcome.output)")
    #expect(outcome.messages.contains("the input was not complete"), "\(outcome.messages)")
  }
}
