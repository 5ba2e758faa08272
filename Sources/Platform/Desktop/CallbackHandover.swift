import CGLib
import GLibSupport

/// Receives callbacks that another process of the same user sends over the session bus.
@GLibActor
package final class CallbackReceiver {
  private let bus: OpaquePointer
  private var object: guint = 0
  private var take: @GLibActor (String) -> Bool = { _ in false }

  fileprivate nonisolated static let path = "/org/tokentry/Login"
  fileprivate nonisolated static let interface = "org.tokentry.Login1"
  fileprivate nonisolated static let method = "TakeCallback"

  /// Returns nil without a session bus.
  package init?() {
    guard let bus = SessionBus.connect() else { return nil }
    self.bus = bus
  }

  isolated deinit {
    close()
    g_object_unref(UnsafeMutableRawPointer(bus))
  }

  /// Owns `name` on the bus and passes callbacks to `take`, which returns true if it accepts the callback. Returns false
  /// if the name cannot be owned: another program owns it, or the bus has gone.
  package func wait(as name: String, take: @escaping @GLibActor (String) -> Bool) async -> Bool {
    self.take = take
    guard register() else { return false }
    // DBUS_NAME_FLAG_DO_NOT_QUEUE: neither replace another owner, nor let others replace us, nor wait.
    var members = [g_variant_new_string(name), g_variant_new_uint32(4)]
    let arguments = g_variant_new_tuple(&members, gsize(members.count))
    let (bus, cancellable) = (bus, Cancellable())
    let result = await asyncCall(cancellable) { ready, data in
      g_dbus_connection_call(
        bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
        arguments,
        nil, G_DBUS_CALL_FLAGS_NONE, 5_000, cancellable.pointer, ready, data)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(result.pointer)) }
    guard let reply = g_dbus_connection_call_finish(bus, result.pointer, nil) else { return false }
    defer { g_variant_unref(reply) }
    let answer = g_variant_get_child_value(reply, 0)
    defer { g_variant_unref(answer) }
    return g_variant_get_uint32(answer) == 1  // DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER
  }

  /// Refuses further callbacks, and makes sure that the last reply is sent.
  package func close() {
    guard object != 0 else { return }
    take = { _ in false }
    g_dbus_connection_unregister_object(bus, object)
    object = 0
    g_dbus_connection_flush_sync(bus, nil, nil)
  }

  private func register() -> Bool {
    let description = """
      <node><interface name="\(Self.interface)"><method name="\(Self.method)">
      <arg type="s" direction="in"/><arg type="b" direction="out"/></method></interface></node>
      """
    guard object == 0, let node = g_dbus_node_info_new_for_xml(description, nil) else { return object != 0 }
    defer { g_dbus_node_info_unref(node) }
    typealias Call =
      @GLibActor @convention(c) (
        gpointer, gpointer, gpointer, gpointer, gpointer, OpaquePointer, OpaquePointer, gpointer
      ) -> Void
    let call: Call = { _, _, _, _, _, parameters, invocation, data in
      let text = g_variant_get_child_value(parameters, 0)
      defer { g_variant_unref(text) }
      let receiver = Unmanaged<CallbackReceiver>.fromOpaque(data).takeUnretainedValue()
      let isTaken = receiver.take(g_variant_get_string(text, nil).map { String(cString: $0) } ?? "")
      var answer: OpaquePointer? = g_variant_new_boolean(isTaken ? 1 : 0)
      g_dbus_method_invocation_return_value(invocation, g_variant_new_tuple(&answer, 1))
    }
    var table = GDBusInterfaceVTable()
    table.method_call = unsafeBitCast(call, to: GDBusInterfaceMethodCallFunc.self)
    // `close` unregisters it before this object is released.
    object = g_dbus_connection_register_object(
      bus, Self.path, node.pointee.interfaces[0], &table, Unmanaged.passUnretained(self).toOpaque(), nil, nil)
    return object != 0
  }
}

/// Hands a callback to the login that waits for it. The desktop starts a process for this.
package enum CallbackHandover {
  package enum Ending: Sendable {
    /// The login has accepted the callback.
    case taken
    /// The login waits for a different callback.
    case refused
    /// No login waits under this name.
    case nobodyWaits
  }

  /// Hands the callback to the login that owns this name on the session bus.
  package static func hand(_ callback: String, to name: String) -> Ending {
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
