import CWebKitGTK
import GLibSupport

/// How the user wants all windows to look, as the desktop's settings portal says
/// (org.freedesktop.portal.Settings): dark or light, more contrast, less motion, larger text.
@GLibActor
final class DesktopPreferences {
  private let bus: OpaquePointer
  /// The numbers and booleans that the portal has, in its order.
  private var settings: [(key: String, value: Double)] = []
  private var isDark = false
  private var hasContrast = false

  private static let name = "org.freedesktop.portal.Desktop"
  private static let interface = "org.freedesktop.portal.Settings"
  private static let path = "/org/freedesktop/portal/desktop"
  private static let namespaces = [
    "org.freedesktop.appearance", "org.gnome.desktop.interface", "org.gnome.desktop.a11y.interface",
  ]

  /// A portal answers within some milliseconds. The window waits this long for one that hangs.
  private static let timeout = Duration.milliseconds(500)

  /// Asks the portal. Returns nil if no portal answers in time. Call before the process is
  /// closed to other programs, since the portal answers only programs whose process it can inspect.
  static func read() async -> DesktopPreferences? {
    guard KnownSessionBus.isThere else { return nil }
    return await within(timeout) { await DesktopPreferences() } ?? nil
  }

  private init?() async {
    let cancellable = Cancellable()
    let connection = await asyncCall(cancellable) { ready, data in
      g_bus_get(G_BUS_TYPE_SESSION, cancellable.pointer, ready, data)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(connection.pointer)) }
    guard let bus = g_bus_get_finish(connection.pointer, nil) else { return nil }
    g_dbus_connection_set_exit_on_close(bus, 0)
    self.bus = bus
    var names: [OpaquePointer?] = Self.namespaces.map { g_variant_new_string($0) }
    var arguments = [g_variant_new_array(nil, &names, gsize(names.count))]
    let parameters = g_variant_new_tuple(&arguments, 1)
    let result = await asyncCall(cancellable) { ready, data in
      // A desktop that does not run a portal is not made to start one.
      g_dbus_connection_call(
        bus, Self.name, Self.path, Self.interface, "ReadAll", parameters, nil,
        G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, cancellable.pointer, ready, data)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(result.pointer)) }
    guard let reply = g_dbus_connection_call_finish(bus, result.pointer, nil) else { return nil }
    defer { g_variant_unref(reply) }
    collect(reply)
  }

  isolated deinit { g_object_unref(UnsafeMutableRawPointer(bus)) }

  /// Collects the entries of all dictionaries in a value.
  private func collect(_ value: OpaquePointer?) {
    let members = (0..<g_variant_n_children(value)).map { g_variant_get_child_value(value, $0) }
    defer { members.forEach { g_variant_unref($0) } }
    if g_variant_is_of_type(value, g_variant_type_checked_("{sv}")) != 0 {
      if let number = Self.number(in: members[1]) { settings.append((Self.text(members[0]), number)) }
    } else {
      for member in members where g_variant_is_container(member) != 0 { collect(member) }
    }
  }

  private static func text(_ value: OpaquePointer?) -> String {
    String(cString: g_variant_get_string(value, nil))
  }

  /// Returns a number or a boolean, which may be boxed several times.
  private static func number(in value: OpaquePointer?) -> Double? {
    switch g_variant_classify(value) {
    case G_VARIANT_CLASS_VARIANT:
      let inner = g_variant_get_variant(value)
      defer { g_variant_unref(inner) }
      return number(in: inner)
    case G_VARIANT_CLASS_UINT32: return Double(g_variant_get_uint32(value))
    case G_VARIANT_CLASS_BOOLEAN: return Double(g_variant_get_boolean(value))
    case G_VARIANT_CLASS_DOUBLE: return g_variant_get_double(value)
    default: return nil
    }
  }
}

extension DesktopPreferences {
  /// Makes pages dark where the theme is the dark one of GTK's high-contrast themes: WebKit knows dark themes only by
  /// names such as Adwaita-dark.
  static func watchTheme() {
    guard let settings = gtk_settings_get_default() else { return }
    connect(settings, changeOf: "gtk-theme-name") { darkenPages() }
    darkenPages()
  }

  private static func darkenPages() {
    if isThemeInverse { set("gtk-application-prefer-dark-theme", 1) }
  }

  private static var isThemeInverse: Bool {
    if let theme = g_getenv("GTK_THEME").map({ String(cString: $0) }) {
      return theme == "HighContrastInverse"
    }
    var value = GValue()
    g_object_get_property(gtk_settings_get_default()?.cast(), "gtk-theme-name", &value)
    defer { g_value_unset(&value) }
    return g_value_get_string(&value).map { String(cString: $0) } == "HighContrastInverse"
  }

  /// Applies what the portal has said, and follows changes from then on. Call after `gtk_init_check`.
  func apply() {
    for (key, value) in settings { apply(key, value) }
    typealias Body = @GLibActor (OpaquePointer) -> Void
    typealias Call =
      @GLibActor @convention(c) (
        gpointer, gpointer?, gpointer?, gpointer?, gpointer?, OpaquePointer, gpointer
      ) -> Void
    let call: Call = { _, _, _, _, _, change, data in Handler<Body>.body(data)(change) }
    let body: Body = { change in self.follow(change) }
    g_dbus_connection_signal_subscribe(
      bus, Self.name, Self.interface, "SettingChanged", Self.path, nil, G_DBUS_SIGNAL_FLAGS_NONE,
      unsafeBitCast(call, to: GDBusSignalCallback.self), Handler<Body>.retained(body), Handler<Body>.release)
  }

  /// Applies a change: the namespace, the key and the value.
  private func follow(_ change: OpaquePointer) {
    guard g_variant_is_of_type(change, g_variant_type_checked_("(ssv)")) != 0 else { return }
    let members = (0..<3).map { g_variant_get_child_value(change, $0) }
    defer { members.forEach { g_variant_unref($0) } }
    guard Self.namespaces.contains(Self.text(members[0])), let value = Self.number(in: members[2])
    else { return }
    apply(Self.text(members[1]), value)
  }

  private func apply(_ key: String, _ value: Double) {
    switch key {
    case "color-scheme":
      isDark = value == 1
      Self.set("gtk-application-prefer-dark-theme", [1: 1, 2: 0][value])
      Self.darkenPages()
      setTheme()
    case "contrast", "high-contrast":
      hasContrast = value == 1
      setTheme()
    case "reduced-motion": Self.set("gtk-enable-animations", value == 1 ? 0 : nil)
    case "enable-animations": Self.set("gtk-enable-animations", value == 0 ? 0 : nil)
    case "text-scaling-factor":
      guard (0.5...4).contains(value) else { return }
      // GTK counts 1024 for one dot per inch; 96 dots per inch are the default.
      Self.set("gtk-xft-dpi", value == 1 ? nil : gint(value * 96 * 1_024))
    default: break
    }
  }

  /// GTK has two high-contrast themes. The dark one has a name of its own.
  private func setTheme() {
    Self.set("gtk-theme-name", "gchararray", hasContrast) { value in
      g_value_set_string(value, isDark ? "HighContrastInverse" : "HighContrast")
    }
  }

  private static func set(_ name: String, _ number: gint?) {
    let type = name == "gtk-xft-dpi" ? "gint" : "gboolean"
    set(name, type, number != nil) { value in
      guard let number else { return }
      if type == "gint" { g_value_set_int(value, number) } else { g_value_set_boolean(value, number) }
    }
  }

  /// Sets one of GTK's settings, or leaves it to the theme and the display.
  private static func set(
    _ name: String, _ type: String, _ isSet: Bool, _ fill: (UnsafeMutablePointer<GValue>) -> Void
  ) {
    let settings = gtk_settings_get_default()
    guard isSet else { return gtk_settings_reset_property(settings, name) }
    var value = GValue()
    g_value_init(&value, g_type_from_name(type))
    fill(&value)
    g_object_set_property(settings?.cast(), name, &value)
    g_value_unset(&value)
  }
}
