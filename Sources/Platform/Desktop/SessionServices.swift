import CGLib

/// The manager of the user's session (org.freedesktop.systemd1).
package enum SessionManager {
  /// Milliseconds to wait for an answer. A healthy manager answers at once.
  private static let patience: Int32 = 1_000

  /// The environment variables of the session's programs. Empty without such a manager, and nil if the session bus does
  /// not answer.
  package static var environment: [String: String]? {
    guard SessionBus.isKnown else { return [:] }
    guard let bus = SessionBus.connect() else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(bus)) }
    var words = ["org.freedesktop.systemd1.Manager", "Environment"].map { (name: String) in
      g_variant_new_string(name)
    }
    let reply = g_dbus_connection_call_sync(
      bus, "org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.DBus.Properties", "Get",
      g_variant_new_tuple(&words, 2), nil, G_DBUS_CALL_FLAGS_NO_AUTO_START, patience, nil, nil)
    guard let reply else { return [:] }
    defer { g_variant_unref(reply) }
    let boxed = g_variant_get_child_value(reply, 0)
    defer { g_variant_unref(boxed) }
    guard type(of: boxed) == "v" else { return [:] }
    let list = g_variant_get_variant(boxed)
    defer { g_variant_unref(list) }
    guard type(of: list) == "as" else { return [:] }
    return variables(list)
  }

  private static func type(of value: OpaquePointer?) -> String {
    value.flatMap { g_variant_get_type_string($0) }.map { String(cString: $0) } ?? ""
  }

  private static func variables(_ list: OpaquePointer?) -> [String: String] {
    var variables: [String: String] = [:]
    for index in 0..<g_variant_n_children(list) {
      let item = g_variant_get_child_value(list, index)
      defer { g_variant_unref(item) }
      guard let text = g_variant_get_string(item, nil).map({ String(cString: $0) }),
        let equals = text.utf8.firstIndex(of: UInt8(ascii: "="))
      else { continue }
      variables[String(text[..<equals])] = String(text[text.utf8.index(after: equals)...])
    }
    return variables
  }
}

/// A desktop notification with our icon, for messages that the user would see nowhere else.
package enum DesktopNotification {
  /// Shows a title and a sentence. Does nothing if the desktop has no notifications, and does not wait for an answer.
  package static func show(_ title: String, _ sentence: String) {
    guard let bus = SessionBus.connect() else { return }
    defer { g_object_unref(UnsafeMutableRawPointer(bus)) }
    // Unlike values from g_variant_new_…, parsed ones are not floating, so we have to release them.
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

/// The name of our desktop entry and our icon.
enum ApplicationID {
  static let text = "org.tokentry.Tokentry"
}
