import CGLib
import GLibSupport

/// Takes callbacks that another process of the same user brings over the session's message bus.
@GLibActor
public final class CallbackReceiver {
  private let bus: OpaquePointer
  private var object: guint = 0
  private var take: @GLibActor (String) -> Bool = { _ in false }

  nonisolated static let path = "/org/tokentry/Login"
  nonisolated static let interface = "org.tokentry.Login1"
  nonisolated static let method = "TakeCallback"

  /// Nothing without a session's message bus.
  public init?() {
    guard let bus = SessionBus.connect() else { return nil }
    self.bus = bus
  }

  isolated deinit {
    close()
    g_object_unref(UnsafeMutableRawPointer(bus))
  }

  /// Gives what is brought to that name to `take`, which says whether it was what is waited for. False if the name
  /// cannot be had: somebody else has it, or the bus is gone.
  public func wait(as name: String, take: @escaping @GLibActor (String) -> Bool) async -> Bool {
    self.take = take
    guard register() else { return false }
    // Taken from nobody, left to nobody, and not waited for.
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

  /// Takes nothing any more, and lets the last answer reach the process that waits for it.
  public func close() {
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
    // It is unregistered before this object goes.
    object = g_dbus_connection_register_object(
      bus, Self.path, node.pointee.interfaces[0], &table, Unmanaged.passUnretained(self).toOpaque(), nil, nil)
    return object != 0
  }
}
