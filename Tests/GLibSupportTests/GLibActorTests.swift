import GLibSupport
import Glibc
import TestSupport
import Testing

@Suite("The main loop as an actor")
struct GLibActorTests {
  @Test("run returns what its body returns")
  func runReturns() async {
    let answer = await onMainLoop { 42 }
    #expect(answer == 42)
  }

  @Test("Everything of a task runs on one thread, also after it has waited")
  func staysOnItsThread() async {
    let threads = await onMainLoop { () async -> Set<pthread_t> in
      var seen: Set<pthread_t> = [pthread_self()]
      for _ in 0..<10 {
        await Task.yield()
        seen.insert(pthread_self())
        await suspendOnce()
        seen.insert(pthread_self())
      }
      return seen
    }
    #expect(threads.count == 1)
  }

  @Test("Other tasks run while one of them waits")
  func tasksInterleave() async {
    let order = await onMainLoop { () async -> [String] in
      let log = Log()
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        GLibActor.task {
          log.entries.append("second")
          continuation.resume()
        }
        log.entries.append("first")
      }
      log.entries.append("third")
      return log.entries
    }
    #expect(order == ["first", "second", "third"])
  }

  @GLibActor
  private final class Log {
    var entries: [String] = []
  }
}

/// Gives the main loop a chance to run something else.
@GLibActor
private func suspendOnce() async {
  await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
    GLibActor.task { continuation.resume() }
  }
}
