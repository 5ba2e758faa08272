import CGLib

/// The message bus of the user's session, as far as the environment says where it is.
public enum KnownSessionBus {
  /// Whether there is one to connect to. Without this GLib might start one.
  public static var isThere: Bool {
    let folder = g_getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
    let hasSocket = folder.map { g_file_test("\($0)/bus", G_FILE_TEST_EXISTS) != 0 } ?? false
    return hasSocket || g_getenv("DBUS_SESSION_BUS_ADDRESS") != nil
  }
}
