import CGLib

/// Opens pages in the browser that the user's desktop names.
///
/// Whatever it starts inherits this process's descriptors and environment, so it belongs into a short-lived
/// process that holds nothing worth having.
public enum DesktopBrowser {
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
