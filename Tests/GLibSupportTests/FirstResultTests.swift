import GLibSupport
import TestSupport
import Testing

@Suite("The first of several results")
struct FirstResultTests {
  private struct Fault: Error, Equatable {
    let number: Int
  }

  @Test("The first counts, whether somebody waits already or not, and the others do not")
  func first() async {
    let results = await onMainLoop { () async -> [Result<Int, Fault>] in
      let early = FirstResult<Int, Fault>()
      early.finish(.failure(Fault(number: 1)))
      early.finish(.success(2))
      let late = FirstResult<Int, Fault>()
      GLibActor.task {
        late.finish(.success(3))
        late.finish(.failure(Fault(number: 4)))
      }
      let waited = await late.result()
      return [await early.result(), waited, await late.result()]
    }
    #expect(results == [.failure(Fault(number: 1)), .success(3), .success(3)])
  }

  @Test("It is known whether it has come")
  func isThere() async {
    let states = await onMainLoop { () async -> [Bool] in
      let first = FirstResult<Int, Fault>()
      let before = first.isThere
      first.finish(.success(1))
      return [before, first.isThere]
    }
    #expect(states == [false, true])
  }

  @Test("What is done in time has its result, and what is not is cancelled and not waited for")
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
