import GLibSupport
import Glibc
import TestSupport
import Testing

@Suite("Sources of the main loop")
struct SourceTests {
  @Test("A timer repeats until it is released")
  func timerRepeats() async {
    let calls = await onMainLoop { () async -> Int in
      let counter = Counter()
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        counter.source = Source.every(.milliseconds(5)) {
          counter.count += 1
          if counter.count == 3 {
            counter.source = nil
            continuation.resume()
          }
        }
      }
      try? await pause(for: .milliseconds(40))
      return counter.count
    }
    #expect(calls == 3)
  }

  @Test("A time passes once")
  func passesOnce() async {
    let calls = await onMainLoop { () async -> Int in
      let counter = Counter()
      counter.source = Source.after(.milliseconds(2)) { counter.count += 1 }
      try? await pause(for: .milliseconds(40))
      return counter.count
    }
    #expect(calls == 1)
  }

  @Test("A signal with a source does not end the process")
  func signalIsDelivered() async {
    let received = await onMainLoop { () async -> Int32 in
      let counter = Counter()
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        counter.source = Source.signal(SIGUSR1) {
          guard counter.source != nil else { return }
          counter.source = nil
          continuation.resume()
        }
        kill(getpid(), SIGUSR1)
      }
      return SIGUSR1
    }
    #expect(received == SIGUSR1)
  }

  @Test("The end of what a socket sends is no hang-up, and has a source of its own")
  func inputEnds() async {
    let hangUps = await onMainLoop { () async -> Int in
      var ends: [Int32] = [-1, -1]
      guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return -1 }
      defer { for end in ends { close(end) } }
      let (counter, hangUps) = (Counter(), Counter())
      hangUps.source = Source.hangUp(of: ends[0]) { hangUps.count += 1 }
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        counter.source = Source.endOfInput(of: ends[0]) {
          guard counter.source != nil else { return }
          counter.source = nil
          continuation.resume()
        }
        shutdown(ends[1], Int32(SHUT_WR))
      }
      defer { hangUps.source = nil }
      return hangUps.count
    }
    #expect(hangUps == 0)
  }

  @Test("The closure of a source is released with the source")
  func closureIsReleased() async {
    let isGone = await onMainLoop { () async -> Bool in
      weak var counter: Counter?
      do {
        let kept = Counter()
        counter = kept
        let source = Source.every(.seconds(60)) { kept.count += 1 }
        _ = source
      }
      try? await pause(for: .milliseconds(1))
      return counter == nil
    }
    #expect(isGone)
  }

  @GLibActor
  private final class Counter {
    var count = 0
    var source: Source?
  }
}

@Suite("Pauses on the main loop")
struct PauseTests {
  @Test("A pause lasts long enough, and other work goes on meanwhile")
  func lasts() async throws {
    let (waited, others) = await onMainLoop { () async -> (Duration, Int) in
      var others = 0
      let timer = Source.every(.milliseconds(1)) { others += 1 }
      defer { withExtendedLifetime(timer) {} }
      let start = ContinuousClock.now
      try? await pause(for: .milliseconds(50))
      return (ContinuousClock.now - start, others)
    }
    #expect(waited >= .milliseconds(50))
    #expect(others > 0)
  }

  @Test("A pause ends when its task is cancelled, before the pause or during it", arguments: [false, true])
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
