import Foundation
import GLibSupport
import TestSupport
import Testing

@Suite("Writing to a descriptor")
struct DescriptorWriterTests {
  @Test("A reader that takes its time gets everything, and the main loop goes on meanwhile")
  func slowReader() async {
    let text = String(repeating: "0123456789", count: 100_000)
    let (read, hasGoneOn) = await onMainLoop { () async -> (Int, Bool) in
      let pipe = UnreadPipe()
      var ticks = 0
      let timer = Source.timer(every: .milliseconds(1)) {
        ticks += 1
        if ticks == 10 { pipe.beginReading() }
      }
      pipe.readLater()
      try? await DescriptorWriter(descriptor: pipe.writing).write(Array(text.utf8))
      withExtendedLifetime(timer) {}
      return (pipe.end(), pipe.wasBegun)
    }
    #expect(read == text.utf8.count)
    #expect(hasGoneOn, "nothing else happened while nobody read")
  }

  @Test("A reader that has gone is an error")
  func gone() async {
    let code = await onMainLoop { () async -> Int32? in
      let pipe = UnreadPipe()
      pipe.closeReading()
      do throws(SystemError) {
        try await DescriptorWriter(descriptor: pipe.writing).write([1])
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code == EPIPE)
  }
}

/// A pipe with whose contents nobody is in a hurry.
private final class UnreadPipe: @unchecked Sendable {  // one thread at a time
  let writing: Int32
  private let reading: Int32
  private var count = 0
  private(set) var wasBegun = false
  private let begun = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)

  init() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { preconditionFailure("no pipe can be made") }
    (reading, writing) = (ends[0], ends[1])
    signal(SIGPIPE) { _ in }
  }

  func beginReading() { begun.signal() }

  /// Reads as soon as it is begun; what never begins it must not wait for ever.
  func readLater() {
    Thread.detachNewThread { [self] in
      wasBegun = begun.wait(timeout: .now() + .seconds(10 * slowness)) == .success
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while case let read = Foundation.read(reading, &buffer, buffer.count), read > 0 { count += read }
      close(reading)
      done.signal()
    }
  }

  func closeReading() { close(reading) }

  /// Ends the pipe, and tells how much came out of it.
  func end() -> Int {
    close(writing)
    done.wait()
    return count
  }
}
