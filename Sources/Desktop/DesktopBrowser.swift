import CGLib

/// Opens pages in the browser that the user's desktop names.
///
/// Whatever it starts inherits this process's descriptors and environment, so it belongs into a short-lived
/// process that holds nothing worth having.
public enum DesktopBrowser {
  /// The program that is set for pages of the web, as the desktop calls it.
  public static var name: String? {
    guard let program = g_app_info_get_default_for_uri_scheme("https") else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(program)) }
    return String(cString: g_app_info_get_display_name(program))
  }

  /// Opens a page through the desktop's portal, else with the program that is set for such pages; false if
  /// neither did.
  public static func open(_ uri: String) -> Bool {
    let portal = OpenURIPortal()
    if portal?.open(uri) == true { return true }
    let isOpen = g_app_info_launch_default_for_uri(uri, nil, nil) != 0
    // A program that is started through the message bus is started only when the message has left.
    portal?.flush()
    return isOpen
  }
}
