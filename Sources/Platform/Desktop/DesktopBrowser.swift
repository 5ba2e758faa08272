import CGLib

/// The default browser of the user's desktop.
///
/// A browser that is started here inherits this process's descriptors and environment. So call this only in a short-lived
/// process without secrets.
package enum DesktopBrowser {
  /// The name of the default browser for people.
  package static var name: String? {
    guard let program = g_app_info_get_default_for_uri_scheme("https") else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(program)) }
    return String(cString: g_app_info_get_display_name(program))
  }

  /// Opens a page through the desktop's portal, or else in the default browser. Returns false if neither worked.
  package static func open(_ uri: String) -> Bool {
    let portal = OpenURIPortal()
    if portal?.open(uri) == true { return true }
    let isOpen = g_app_info_launch_default_for_uri(uri, nil, nil) != 0
    // A browser may be started by a message on the bus, which must leave before this process ends.
    portal?.flush()
    return isOpen
  }
}

/// The desktop's portal for opening pages (org.freedesktop.portal.OpenURI). It may let the user choose a program.
private final class OpenURIPortal {
  private let bus: OpaquePointer
  private var response: UInt32?

  private static let name = "org.freedesktop.portal.Desktop"
  private static let path = "/org/freedesktop/portal/desktop"

  /// Milliseconds to wait for an answer. If it takes longer, the portal is asking the user.
  private static let patience: guint = 3_000

  /// Returns nil without a session bus.
  init?() {
    guard let bus = SessionBus.connect() else { return nil }
    self.bus = bus
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(bus)) }

  /// Sends all pending messages.
  func flush() { g_dbus_connection_flush_sync(bus, nil, nil) }

  /// Returns false if there is no portal, or if it reports that it did not open the page.
  func open(_ uri: String) -> Bool {
    let subscription = subscribe()
    defer { g_dbus_connection_signal_unsubscribe(bus, subscription) }
    // The parent window, the address, and options.
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

  /// Passes on the caller's activation token, which allows the browser to come to the front.
  private static func options() -> OpaquePointer? {
    let options = g_variant_dict_new(nil)
    defer { g_variant_dict_unref(options) }
    if let token = g_getenv("XDG_ACTIVATION_TOKEN") {
      g_variant_dict_insert_value(options, "activation_token", g_variant_new_string(token))
    }
    return g_variant_dict_end(options)
  }

  /// Listens for the answer. The signal needs no filter, since this process makes only one request.
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
    // Wakes the loop often enough to notice the deadline; an idle source would spin.
    let tick = g_timeout_add(50, { _ in 1 }, nil)
    while response == nil, g_get_monotonic_time() < deadline { g_main_context_iteration(nil, 1) }
    g_source_remove(tick)
  }
}
