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
  @Test(
    "A command that deals with a signal itself goes on, and a signal that was ignored at the start stays ignored"
  )
  func signals() async {
    await #expect(processExitsWith: .exitCode(7)) {
      await onMainLoop {
        signal(SIGHUP, SIG_IGN)
        let interruption = Interruption(of: Run(), watchesCaller: false)
        let taken = FirstResult<Int32, Never>()
        let result = try? await interruption.command { () async throws(Failure) -> Int32 in
          await interruption.taking { number in
            taken.finish(.success(number))
            return true
          } _: {
            raise(SIGHUP)
            raise(SIGUSR1)
            return await taken.result().get()
          }
        }
        precondition(result == SIGUSR1)
      }
      exit(7)
    }
  }
}
