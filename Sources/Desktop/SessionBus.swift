import CGLib
import GLibSupport

/// The message bus of the user's session, on which there are none but this user's programs, and who is on it.
@GLibActor
public final class SessionBus {
  private let bus: OpaquePointer

  /// Whether there is one to connect to. Without this GLib might start one.
  public nonisolated static var isKnown: Bool { KnownSessionBus.isThere }

  /// Connects; cancelling the task ends that.
  public init() async throws(GLibError) {
    let cancellable = Cancellable()
    let result = await asyncCall(cancellable) { ready, data in
      g_bus_get(G_BUS_TYPE_SESSION, cancellable.pointer, ready, data)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(result.pointer)) }
    var error: UnsafeMutablePointer<GError>?
    let bus = g_bus_get_finish(result.pointer, &error)
    if let error { throw GLibError(consuming: error) }
    guard let bus else { preconditionFailure("GLib returned neither a bus nor an error") }
    g_dbus_connection_set_exit_on_close(bus, 0)
    self.bus = bus
  }

  isolated deinit { g_object_unref(UnsafeMutableRawPointer(bus)) }

  /// Whether a service runs, or is started as soon as it is called.
  public func has(_ service: String) async -> Bool {
    for list in ["ListNames", "ListActivatableNames"] {
      if await names(list).contains(service) { return true }
    }
    return false
  }

  private func names(_ list: String) async -> [String] {
    let cancellable = Cancellable()
    let bus = bus
    let name = "org.freedesktop.DBus"
    let result = await asyncCall(cancellable) { ready, data in
      g_dbus_connection_call(
        bus, name, "/org/freedesktop/DBus", name, list, nil, nil, G_DBUS_CALL_FLAGS_NONE, 3_000,
        cancellable.pointer, ready, data)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(result.pointer)) }
    guard let reply = g_dbus_connection_call_finish(bus, result.pointer, nil) else { return [] }
    defer { g_variant_unref(reply) }
    let array = g_variant_get_child_value(reply, 0)
    defer { g_variant_unref(array) }
    return (0..<g_variant_n_children(array)).map { index in
      let text = g_variant_get_child_value(array, index)
      defer { g_variant_unref(text) }
      return String(cString: g_variant_get_string(text, nil))
    }
  }

  /// A connection without waiting on the main loop, which the caller releases and whose loss does not end this
  /// program.
  nonisolated static func connect() -> OpaquePointer? {
    guard isKnown, let bus = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil) else { return nil }
    g_dbus_connection_set_exit_on_close(bus, 0)
    return bus
  }
}
