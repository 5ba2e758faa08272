import Foundation
import GLibSupport
import Testing

/// Runs `body` on GLib's main loop, on a thread of its own. The tests run on Swift's small thread pool, which must not
/// be blocked.
public func onMainLoop<Result: Sendable>(
  _ body: @escaping @GLibActor @Sendable () async -> Result
) async -> Result {
  await whileNoMainLoopRuns { GLibActor.run(body) }
}

/// Runs `body` on a thread of its own, while no other main loop runs. `body` may run one itself.
///
/// There is one default main context, and the loop that owns it runs the jobs of all loops: a loop would never end if
/// another one had already run its job.
///
/// Objects that `body` holds, such as a test's folder, are released before this returns, because the program does not
/// wait for the thread after the last test.
public func whileNoMainLoopRuns<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    nonisolated(unsafe) var body: (@Sendable () -> Result)? = body  // only the thread uses it
    Thread.detachNewThread {
      let result = mainLoopLock.withLock { body.map { $0() } }
      body = nil
      guard let result else { preconditionFailure("the body is gone before it was called") }
      continuation.resume(returning: result)
    }
  }
}

private let mainLoopLock = NSLock()

/// Runs `body`, which may block, on a thread of its own.
public func onThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}

/// Runs each test of a suite on threads of its own, so that a blocking test does not hold up the others: Swift's pool
/// has only one thread per processor.
public struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  public var isRecursive: Bool { true }

  public init() {}

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(ThreadForEach.shared) { try await function() }
  }

  /// Starts a thread for every job.
  private final class ThreadForEach: TaskExecutor {
    static let shared = ThreadForEach()

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      Thread.detachNewThread { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}

extension Trait where Self == OwnThreads {
  /// For tests that block their thread, for example while they wait for a program.
  public static var blocking: Self { OwnThreads() }
}
