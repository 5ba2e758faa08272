import GLibSupport
import TestSupport
import Testing

@Suite("A pause on the main loop")
struct PauseTests {
  @Test("It lasts as long as it should, and others go on meanwhile")
  func lasts() async throws {
    let (waited, others) = await onMainLoop { () async -> (Duration, Int) in
      var others = 0
      let timer = Source.timer(every: .milliseconds(1)) { others += 1 }
      defer { withExtendedLifetime(timer) {} }
      let start = ContinuousClock.now
      try? await pause(for: .milliseconds(50))
      return (ContinuousClock.now - start, others)
    }
    #expect(waited >= .milliseconds(50))
    #expect(others > 0)
  }

  @Test("It ends with its task, whether that is cancelled before or meanwhile", arguments: [false, true])
  func cancelled(meanwhile: Bool) async {
    let wasCancelled = await onMainLoop { () async -> Bool in
      let begun = FirstResult<Void, Never>()
      let task = GLibActor.task { () async -> Bool in
        begun.finish(.success(()))
        do throws(CancellationError) {
          try await pause(for: .seconds(3600))
          return false
        } catch {
          return true
        }
      }
      if meanwhile { _ = await begun.result() }
      task.cancel()
      return await task.value
    }
    #expect(wasCancelled)
  }
}
