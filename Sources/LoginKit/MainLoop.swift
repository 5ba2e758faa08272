import CGLib

/// The thread that runs GLib's default main loop. In a program with GTK, code on this actor may use widgets.
///
/// A task on this actor runs between two events of the loop. GTK's callbacks arrive on the same thread, outside of the actor, and
/// enter it with ``assumeIsolated(_:)``. This is a whole program with GTK 4, whose C module `CGTK4` has the functions of GTK:
///
/// ```swift
/// import CGTK4
/// import LoginKit
///
/// @MainLoop
/// final class Notes {
///   static let shared = Notes()
///   private let label = gtk_label_new("signing in …")
///   private var task: Task<Void, Never>?
///
///   func open(_ application: UnsafeMutablePointer<GtkApplication>) {
///     guard let window = gtk_application_window_new(application) else { return }
///     let pointer = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)
///     gtk_window_set_child(pointer, label)
///     gtk_window_present(pointer)
///     task = Task { await load() }
///   }
///
///   func close() { task?.cancel() }
///
///   private func load() async {
///     do throws(Failure) {
///       var client = try OAuthClient(issuer: "https://id.example", clientID: "notes")
///       client.allowedOrigins = ["https://api.example"]
///       show(String(decoding: try await client.request("https://api.example/notes", signingIn: true).body, as: UTF8.self))
///     } catch {
///       if error.code != .cancelled { show(error.text) }
///     }
///   }
///
///   private func show(_ text: String) { gtk_label_set_text(OpaquePointer(label), text) }
/// }
///
/// let application = gtk_application_new("com.example.Notes", GApplicationFlags(rawValue: 0))
/// let activate: @convention(c) (UnsafeMutablePointer<GtkApplication>, gpointer?) -> Void = { application, _ in
///   nonisolated(unsafe) let application = application
///   MainLoop.assumeIsolated { Notes.shared.open(application) }
/// }
/// g_signal_connect_data(
///   application, "activate", unsafeBitCast(activate, to: GCallback.self), nil, nil, GConnectFlags(rawValue: 0))
/// g_application_run(UnsafeMutableRawPointer(application)?.assumingMemoryBound(to: GApplication.self), 0, nil)
/// ```
///
/// With GTK 3 and `gtk_main()`, begin with a task, which runs as soon as the loop does, and await no other one before:
///
/// ```swift
/// import CGTK3
/// import LoginKit
///
/// @MainLoop
/// final class Notes {
///   static let shared = Notes()
///   private let label = gtk_label_new("signing in …")
///   private var task: Task<Void, Never>?
///
///   func open() {
///     guard let window = gtk_window_new(GTK_WINDOW_TOPLEVEL) else { return }
///     gtk_container_add(UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkContainer.self), label)
///     gtk_widget_show_all(window)
///     let close: @convention(c) () -> Void = { MainLoop.assumeIsolated { Notes.shared.close() } }
///     g_signal_connect_data(
///       window, "destroy", unsafeBitCast(close, to: GCallback.self), nil, nil, GConnectFlags(rawValue: 0))
///     task = Task { await load() }
///   }
///
///   private func close() {
///     task?.cancel()
///     gtk_main_quit()
///   }
///
///   private func load() async {
///     do throws(Failure) {
///       let client = try OAuthClient(issuer: "https://id.example", clientID: "notes")
///       show("signed in until \(try await client.signIn().expiresAt?.description ?? "further notice")")
///     } catch {
///       if error.code != .cancelled { show(error.text) }
///     }
///   }
///
///   private func show(_ text: String) {
///     gtk_label_set_text(UnsafeMutableRawPointer(label)?.assumingMemoryBound(to: GtkLabel.self), text)
///   }
/// }
///
/// gtk_init(nil, nil)
/// Task { @MainLoop in Notes.shared.open() }
/// gtk_main()
/// ```
///
/// In a program without such a loop, the actor's tasks never run.
@globalActor
public actor MainLoop {
  public static let shared = MainLoop()
  private static let executor = Executor()

  public nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

  /// Runs `body` on this actor at once. Call it in a callback of GTK or GLib, which is on the loop's thread already; anywhere
  /// else it ends the program.
  public nonisolated static func assumeIsolated<Value: Sendable>(
    _ body: @MainLoop () throws -> Value
  ) rethrows -> Value {
    executor.checkIsolated()
    return try withoutActuallyEscaping(body) { body in
      try unsafeBitCast(body, to: (() throws -> Value).self)()
    }
  }

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
