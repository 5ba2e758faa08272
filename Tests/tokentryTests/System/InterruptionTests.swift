import GLibSupport
import Glibc
import LoginCore
import SignIn
import TestSupport
import Testing
import WindowProtocol

@testable import tokentry

/// Each test runs in a process of its own, because an interruption takes signals over.
@Suite("Interruption")
struct InterruptionTests {
  @Test("Typing leaves a minute of a given time, and asking for more or a time that is not given all of it")
  func deadline() async {
    await #expect(processExitsWith: .exitCode(7)) {
      await onMainLoop {
        let interruption = Interruption(watchesCaller: false)
        interruption.extendDeadline(isAsked: true)
        precondition(interruption.secondsLeft == nil, "no limit")
        let left = { (seconds: Int, isGiven: Bool, isAsked: Bool?) -> ClosedRange<Int64> in
          interruption.setDeadline(seconds: 1_000, isGiven: isGiven)
          interruption.setDeadline(seconds: seconds, isGiven: isGiven)
          if let isAsked { interruption.extendDeadline(isAsked: isAsked) }
          let left = interruption.secondsLeft ?? -1
          return left...left + 20
        }
        precondition(left(40, true, nil).contains(40))
        precondition(left(40, true, false).contains(60))
        precondition(left(900, true, false).contains(900))
        precondition(left(40, true, true).contains(40))
        precondition(left(40, false, false).contains(40))
      }
      exit(7)
    }
  }

  @Test("A user who has seen a window is told about failures that they do not know yet")
  func explanation() async {
    await #expect(processExitsWith: .exitCode(7)) {
      await onMainLoop {
        let cases: [(failure: Failure, isSeen: Bool, isExplained: Bool)] = [
          (.unknownHost("a"), true, true), (.unknownHost("a"), false, false), (.windowClosed, true, false),
          (Failure(.provider("access_denied"), "x"), true, false), (.noDisplay, true, false),
          (Failure(.provider("server_error"), "x"), true, true), (.offline, true, false),
        ]
        for (failure, isSeen, isExplained) in cases {
          let interruption = Interruption(watchesCaller: false)
          var explained: [Failure] = []
          interruption.explain = { explained.append($0) }
          interruption.hasSeenWindow = isSeen
          interruption.shownFailure = .offline
          do throws(Failure) {
            try await interruption.first { () async throws(Failure) -> Void in throw failure }
          } catch {
            precondition(error == failure)
          }
          precondition(explained == (isExplained ? [failure] : []), "\(failure)")
        }
        let late = Interruption(watchesCaller: false)
        var explained: [Failure] = []
        late.explain = { explained.append($0) }
        late.hasSeenWindow = true
        late.setDeadline(seconds: 1, isGiven: true)
        do throws(Failure) {
          try await late.first { () async throws(Failure) -> Void in
            try? await Task.sleep(for: .seconds(600))
            throw .cancelled
          }
        } catch {
          precondition(error.code == .timeout && explained == [error])
        }
        precondition(explained.count == 1)
      }
      exit(7)
    }
  }

  @Test(
    "A command that deals with a signal itself goes on, and a signal that was ignored at the start stays ignored"
  )
  func signals() async {
    await #expect(processExitsWith: .exitCode(7)) {
      await onMainLoop {
        signal(SIGHUP, SIG_IGN)
        let interruption = Interruption(watchesCaller: false)
        let taken = FirstResult<Int32, Never>()
        interruption.takesSignal = { number in
          taken.finish(.success(number))
          return true
        }
        let result = try? await interruption.first { () async throws(Failure) -> Int32 in
          raise(SIGHUP)
          raise(SIGUSR1)
          return await taken.result().get()
        }
        precondition(result == SIGUSR1)
      }
      exit(7)
    }
  }
}
