import Dispatch
import GLibSupport
import Glibc
import TestSupport
import Testing

@Suite("Main loop as an actor")
struct GLibActorTests {
  @Test("run returns the value of its body")
  func runReturns() async {
    let answer = await onMainLoop { 42 }
    #expect(answer == 42)
  }

  @Test("A task stays on one thread, even after it has waited")
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

/// Lets the main loop run another task.
@GLibActor
private func suspendOnce() async {
  await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
    GLibActor.task { continuation.resume() }
  }
}

@Suite("Work in the background")
struct BackgroundTests {
  @Test("The main loop goes on meanwhile")
  func mainLoopGoesOn() async {
    let result = await onMainLoop {
      let turn = DispatchSemaphore(value: 0)
      let timer = Source.every(.milliseconds(1)) { turn.signal() }
      defer { withExtendedLifetime(timer) {} }
      return await inBackground { turn.wait(timeout: .now() + 60) == .success }
    }
    #expect(result)
  }
}

@Suite("First of several results")
struct FirstResultTests {
  private struct TestError: Error, Equatable {
    let number: Int
  }

  @Test("Only the first result counts, whether a task already waits or not")
  func first() async {
    let results = await onMainLoop { () async -> [Result<Int, TestError>] in
      let early = FirstResult<Int, TestError>()
      early.finish(.failure(TestError(number: 1)))
      early.finish(.success(2))
      let late = FirstResult<Int, TestError>()
      GLibActor.task {
        late.finish(.success(3))
        late.finish(.failure(TestError(number: 4)))
      }
      let waited = await late.result()
      return [await early.result(), waited, await late.result()]
    }
    #expect(results == [.failure(TestError(number: 1)), .success(3), .success(3)])
  }

  @Test("isThere is true once there is a result")
  func isThere() async {
    let states = await onMainLoop { () async -> [Bool] in
      let first = FirstResult<Int, TestError>()
      let before = first.isThere
      first.finish(.success(1))
      return [before, first.isThere]
    }
    #expect(states == [false, true])
  }

  @Test("Work that takes too long is cancelled and not waited for")
  func inTime() async {
    let (quick, slow, wasCancelled) = await onMainLoop { () async -> (Int?, Int?, Bool) in
      let quick = await within(.seconds(20)) { 1 }
      let ended = FirstResult<Bool, Never>()
      let slow = await within(.milliseconds(20)) { () async -> Int in
        try? await Task.sleep(for: .seconds(20))
        ended.finish(.success(Task.isCancelled))
        return 2
      }
      return (quick, slow, await ended.result().get())
    }
    #expect(quick == 1)
    #expect(slow == nil)
    #expect(wasCancelled)
  }
}
