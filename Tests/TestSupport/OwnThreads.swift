import Foundation
import Testing

/// Runs the tests of a suite on threads of their own, so that one that blocks keeps no other from going on: Swift's own
/// threads are no more than there are processors.
public struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  public var isRecursive: Bool { true }

  public init() {}

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(ThreadForEach.shared) { try await function() }
  }

  /// Makes a thread for every piece of work.
  private final class ThreadForEach: TaskExecutor {
    static let shared = ThreadForEach()

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      Thread.detachNewThread { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}

extension Trait where Self == OwnThreads {
  /// The tests of the suite wait for programs without giving their thread to others.
  public static var blocking: Self { OwnThreads() }
}
