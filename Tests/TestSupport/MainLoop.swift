import Foundation
import GLibSupport

/// Runs `body` on the main loop of a thread made for it, so that no thread of Swift's small pool, on which the
/// tests themselves run, is blocked.
public func onMainLoop<Result: Sendable>(
  _ body: @escaping @GLibActor @Sendable () async -> Result
) async -> Result {
  await besideNoMainLoop { GLibActor.run(body) }
}

/// Runs what has a main loop of its own on a thread made for it.
///
/// One at a time: there is one default main context, and whichever loop owns it runs the jobs of all. A loop whose job
/// another one has run before it has begun would never end.
///
/// What `body` holds, such as the folder of a test, is let go of before this returns: after the last test nobody waits
/// for the thread.
public func besideNoMainLoop<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    nonisolated(unsafe) var body: (@Sendable () -> Result)? = body  // the thread alone has it
    Thread.detachNewThread {
      let result = oneAtATime.withLock { body.map { $0() } }
      body = nil
      guard let result else { preconditionFailure("it is called once") }
      continuation.resume(returning: result)
    }
  }
}

private let oneAtATime = NSLock()

/// A pipe whose contents are known in advance.
public struct FilledPipe: Sendable {
  /// The end to read from.
  public let reading: Int32
  private let writing: Int32

  /// An empty pipe.
  public init() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { preconditionFailure("no pipe can be made") }
    (reading, writing) = (ends[0], ends[1])
  }

  /// A pipe that holds `text` and then ends. It is written by another thread, since a text may be longer than
  /// what a pipe can hold.
  public init(_ text: String) {
    self.init()
    Thread.detachNewThread { [self] in
      write(text)
      closeWriting()
    }
  }

  /// Adds to what the pipe holds.
  public func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Foundation.write(writing, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Lets the reader see the end.
  public func closeWriting() { close(writing) }

  /// Ends the reading side.
  public func closeReading() { close(reading) }
}
