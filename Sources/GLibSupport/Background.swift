import CGLib

/// What `body` comes to, found out on a thread of its own while the main loop goes on. Whoever waits no longer leaves
/// the thread behind, which ends with the process.
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
