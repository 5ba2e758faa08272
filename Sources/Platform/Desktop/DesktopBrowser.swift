import CGLib
import CLinux
import Glibc

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

  /// A browser that ends later than this, if only with an error, has shown the page.
  package static let patience = Duration.seconds(20)

  /// Opens a page through the desktop's portal, or else in the default browser. Returns false if neither worked. That may
  /// take up to ``patience``, so `started` is called once the browser has been started.
  package static func open(_ uri: String, started: () -> Void) -> Bool {
    let portal = OpenURIPortal()
    if portal?.open(uri) == true { return true }
    var browser: GPid = 0
    let isStarted = start(uri, &browser)
    // A browser may be started by a message on the bus, which must leave before this process ends.
    portal?.flush()
    guard isStarted, browser != 0 else { return isStarted }
    started()
    return !fails(browser)
  }

  /// Starts the default browser. One that is started by a message on the bus has no number.
  private static func start(_ uri: String, _ browser: inout GPid) -> Bool {
    let scheme = g_uri_parse_scheme(uri)
    defer { g_free(scheme) }
    guard let scheme, let program = g_app_info_get_default_for_uri_scheme(scheme) else { return false }
    defer { g_object_unref(UnsafeMutableRawPointer(program)) }
    let uris = g_list_append(nil, g_strdup(uri))
    defer { g_list_free_full(uris, g_free) }
    let note: GDesktopAppLaunchCallback = { _, process, data in
      data?.assumingMemoryBound(to: GPid.self).pointee = process
    }
    return g_desktop_app_info_launch_uris_as_manager(
      program, uris, nil, GSpawnFlags(G_SPAWN_SEARCH_PATH.rawValue | G_SPAWN_DO_NOT_REAP_CHILD.rawValue), nil,
      nil, note, &browser, nil) != 0
  }

  /// True if the browser ends with an error before it can have shown the page.
  private static func fails(_ browser: GPid) -> Bool {
    let descriptor = linux_pidfd_open(browser)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var end = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&end, 1, Int32(patience.components.seconds) * 1_000)
    var status: Int32 = 0
    return waitpid(browser, &status, WNOHANG) == browser && status != 0
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
