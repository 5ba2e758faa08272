import CGLib
import CLinux
import Glibc

/// A source of the main loop that calls a closure for as long as this object lives.
@GLibActor
package final class Source {
  private let source: UnsafeMutablePointer<GSource>

  /// Calls `body` each time `interval` has passed.
  package static func every(_ interval: Duration, _ body: @escaping @GLibActor () -> Void) -> Source {
    timer(interval, body) { data in
      Handler<@GLibActor () -> Void>.body(data)()
      return 1  // the source stays until this object removes it
    }
  }

  /// Calls `body` once, when `time` has passed.
  package static func after(_ time: Duration, _ body: @escaping @GLibActor () -> Void) -> Source {
    timer(time, body) { data in
      Handler<@GLibActor () -> Void>.body(data)()
      return 0
    }
  }

  /// Since the type of `call` names the actor, the function traps if it is called on another thread.
  private static func timer(
    _ time: Duration, _ body: @escaping @GLibActor () -> Void,
    _ call: @escaping @GLibActor @convention(c) (gpointer) -> gboolean
  ) -> Source {
    let (seconds, attoseconds) = time.components
    let milliseconds = guint(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    return Source(g_timeout_source_new(milliseconds), body) { source, data, release in
      g_source_set_callback(source, unsafeBitCast(call, to: GSourceFunc.self), data, release)
    }
  }

  /// Calls `body` whenever the process receives the signal, in place of the signal's default action.
  package static func signal(_ number: Int32, _ body: @escaping @GLibActor () -> Void) -> Source {
    let awaited = AwaitedSignal(number)
    return watch(awaited.descriptor, G_IO_IN, priority: G_PRIORITY_HIGH) {
      awaited.clear()
      body()
    }
  }

  /// Calls `body` when the other end of a pipe, a socket or a terminal has closed.
  package static func hangUp(of descriptor: Int32, _ body: @escaping @GLibActor () -> Void) -> Source {
    watch(descriptor, GIOCondition(rawValue: G_IO_ERR.rawValue | G_IO_HUP.rawValue), body)
  }

  /// Calls `body` when the other end of a socket has shut down its sending side, even if it still reads.
  package static func endOfInput(of descriptor: Int32, _ body: @escaping @GLibActor () -> Void) -> Source {
    // GLib has no name for this condition of poll(2), and passes it on.
    let ended = GIOCondition.RawValue(CLINUX_POLLRDHUP)
    return watch(
      descriptor, GIOCondition(rawValue: ended | G_IO_ERR.rawValue | G_IO_HUP.rawValue), body)
  }

  /// Calls `body` when there is something to read, or the writer has closed its end. A pidfd becomes readable when its
  /// process ends.
  package static func readable(_ descriptor: Int32, _ body: @escaping @GLibActor () -> Void) -> Source {
    watch(descriptor, GIOCondition(rawValue: G_IO_IN.rawValue | G_IO_ERR.rawValue | G_IO_HUP.rawValue), body)
  }

  /// Calls `body` when there is room to write, or the reader has closed its end.
  package static func writable(_ descriptor: Int32, _ body: @escaping @GLibActor () -> Void) -> Source {
    watch(descriptor, GIOCondition(rawValue: G_IO_OUT.rawValue | G_IO_ERR.rawValue | G_IO_HUP.rawValue), body)
  }

  private static func watch(
    _ descriptor: Int32, _ condition: GIOCondition, priority: Int32 = G_PRIORITY_DEFAULT,
    _ body: @escaping @GLibActor () -> Void
  ) -> Source {
    Source(g_unix_fd_source_new(descriptor, condition), priority: priority, body) { source, data, release in
      let call: @GLibActor @convention(c) (Int32, GIOCondition, gpointer) -> gboolean = { _, _, data in
        Handler<@GLibActor () -> Void>.body(data)()
        return 1
      }
      g_source_set_callback(source, unsafeBitCast(call, to: GSourceFunc.self), data, release)
    }
  }

  private init(
    _ source: UnsafeMutablePointer<GSource>, priority: Int32 = G_PRIORITY_DEFAULT,
    _ body: @escaping @GLibActor () -> Void,
    call: (UnsafeMutablePointer<GSource>, gpointer, GDestroyNotify) -> Void
  ) {
    typealias Body = Handler<@GLibActor () -> Void>
    self.source = g_source_ref(source)
    MainContext.attach(source, priority: priority) { _ in call(source, Body.retained(body), Body.release) }
  }

  isolated deinit {
    g_source_destroy(source)
    g_source_unref(source)
  }
}

extension Source {
  /// Waits until the source that `make` returns calls its closure, or the task is cancelled.
  ///
  /// The main loop runs at least once, so a descriptor that is always ready cannot starve other tasks.
  static func untilCalled(by make: (@escaping @GLibActor () -> Void) -> Source) async {
    let first = FirstResult<Void, Never>()
    let source = make { first.finish(.success(())) }
    await withTaskCancellationHandler {
      await first.result().get()
    } onCancel: {
      GLibActor.task { first.finish(.success(())) }
    }
    withExtendedLifetime(source) {}
  }
}

/// Waits for `duration` on the main loop, or until the task is cancelled.
@GLibActor
package func pause(for duration: Duration) async throws(CancellationError) {
  let end = FirstResult<Void, CancellationError>()
  let timer = Source.after(duration) { end.finish(.success(())) }
  defer { withExtendedLifetime(timer) {} }
  try await withTaskCancellationHandler {
    await end.result()
  } onCancel: {
    GLibActor.task { end.finish(.failure(CancellationError())) }
  }.get()
}

/// Makes a signal readable from a descriptor for as long as this object lives; then the signal has its default action
/// again. Only one object can exist for a signal at a time.
///
/// GLib's own signal sources use a thread, which costs more than all other work on the main loop for a kept token.
private final class AwaitedSignal: Sendable {
  /// Readable once the signal has arrived.
  let descriptor = linux_eventfd()
  private let number: Int32

  /// The descriptor of each signal, for the handler: a signal handler may touch hardly anything else.
  nonisolated(unsafe) private static let descriptors: UnsafeMutablePointer<Int32> = {
    let table = UnsafeMutablePointer<Int32>.allocate(capacity: Int(linux_last_signal) + 1)
    table.initialize(repeating: -1, count: Int(linux_last_signal) + 1)
    return table
  }()

  init(_ number: Int32) {
    self.number = number
    // Without a descriptor, the signal keeps its default action, which is hard to miss.
    if descriptor == -1 { return }
    Self.descriptors[Int(number)] = descriptor
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      let before = errno
      var one: UInt64 = 1
      write(AwaitedSignal.descriptors[Int(number)], &one, MemoryLayout.size(ofValue: one))
      errno = before
    }
    action.sa_flags = Int32(SA_RESTART)
    sigaction(number, &action, nil)
  }

  /// Resets the descriptor until the signal arrives again. Several arrivals in between count as one.
  func clear() {
    var count: UInt64 = 0
    read(descriptor, &count, MemoryLayout.size(ofValue: count))
  }

  deinit {
    if descriptor == -1 { return }
    signal(number, SIG_DFL)
    close(descriptor)
  }
}
