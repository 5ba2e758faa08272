import CWebKitGTK
import GLibSupport
import Glibc

/// The windows of other sign-ins on the display. A user who types into one of them must not go on typing in a new one.
@GLibActor
struct OtherWindows {
  /// True if one of them has the keyboard. Wayland does not tell, so there it is true if there is one.
  private(set) var areInUse = false
  /// The position of the topmost one. nil if there is none, and on Wayland.
  private(set) var place: (x: gint, y: gint)?

  init() {
    guard let display = gdk_display_get_default(), let screen = gdk_screen_get_default() else { return }
    guard display.isX11 else {
      areInUse = Self.isAnyShown()
      return
    }
    // Any of them may disappear between two requests.
    gdk_x11_display_error_trap_push(display)
    defer { gdk_x11_display_error_trap_pop_ignored(display) }
    let active = gdk_screen_get_window_in_use(screen)
    defer { if let active { g_object_unref(UnsafeMutableRawPointer(active)) } }
    let windows = gdk_screen_get_window_stack(screen)
    defer { g_list_free_full(windows) { g_object_unref($0) } }
    var next = windows
    while let item = next {
      next = item.pointee.next
      let window = OpaquePointer(item.pointee.data)
      guard let window, Self.isOurs(window) else { continue }
      if window == active { areInUse = true }
      var (x, y) = (gint(0), gint(0))
      gdk_window_get_root_origin(window, &x, &y)
      place = (x, y)
    }
  }

  /// Returns the position for a new window of this size, beside the topmost one.
  func cascade(width: gint, height: gint) -> (x: gint, y: gint)? {
    guard let place, let area = WorkArea.current else { return nil }
    let (x, y) = (place.x + Self.step, place.y + Self.step)
    return (
      x + width <= area.x + area.width ? x : area.x, y + height <= area.y + area.height ? y : area.y
    )
  }

  /// Enough to see the title of the window below.
  private static let step: gint = 40

  /// True if a window has the name of our program (ICCCM, `WM_CLASS`).
  private static func isOurs(_ window: OpaquePointer) -> Bool {
    var (type, format, length) = (GdkAtom(bitPattern: 0), gint(0), gint(0))
    var data: UnsafeMutablePointer<guchar>?
    let found = gdk_property_get(
      window, gdk_atom_intern("WM_CLASS", 0), gdk_atom_intern("STRING", 0), 0, 200, 0, &type, &format,
      &length,
      &data)
    defer { g_free(data) }
    guard found != 0, let data else { return false }
    return UnsafeBufferPointer(start: data, count: Int(length)).prefix { $0 != 0 }
      .elementsEqual(WindowProcess.applicationID.utf8)
  }

  /// True if another process of the session has shown a window. Each holds a lock until it ends.
  private static func isAnyShown() -> Bool {
    guard let folder = g_get_user_runtime_dir().map({ String(cString: $0) }) else { return false }
    let lock = open("\(folder)/tokentry-window.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    let isAlone = flock(lock, LOCK_EX | LOCK_NB) == 0
    flock(lock, LOCK_SH | LOCK_NB)
    return lock >= 0 && !isAlone
  }
}
