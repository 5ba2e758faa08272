import CGLib

/// The manager of the user's session, which knows what programs are started with that belong to it
/// (org.freedesktop.systemd1).
public enum SessionManager {
  /// How long it may take to answer, in milliseconds; it does at once, or something is wrong with it.
  private static let patience: Int32 = 1_000

  /// The variables that programs of the session have; none without such a manager, and nothing where the session's bus
  /// does not answer.
  public static var environment: [String: String]? {
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
