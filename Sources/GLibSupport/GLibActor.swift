import CGLib

/// Runs Swift's jobs as idle sources of GLib's default main context, on the thread that iterates it.
///
/// It is a task executor as well as a serial executor: otherwise every continuation would make a detour
/// through Swift's own thread pool (three more threads, and six times the time of a hop).
final class GLibExecutor: SerialExecutor, TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    // An unowned job is one word, so it travels as the callback's data and nothing is allocated.
    let word = unsafeBitCast(UnownedJob(job), to: gpointer.self)
    g_idle_add_full(
      G_PRIORITY_DEFAULT,
      { word in
        unsafeBitCast(word, to: UnownedJob.self).runSynchronously(
          isolatedTo: GLibActor.sharedUnownedExecutor,
          taskExecutor: GLibActor.executor.asUnownedTaskExecutor())
        return gboolean(0)
      }, word, nil)
  }

  func checkIsolated() {
    precondition(g_main_context_is_owner(nil) != 0, "not on GLib's main thread")
  }

  func isIsolatingCurrentContext() -> Bool? { g_main_context_is_owner(nil) != 0 }
}

/// The thread that iterates GLib's default main context: everything that touches a GObject runs here.
@globalActor
public actor GLibActor {
  public static let shared = GLibActor()
  static let executor = GLibExecutor()

  public nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

  /// Iterates the default main context on the calling thread until `body` returns.
  public static func run<Result: Sendable>(
    _ body: @escaping @GLibActor @Sendable () async -> Result
  ) -> Result {
    nonisolated(unsafe) let loop = g_main_loop_new(nil, 0)  // GMainLoop is thread-safe
    nonisolated(unsafe) var result: Result?  // written on the loop's thread, read after the loop has ended
    task {
      result = await body()
      g_main_loop_quit(loop)
    }
    g_main_loop_run(loop)
    g_main_loop_unref(loop)
    guard let result else { preconditionFailure("the main loop ended before its body") }
    return result
  }

  /// Starts a task on the main loop. Tasks made elsewhere, or made in a callback of C, would run their
  /// continuations on Swift's thread pool first.
  @discardableResult
  public nonisolated static func task<Value: Sendable>(
    _ body: @escaping @GLibActor @Sendable () async -> Value
  ) -> Task<Value, Never> {
    Task(executorPreference: executor, operation: body)
  }
}
