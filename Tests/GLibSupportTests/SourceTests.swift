import GLibSupport
import Glibc
import TestSupport
import Testing

@Suite("Sources of the main loop")
struct SourceTests {
  @Test("A timer calls again and again for as long as it is kept")
  func timerRepeats() async {
    let calls = await onMainLoop { () async -> Int in
      let counter = Counter()
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        counter.source = Source.timer(every: .milliseconds(5)) {
          counter.count += 1
          if counter.count == 3 {
            counter.source = nil
            continuation.resume()
          }
        }
      }
      await pause(milliseconds: 40)
      return counter.count
    }
    #expect(calls == 3)
  }

  @Test("A timer does not call early")
  func timerWaits() async {
    let clock = ContinuousClock()
    let passed = await clock.measure { await onMainLoop { await pause(milliseconds: 50) } }
    #expect(passed >= .milliseconds(49))
  }

  @Test("A signal that has a source does not end the process")
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

  @Test("The closure of a source is released with the source")
  func closureIsReleased() async {
    let isGone = await onMainLoop { () async -> Bool in
      weak var counter: Counter?
      do {
        let kept = Counter()
        counter = kept
        let source = Source.timer(every: .seconds(60)) { kept.count += 1 }
        _ = source
      }
      await pause(milliseconds: 1)
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

@GLibActor
private func pause(milliseconds: Int) async {
  var source: Source?
  await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
    var isFirst = true
    source = Source.timer(every: .milliseconds(milliseconds)) {
      if isFirst { continuation.resume() }
      isFirst = false
    }
  }
  _ = source
}
