import CGLib

/// Tells the user something where the desktop shows such messages, with our icon: for what would be seen nowhere else.
public enum DesktopNotification {
  /// Shows a title and a sentence. Where nobody shows messages, nothing happens; nobody waits for an answer.
  public static func show(_ title: String, _ sentence: String) {
    guard let bus = SessionBus.connect() else { return }
    defer { g_object_unref(UnsafeMutableRawPointer(bus)) }
    // What is parsed belongs to whoever has had it parsed, unlike what is made.
    let hints = g_variant_parse(nil, "@a{sv} {'desktop-entry': <'\(ApplicationID.text)'>}", nil, nil, nil)
    let actions = g_variant_parse(nil, "@as []", nil, nil, nil)
    defer {
      g_variant_unref(hints)
      g_variant_unref(actions)
    }
    var members = [
      g_variant_new_string("Tokentry"), g_variant_new_uint32(0), g_variant_new_string(ApplicationID.text),
      g_variant_new_string(title), g_variant_new_string(sentence), actions, hints,
      g_variant_new_int32(10_000),
    ]
    let message = g_variant_new_tuple(&members, gsize(members.count))
    g_dbus_connection_call(
      bus, "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications",
      "Notify", message, nil, G_DBUS_CALL_FLAGS_NONE, 3_000, nil, nil, nil)
    g_dbus_connection_flush_sync(bus, nil, nil)
  }
}

/// What desktops know us by: the name of our entry and of our icon.
enum ApplicationID {
  static let text = "org.tokentry.Tokentry"
}
