import CGLib

/// The desktop's own way to open a page, which asks the user where that is their wish
/// (org.freedesktop.portal.OpenURI).
final class OpenURIPortal {
  private let bus: OpaquePointer
  private var response: UInt32?

  private static let name = "org.freedesktop.portal.Desktop"
  private static let path = "/org/freedesktop/portal/desktop"

  /// How long an answer may take, in milliseconds: whoever takes longer is asking the user.
  private static let patience: guint = 3_000

  /// Nothing without a session's message bus.
  init?() {
    guard let bus = SessionBus.connect() else { return nil }
    self.bus = bus
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(bus)) }

  /// Sends what has not been sent.
  func flush() { g_dbus_connection_flush_sync(bus, nil, nil) }

  /// False if the portal is not there, or says that it did not open the page.
  func open(_ uri: String) -> Bool {
    let subscription = subscribe()
    defer { g_dbus_connection_signal_unsubscribe(bus, subscription) }
    // The window that asks, the address, and options.
    var members = [g_variant_new_string(""), g_variant_new_string(uri), Self.options()]
    let reply = g_dbus_connection_call_sync(
      bus, Self.name, Self.path, "org.freedesktop.portal.OpenURI", "OpenURI",
      g_variant_new_tuple(&members, gsize(members.count)), nil, G_DBUS_CALL_FLAGS_NONE,
      gint(Self.patience), nil, nil)
    guard let reply else { return false }
    g_variant_unref(reply)
    awaitResponse()
    return response.map { $0 == 0 } ?? true
  }

  /// With what the caller was given for it, the browser may come to the front.
  private static func options() -> OpaquePointer? {
    let options = g_variant_dict_new(nil)
    defer { g_variant_dict_unref(options) }
    if let token = g_getenv("XDG_ACTIVATION_TOKEN") {
      g_variant_dict_insert_value(options, "activation_token", g_variant_new_string(token))
    }
    return g_variant_dict_end(options)
  }

  /// Notices the answer to the request, the only one that this process makes.
  private func subscribe() -> guint {
    let call: GDBusSignalCallback = { _, _, _, _, _, parameters, data in
      guard let parameters, let data, g_variant_n_children(parameters) > 0 else { return }
      let code = g_variant_get_child_value(parameters, 0)
      defer { g_variant_unref(code) }
      guard g_variant_classify(code) == G_VARIANT_CLASS_UINT32 else { return }
      Unmanaged<OpenURIPortal>.fromOpaque(data).takeUnretainedValue().response = g_variant_get_uint32(code)
    }
    return g_dbus_connection_signal_subscribe(
      bus, Self.name, "org.freedesktop.portal.Request", "Response", nil, nil, G_DBUS_SIGNAL_FLAGS_NONE,
      call, Unmanaged.passUnretained(self).toOpaque(), nil)
  }

  private func awaitResponse() {
    let deadline = g_get_monotonic_time() + gint64(Self.patience) * 1_000
    // An idle source would spin; this one wakes the loop often enough to see the deadline.
    let tick = g_timeout_add(50, { _ in 1 }, nil)
    while response == nil, g_get_monotonic_time() < deadline { g_main_context_iteration(nil, 1) }
    g_source_remove(tick)
  }
}
