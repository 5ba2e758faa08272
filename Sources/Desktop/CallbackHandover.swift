import CGLib

/// Brings a callback to the login that waits for it, from the process that the desktop has started for it.
public enum CallbackHandover {
  /// What became of it.
  public enum Ending: Sendable {
    /// The login has gone on with it.
    case taken
    /// The login waits for another one.
    case refused
    /// There is no such login.
    case nobodyWaits
  }

  /// Hands the callback to the login of this name on the session's message bus.
  public static func hand(_ callback: String, to name: String) -> Ending {
    guard let bus = SessionBus.connect() else { return .nobodyWaits }
    defer { g_object_unref(UnsafeMutableRawPointer(bus)) }
    var argument: OpaquePointer? = g_variant_new_string(callback)
    let reply = g_dbus_connection_call_sync(
      bus, name, CallbackReceiver.path, CallbackReceiver.interface, CallbackReceiver.method,
      g_variant_new_tuple(&argument, 1), nil, G_DBUS_CALL_FLAGS_NO_AUTO_START, 10_000, nil, nil)
    guard let reply else { return .nobodyWaits }
    defer { g_variant_unref(reply) }
    let answer = g_variant_get_child_value(reply, 0)
    defer { g_variant_unref(answer) }
    return g_variant_get_boolean(answer) != 0 ? .taken : .refused
  }
}
