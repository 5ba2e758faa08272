import CGLib
import CLinux
import Glibc
import Synchronization

/// Runs Swift jobs as idle sources of a GLib main context, on the thread that iterates it.
///
/// It is both a task executor and a serial executor. With a serial executor alone, each continuation would first go
/// through Swift's own thread pool: three more threads, and hops that take six times as long.
final class GLibExecutor: SerialExecutor, TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    // An unowned job is one word, so it can be the callback's data without an allocation.
    let word = unsafeBitCast(UnownedJob(job), to: gpointer.self)
    MainContext.attach(g_idle_source_new(), priority: G_PRIORITY_DEFAULT) { source in
      g_source_set_callback(
        source,
        { word in
          unsafeBitCast(word, to: UnownedJob.self).runSynchronously(
            isolatedTo: GLibActor.sharedUnownedExecutor,
            taskExecutor: GLibActor.executor.asUnownedTaskExecutor())
          return gboolean(0)
        }, word, nil)
    }
  }

  func checkIsolated() {
    precondition(MainContext.isOwned, "not on the thread of the main loop")
  }

  func isIsolatingCurrentContext() -> Bool? { MainContext.isOwned }
}

/// The main context in which all our code runs. In a program that calls ``GLibActor/run(_:)`` it is GLib's default one. In
/// any other program it is a context of our own, iterated by our own thread, whether or not the program has a main loop.
enum MainContext {
  /// Our own context, or nil for GLib's default one.
  nonisolated(unsafe) private static let own = Atomic<OpaquePointer?>(nil)  // GMainContext is thread-safe
  private static let hasLoop = Atomic(false)

  static var current: OpaquePointer? { own.load(ordering: .acquiring) }

  static var isOwned: Bool { g_main_context_is_owner(current) != 0 }

  /// Adds a source after `prepare` has given it a callback, and releases our reference to it.
  static func attach(
    _ source: UnsafeMutablePointer<GSource>?, priority: Int32,
    _ prepare: (UnsafeMutablePointer<GSource>?) -> Void
  ) {
    g_source_set_priority(source, priority)
    prepare(source)
    g_source_attach(source, current)
    g_source_unref(source)
  }

  /// Notes that the program calls ``GLibActor/run(_:)``, so no thread of our own is needed.
  static func beginLoop() { hasLoop.store(true, ordering: .relaxed) }

  /// Starts our own thread, unless the program calls ``GLibActor/run(_:)``. Libraries that are called on it answer on it.
  static let beginThread: Void = {
    if hasLoop.load(ordering: .relaxed) { return }
    keepHandlerOfBrokenPipes()
    let context = g_main_context_new()
    own.store(context, ordering: .releasing)
    let iterate: @convention(c) (gpointer?) -> gpointer? = { context in
      let context = context.map { OpaquePointer($0) }
      // The program's other threads handle its signals, and a write to a window that is gone must not end the program. A
      // crash of this thread is reported as one of any other.
      var signals = sigset_t()
      sigfillset(&signals)
      for crash in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS] { sigdelset(&signals, crash) }
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      g_main_context_push_thread_default(context)
      g_main_loop_run(g_main_loop_new(context, 0))
      return nil
    }
    g_thread_unref(g_thread_new("tokentry", iterate, context.map { UnsafeMutableRawPointer($0) }))
  }()
}

/// Lets GIO prepare its sockets, which ignores SIGPIPE in the whole process, and gives a handler of the program back.
private func keepHandlerOfBrokenPipes() {
  var handler = sigaction()
  sigaction(SIGPIPE, nil, &handler)
  if let first = g_socket_new(G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, nil) {
    g_object_unref(first)
  }
  // GIO writes to pipes, too, so it needs this if the program has no handler.
  let value = unsafeBitCast(handler.__sigaction_handler, to: UInt.self)
  if value > 1 { sigaction(SIGPIPE, &handler, nil) }
}

/// The thread that iterates our main context. All code that touches a GObject runs here.
@globalActor
public actor GLibActor {
  public static let shared = GLibActor()
  static let executor = GLibExecutor()

  public nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

  /// Iterates the default main context on the calling thread until `body` returns.
  package static func run<Result: Sendable>(
    _ body: @escaping @GLibActor @Sendable () async -> Result
  ) -> Result {
    MainContext.beginLoop()
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

  /// Starts a thread for the actor's jobs in a program that does not call ``run(_:)``. The thread lives as long as the
  /// program. Call this before you use the actor.
  package nonisolated static func beginOwnThread() { MainContext.beginThread }

  /// Starts a task on the main loop. Use this outside of the actor and in C callbacks: a plain `Task` would run its
  /// continuations on Swift's thread pool first.
  @discardableResult
  package nonisolated static func task<Value: Sendable>(
    _ body: @escaping @GLibActor @Sendable () async -> Value
  ) -> Task<Value, Never> {
    Task(executorPreference: executor, operation: body)
  }

  /// Calls `body` once, when the main loop has nothing else to do.
  package static func whenIdle(_ body: @escaping @GLibActor () -> Void) {
    typealias Work = Handler<@GLibActor () -> Void>
    MainContext.attach(g_idle_source_new(), priority: G_PRIORITY_LOW) { source in
      let call: @GLibActor @convention(c) (gpointer) -> gboolean = { data in
        Work.body(data)()
        return 0
      }
      g_source_set_callback(
        source, unsafeBitCast(call, to: GSourceFunc.self), Work.retained(body), Work.release)
    }
  }
}

/// Runs `body` on a new thread while the main loop goes on. The thread cannot be cancelled; if the result is no longer
/// wanted, it runs on until the process ends.
package func inBackground<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await withUnsafeContinuation { continuation in
    typealias Work = Handler<@Sendable () -> Void>
    let work: gpointer = Work.retained { continuation.resume(returning: body()) }
    let call: @convention(c) (gpointer?) -> gpointer? = { data in
      if let data { Work.body(data)() }
      Work.release(data)
      return nil
    }
    g_thread_unref(g_thread_new("background", call, work))
  }
}

/// Hands the first of several possible results to one waiting task, and ignores later ones.
@GLibActor
package final class FirstResult<Value: Sendable, Failure: Error> {
  private var first: Result<Value, Failure>?
  private var waiting: CheckedContinuation<Result<Value, Failure>, Never>?

  package init() {}

  /// True once there is a result.
  package var isThere: Bool { first != nil }

  package func finish(_ result: Result<Value, Failure>) {
    guard first == nil else { return }
    first = result
    waiting.take()?.resume(returning: result)
  }

  /// Waits for the first result.
  package func result() async -> Result<Value, Failure> {
    await withCheckedContinuation { continuation in
      // A result may arrive before this closure runs, so this is the only place to look for it.
      if let first { continuation.resume(returning: first) } else { waiting = continuation }
    }
  }
}

/// Returns the result of `body`, or nil if it takes longer than `duration`. In that case `body` is cancelled, but not
/// waited for.
@GLibActor
package func within<Value: Sendable>(
  _ duration: Duration, _ body: @escaping @GLibActor @Sendable () async -> Value
) async -> Value? {
  let first = FirstResult<Value?, Never>()
  let task = GLibActor.task { first.finish(.success(await body())) }
  let timer = Source.after(duration) {
    task.cancel()
    first.finish(.success(nil))
  }
  defer { withExtendedLifetime(timer) {} }
  return await first.result().get()
}
