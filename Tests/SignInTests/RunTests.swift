import GLibSupport
import LoginCore
import SignIn
import TestSupport
import Testing

@Suite("Run")
struct RunTests {
  /// The failures that were explained to the user.
  @GLibActor
  private final class Record {
    var failures: [Failure] = []
  }

  @Test("Typing leaves a minute of a given time, and asking for more or a time that is not given all of it")
  func deadline() async {
    await onMainLoop {
      let run = Run()
      run.extendDeadline(isAsked: true)
      #expect(run.secondsLeft == nil, "no limit")
      let left = { (seconds: Int, isGiven: Bool, isAsked: Bool?) -> ClosedRange<Int64> in
        run.setDeadline(seconds: 1_000, isGiven: isGiven)
        run.setDeadline(seconds: seconds, isGiven: isGiven)
        if let isAsked { run.extendDeadline(isAsked: isAsked) }
        let left = run.secondsLeft ?? -1
        return left...left + 20
      }
      #expect(left(40, true, nil).contains(40))
      #expect(left(40, true, false).contains(60))
      #expect(left(900, true, false).contains(900))
      #expect(left(40, true, true).contains(40))
      #expect(left(40, false, false).contains(40))
    }
  }

  @Test("A user who has seen a window is told about failures that they do not know yet")
  func explanation() async {
    await onMainLoop {
      let cases: [(failure: Failure, isSeen: Bool, isExplained: Bool)] = [
        (.unknownHost("a"), true, true), (.unknownHost("a"), false, false), (.windowClosed, true, false),
        (Failure(.provider("access_denied"), "x"), true, false), (.noDisplay, true, false),
        (Failure(.provider("server_error"), "x"), true, true), (.offline, true, false),
      ]
      for (failure, isSeen, isExplained) in cases {
        let run = Run()
        let explained = Record()
        run.note(.mayExplain { explained.failures.append($0) })
        if isSeen { run.note(.windowSeen) }
        run.note(.failureAtDeadline(.offline))
        do throws(Failure) {
          try await run.first { () async throws(Failure) -> Void in throw failure }
        } catch {
          #expect(error == failure)
        }
        #expect(explained.failures == (isExplained ? [failure] : []), "\(failure)")
      }
      let late = Run()
      let explained = Record()
      late.note(.mayExplain { explained.failures.append($0) })
      late.note(.windowSeen)
      late.setDeadline(seconds: 1, isGiven: true)
      do throws(Failure) {
        try await late.first { () async throws(Failure) -> Void in
          try? await Task.sleep(for: .seconds(600))
          throw .cancelled
        }
      } catch {
        #expect(error.code == .timeout && explained.failures == [error])
      }
      #expect(explained.failures.count == 1)
    }
  }
}
