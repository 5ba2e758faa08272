import Dispatch
import GLibSupport
import TestSupport
import Testing

@Suite("Work in the background")
struct BackgroundTests {
  @Test("While it lasts the main loop goes on, and its result comes back to whoever waits")
  func mainLoopGoesOn() async {
    let result = await onMainLoop {
      let turn = DispatchSemaphore(value: 0)
      let timer = Source.timer(every: .milliseconds(1)) { turn.signal() }
      defer { withExtendedLifetime(timer) {} }
      return await inBackground { turn.wait(timeout: .now() + 60) == .success }
    }
    #expect(result)
  }
}
