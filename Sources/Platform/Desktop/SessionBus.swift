import CGLib
import GLibSupport
import Glibc

/// The message bus of the user's session. All programs on it belong to this user.
@GLibActor
package final class SessionBus {
  private let bus: OpaquePointer

  /// True if there is a bus to connect to. Check this first: without a bus, GLib might start one.
  package nonisolated static var isKnown: Bool { KnownSessionBus.isThere }

  /// Connects. Throws if the task is cancelled.
  package init() async throws(GLibError) {
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

  /// Returns true if a service runs, or would be started by a call.
  package func has(_ service: String) async -> Bool {
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

  /// Milliseconds to wait for a connection. A healthy bus accepts one at once.
  private nonisolated static let patience: Int32 = 1_000

  /// Connects without the main loop, or returns nil if the bus does not answer. The caller releases the connection. Its
  /// loss does not end this program.
  nonisolated static func connect() -> OpaquePointer? {
    let cancellable = Cancellable()
    guard isKnown, let patience = Patience(patience, with: cancellable) else { return nil }
    let bus = g_bus_get_sync(G_BUS_TYPE_SESSION, cancellable.pointer, nil)
    patience.end()
    guard let bus else { return nil }
    g_dbus_connection_set_exit_on_close(bus, 0)
    return bus
  }
}

/// Cancels a blocking call after a while, without a main loop.
private struct Patience {
  private let ends: [Int32]
  private let thread: UnsafeMutablePointer<GThread>?

  /// The thread's data.
  private final class Watch: Sendable {
    let (end, milliseconds, cancellable): (Int32, Int32, Cancellable)
    init(_ end: Int32, _ milliseconds: Int32, _ cancellable: Cancellable) {
      (self.end, self.milliseconds, self.cancellable) = (end, milliseconds, cancellable)
    }
  }

  /// Returns nil if the system has no descriptors left.
  init?(_ milliseconds: Int32, with cancellable: Cancellable) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let watch = Watch(ends[0], milliseconds, cancellable)
    let wait: GThreadFunc = { data in
      guard let data else { return nil }
      let watch = Unmanaged<Watch>.fromOpaque(data).takeRetainedValue()
      var watched = pollfd(fd: watch.end, events: Int16(POLLIN), revents: 0)
      if poll(&watched, 1, watch.milliseconds) == 0 { g_cancellable_cancel(watch.cancellable.pointer) }
      return nil
    }
    (self.ends, thread) = (ends, g_thread_new("patience", wait, Unmanaged.passRetained(watch).toOpaque()))
  }

  func end() {
    close(ends[1])
    g_thread_join(thread)
    close(ends[0])
  }
}
