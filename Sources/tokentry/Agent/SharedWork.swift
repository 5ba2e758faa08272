import GLibSupport
import LoginCore

/// Work that several tasks want at the same time: it is done once, for all of them.
@GLibActor
final class SharedWork<Key: Hashable & Sendable, Value: Sendable> {
  @GLibActor
  private final class Run {
    let outlivesAskers: Bool
    var waiting: [Int: FirstResult<Value, Failure>] = [:]
    var task: Task<Void, Never>?

    init(outlivesAskers: Bool) { self.outlivesAskers = outlivesAskers }
  }

  private var runs: [Key: Run] = [:]
  private var count = 0

  nonisolated init() {}

  /// Returns the result of the work that goes on under this key, or of `work`, which then begins. The work is cancelled
  /// when all tasks that wait for it are, unless it `outlivesAskers`.
  func value(
    for key: Key, outlivesAskers: Bool = false,
    _ work: @escaping @GLibActor @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let run = runs[key] ?? begin(key, Run(outlivesAskers: outlivesAskers), work)
    count += 1
    let number = count
    let first = FirstResult<Value, Failure>()
    run.waiting[number] = first
    let result = await withTaskCancellationHandler {
      await first.result()
    } onCancel: {
      GLibActor.task {
        first.finish(.failure(.cancelled))
        self.leave(number, key, run)
      }
    }
    return try result.get()
  }

  /// Waits until no work goes on.
  func finish() async {
    while let run = runs.values.first { await run.task?.value }
  }

  private func begin(
    _ key: Key, _ run: Run, _ work: @escaping @GLibActor @Sendable () async throws(Failure) -> Value
  ) -> Run {
    runs[key] = run
    run.task = GLibActor.task {
      let result: Result<Value, Failure>
      do throws(Failure) { result = .success(try await work()) } catch { result = .failure(error) }
      if self.runs[key] === run { self.runs[key] = nil }
      run.waiting.values.forEach { $0.finish(result) }
    }
    return run
  }

  private func leave(_ number: Int, _ key: Key, _ run: Run) {
    run.waiting[number] = nil
    guard run.waiting.isEmpty, !run.outlivesAskers else { return }
    if runs[key] === run { runs[key] = nil }
    run.task?.cancel()
  }
}
