import CGLib

/// The thread that runs GLib's default main loop. In a program with GTK, code on this actor may use widgets.
///
///     Task { @MainLoop in
///       let token = try await client.signIn()
///       gtk_label_set_text(label, "signed in")
///     }
///
/// In a program without such a loop, its tasks never run.
@globalActor
public actor MainLoop {
  public static let shared = MainLoop()
  private static let executor = Executor()

  public nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

  private final class Executor: SerialExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      // An unowned job is one word, so it can be the callback's data.
      let word = unsafeBitCast(UnownedJob(job), to: gpointer.self)
      g_idle_add_full(
        G_PRIORITY_DEFAULT,
        { word in
          unsafeBitCast(word, to: UnownedJob.self).runSynchronously(on: MainLoop.sharedUnownedExecutor)
          return gboolean(0)
        }, word, nil)
    }

    func checkIsolated() {
      precondition(g_main_context_is_owner(nil) != 0, "not on the thread of the main loop")
    }
  }
}
