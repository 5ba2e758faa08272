import CGLib
import GLibSupport
import TestSupport
import Testing

@Suite("Deadlines")
struct DeadlineTests {
  @Test("A deadline cancels a call that takes longer")
  func passes() async {
    let clock = ContinuousClock()
    let started = clock.now
    let hasPassed = await onMainLoop { () async -> Bool in
      let cancellable = Cancellable()
      let deadline = Deadline(after: .milliseconds(50), cancelling: cancellable)
      await wait(cancellable)
      return deadline.hasPassed
    }
    #expect(hasPassed)
    #expect(clock.now - started >= .milliseconds(49))
  }

  @Test("A released deadline does not cancel its call")
  func gone() async {
    let isCancelled = await onMainLoop { () async -> Bool in
      let cancellable = Cancellable()
      do { _ = Deadline(after: .milliseconds(1), cancelling: cancellable) }
      let other = Cancellable()
      let deadline = Deadline(after: .milliseconds(50), cancelling: other)
      await wait(other)
      _ = deadline
      return g_cancellable_is_cancelled(cancellable.pointer) != 0
    }
    #expect(!isCancelled)
  }

  /// Makes a call that ends only if it is cancelled.
  @GLibActor
  private func wait(_ cancellable: Cancellable) async {
    let pipe = FilledPipe()
    let stream = g_unix_input_stream_new(pipe.reading, 0)
    let result = await asyncCall(cancellable) { ready, data in
      g_input_stream_read_bytes_async(stream, 1, G_PRIORITY_DEFAULT, cancellable.pointer, ready, data)
    }
    g_object_unref(UnsafeMutableRawPointer(result.pointer))
    g_object_unref(stream)
    pipe.closeReading()
    pipe.closeWriting()
  }
}
