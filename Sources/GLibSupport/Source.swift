import CGLib

/// A source of the main loop that calls a closure for as long as this object lives.
@GLibActor
public final class Source {
  private let identifier: guint

  /// Calls `body` every time that `interval` has passed.
  public static func timer(every interval: Duration, _ body: @escaping @GLibActor () -> Void) -> Source {
    let (seconds, attoseconds) = interval.components
    let milliseconds = guint(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    return Source(body) { call, data, release in
      g_timeout_add_full(G_PRIORITY_DEFAULT, milliseconds, call, data, release)
    }
  }

  /// Calls `body` whenever the process receives the signal, in place of the signal's usual effect.
  public static func signal(_ number: Int32, _ body: @escaping @GLibActor () -> Void) -> Source {
    let awaited = AwaitedSignal(number)
    return watch(awaited.descriptor, G_IO_IN, priority: G_PRIORITY_HIGH) {
      awaited.takeNotice()
      body()
    }
  }

  /// Calls `body` when the other end of a pipe, of a socket or of a terminal has gone.
  public static func hangUp(of descriptor: Int32, _ body: @escaping @GLibActor () -> Void) -> Source {
    watch(descriptor, GIOCondition(rawValue: G_IO_ERR.rawValue | G_IO_HUP.rawValue), body)
  }

  /// Calls `body` when there is something to read, or the writer has gone; a pidfd has it when its process has ended.
  public static func readable(_ descriptor: Int32, _ body: @escaping @GLibActor () -> Void) -> Source {
    watch(descriptor, GIOCondition(rawValue: G_IO_IN.rawValue | G_IO_ERR.rawValue | G_IO_HUP.rawValue), body)
  }

  /// Calls `body` when something can be written, or the reader has gone.
  public static func writable(_ descriptor: Int32, _ body: @escaping @GLibActor () -> Void) -> Source {
    watch(descriptor, GIOCondition(rawValue: G_IO_OUT.rawValue | G_IO_ERR.rawValue | G_IO_HUP.rawValue), body)
  }

  private static func watch(
    _ descriptor: Int32, _ condition: GIOCondition, priority: Int32 = G_PRIORITY_DEFAULT,
    _ body: @escaping @GLibActor () -> Void
  ) -> Source {
    Source(body) { _, data, release in
      let call: @GLibActor @convention(c) (Int32, GIOCondition, gpointer) -> gboolean = { _, _, data in
        Handler<@GLibActor () -> Void>.body(data)()
        return 1
      }
      let function = unsafeBitCast(call, to: GUnixFDSourceFunc.self)
      return g_unix_fd_add_full(priority, descriptor, condition, function, data, release)
    }
  }

  private init(
    _ body: @escaping @GLibActor () -> Void, add: (GSourceFunc, gpointer, GDestroyNotify) -> guint
  ) {
    // Typed with the actor, the trampoline traps when it is called on another thread.
    let call: @GLibActor @convention(c) (gpointer) -> gboolean = { data in
      Handler<@GLibActor () -> Void>.body(data)()
      return 1  // the source stays until this object removes it
    }
    typealias Body = Handler<@GLibActor () -> Void>
    identifier = add(unsafeBitCast(call, to: GSourceFunc.self), Body.retained(body), Body.release)
  }

  isolated deinit { g_source_remove(identifier) }
}

extension Source {
  /// Waits until the source that `make` gives a closure calls it, or the task is cancelled. The main loop goes round in
  /// any case, so that a descriptor that is always ready keeps nobody else waiting.
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
