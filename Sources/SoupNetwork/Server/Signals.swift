import CGLib
import CSoup
import GLibSupport

/// Connects a signal without arguments. The closure is released with the object.
@GLibActor
func connect(
  _ object: OpaquePointer, _ signal: String, _ body: @escaping @GLibActor (OpaquePointer) -> Void
) {
  let call: @GLibActor @convention(c) (OpaquePointer, gpointer) -> Void = { sender, data in
    Unmanaged<MessageHandler>.fromOpaque(data).takeUnretainedValue().body(sender)
  }
  connect(object, signal, unsafeBitCast(call, to: GCallback.self), MessageHandler(body))
}

/// Connects a signal of one argument, which a closure takes in place of the object.
@GLibActor
func connect(
  _ object: OpaquePointer, argumentOf signal: String, _ body: @escaping @GLibActor (OpaquePointer) -> Void
) {
  typealias Call = @GLibActor @convention(c) (OpaquePointer, OpaquePointer, gpointer) -> Void
  let call: Call = { _, argument, data in
    Unmanaged<MessageHandler>.fromOpaque(data).takeUnretainedValue().body(argument)
  }
  connect(object, signal, unsafeBitCast(call, to: GCallback.self), MessageHandler(body))
}

@GLibActor
private func connect(
  _ object: OpaquePointer, _ signal: String, _ call: @escaping GCallback, _ handler: MessageHandler
) {
  g_signal_connect_data(
    UnsafeMutableRawPointer(object), signal, call, Unmanaged.passRetained(handler).toOpaque(),
    { data, _ in if let data { Unmanaged<MessageHandler>.fromOpaque(data).release() } },
    GConnectFlags(rawValue: 0))
}

extension UnsafeMutablePointer<SoupServer> {
  /// Calls `early` for every request whose header has been read, and `late` for those that were read to the
  /// end and have no answer yet.
  @GLibActor
  func addHandlers(
    early: @escaping @GLibActor (OpaquePointer) -> Void, late: @escaping @GLibActor (OpaquePointer) -> Void
  ) {
    typealias Call =
      @GLibActor @convention(c) (gpointer, OpaquePointer, gpointer?, gpointer?, gpointer) -> Void
    let call: Call = { _, message, _, _, data in
      Unmanaged<MessageHandler>.fromOpaque(data).takeUnretainedValue().body(message)
    }
    let callback = unsafeBitCast(call, to: SoupServerCallback.self)
    let release: GDestroyNotify = { data in
      if let data { Unmanaged<MessageHandler>.fromOpaque(data).release() }
    }
    let earlyData = Unmanaged.passRetained(MessageHandler(early)).toOpaque()
    let lateData = Unmanaged.passRetained(MessageHandler(late)).toOpaque()
    soup_server_add_early_handler(self, nil, callback, earlyData, release)
    soup_server_add_handler(self, nil, callback, lateData, release)
  }
}

/// A closure that C keeps a pointer to.
private final class MessageHandler {
  let body: @GLibActor (OpaquePointer) -> Void
  init(_ body: @escaping @GLibActor (OpaquePointer) -> Void) { self.body = body }
}
