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

  @Test("A sign of life restarts the time, unless the caller has given it")
  func deadline() async {
    await onMainLoop {
      let run = Run()
      run.extendDeadline()
      #expect(run.secondsLeft == nil, "no limit")
      for isGiven in [true, false] {
        run.setDeadline(seconds: 40, isGiven: isGiven)
        try? await Task.sleep(for: .milliseconds(1_200))
        let before = run.secondsLeft ?? -1
        run.extendDeadline()
        #expect(run.secondsLeft.map { $0 > before } == !isGiven)
        run.extendDeadline(forCode: 900)
        run.extendDeadline()
        #expect(
          run.secondsLeft.map { $0 > 930 } == !isGiven, "a sign of life does not shorten the time of a code")
      }
    }
  }

  @Test("If no browser returns, the hint says what to register, or which port is taken")
  func redirect() async throws {
    let (usual, other) = (
      try RedirectURI("http://127.0.0.1:61000/"), try RedirectURI("http://127.0.0.1:8080/")
    )
    await onMainLoop {
      for (isTaken, hint) in [
        (
          false,
          "no browser returned: if the provider has shown an error, register the redirect URI \(usual) there"
        ),
        (
          true,
          "no browser returned to \(other): if the provider accepts only \(usual), end the program that uses this port, and try again"
        ),
      ] {
        let run = Run()
        if isTaken { run.note(.portTaken(usual, other: other)) }
        run.note(.listening(isTaken ? other : usual, isBrowsers: true))
        run.setDeadline(seconds: 1, isGiven: true)
        do throws(Failure) {
          try await run.first { () async throws(Failure) -> Void in
            try? await Task.sleep(for: .seconds(600))
            throw .cancelled
          }
        } catch {
          #expect(error.code == .timeout && error.hint?.text?.description == hint)
        }
      }
    }
  }

  @Test("A user who has seen a window is told about failures that they do not know yet")
  func explanation() async {
    await onMainLoop {
      let cases: [(failure: Failure, isSeen: Bool, isExplained: Bool)] = [
        (.unknownHost("a"), true, true), (.unknownHost("a"), false, false), (.windowClosed, true, false),
        (Failure(.accessDenied, "x"), true, false), (.noDisplay, true, false),
        (Failure(.provider("server_error"), "x"), true, true), (.offline, true, false),
      ]
      for (failure, isSeen, isExplained) in cases {
        let run = Run()
        let explained = Record()
        run.explainFailure { explained.failures.append($0) }
        run.hasSeenWindow = isSeen
        run.shownFailure = .offline
        do throws(Failure) {
          try await run.first { () async throws(Failure) -> Void in throw failure }
        } catch {
          #expect(error == failure)
        }
        #expect(explained.failures == (isExplained ? [failure] : []), "\(failure)")
      }
      let late = Run()
      let explained = Record()
      late.explainFailure { explained.failures.append($0) }
      late.hasSeenWindow = true
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

  @Test("A run that has ended keeps nothing of its sign-in alive")
  func release() async {
    await onMainLoop {
      weak var kept: Run?
      do {
        let run = Run()
        kept = run
        run.explainFailure { _ in _ = run.hasSeenWindow }
        let result = await run.result(within: 40) {}
        #expect((try? result.get()) != nil)
      }
      #expect(kept == nil)
    }
  }
}
