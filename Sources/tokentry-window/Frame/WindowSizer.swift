import CWebKitGTK
import GLibSupport
import LoginCore
import WindowProtocol

/// Chooses the size of the window: that of the user's last window at first, and a larger one where a page
/// needs it and the screen has room.
@GLibActor
final class WindowSizer {
  private let window: Widget
  /// False if the caller has fixed the size, or the user has changed it.
  private var mayGrow: Bool
  /// The last size that the user has not chosen, or nil until the window manager has set one.
  private var automaticSize: Size?
  private var settleTimer: Source?
  private let userHasResized: @GLibActor (WindowSize) -> Void

  private struct Size: Equatable {
    var width: gint
    var height: gint
  }

  /// Wide enough for the one column of a login page, and high enough for a form with its consent.
  private static let usualSize = Size(width: 480, height: 680)
  /// Dragging an edge goes through many sizes. A size that stays this long is final.
  private static let settleTime = Duration.milliseconds(400)

  /// `userHasResized` is called with a size that the user has given the window.
  init(
    of window: Widget, _ opening: WindowOpening, _ userHasResized: @escaping @GLibActor (WindowSize) -> Void
  ) {
    self.window = window
    self.userHasResized = userHasResized
    mayGrow = !opening.options.hasFixedSize
    let wanted = opening.options.layout.size.map { Size(width: gint($0.width), height: gint($0.height)) }
    let size = Self.onScreen(wanted ?? Self.usualSize)
    gtk_window_set_default_size(window.cast(), size.width, size.height)
    connect(
      window, "configure-event",
      answering: { [weak self] _ in
        self?.settleTimer = .after(Self.settleTime) { [weak self] in self?.settled() }
        return false
      })
  }

  /// Makes the window larger, as far as the screen has room.
  func grow(byWidth width: Int, height: Int) {
    guard mayGrow, gtk_widget_get_mapped(window) != 0, width > 0 || height > 0 else { return }
    let old = size
    let new = Self.onScreen(
      Size(
        width: old.width + gint(clamping: max(0, width)), height: old.height + gint(clamping: max(0, height)))
    )
    guard new.width > old.width || new.height > old.height else { return }
    automaticSize = nil
    move(for: Size(width: max(0, new.width - old.width), height: max(0, new.height - old.height)))
    gtk_window_resize(window.cast(), max(new.width, old.width), max(new.height, old.height))
  }

  /// Moves the window so that it grows to all sides and stays on the screen.
  private func move(for growth: Size) {
    guard let area = WorkArea.current else { return }
    var (x, y) = (gint(0), gint(0))
    gtk_window_get_position(window.cast(), &x, &y)
    gtk_window_move(window.cast(), max(area.x, x - growth.width / 2), max(area.y, y - growth.height / 2))
  }

  private func settled() {
    settleTimer = nil
    let size = size
    guard let automaticSize else {
      self.automaticSize = size  // the window manager may have changed the size that was asked for
      return
    }
    guard size != automaticSize, !isArranged else { return }
    self.automaticSize = size
    if size == enlarged(automaticSize) { return }
    mayGrow = false
    if let size = WindowSize(width: Int(size.width), height: Int(size.height)) { userHasResized(size) }
  }

  /// Returns the size at which the content fits into a window of another size. GTK enlarges the window by itself.
  private func enlarged(_ size: Size) -> Size {
    guard let content = gtk_bin_get_child(window.cast()), let title = gtk_window_get_titlebar(window.cast())
    else {
      return size
    }
    var (width, titleWidth, height) = (gint(0), gint(0), gint(0))
    gtk_widget_get_preferred_width(content, &width, nil)
    gtk_widget_get_preferred_width(title, &titleWidth, nil)
    width = max(size.width, width, titleWidth)
    gtk_widget_get_preferred_height_for_width(content, width, &height, nil)
    return Size(width: width, height: max(size.height, height))
  }

  private var size: Size {
    var size = Size(width: 0, height: 0)
    gtk_window_get_size(window.cast(), &size.width, &size.height)
    return size
  }

  /// True while the window is maximized, tiled, minimized or fills the screen. Such a size is not the user's
  /// choice for the next window.
  private var isArranged: Bool {
    guard let surface = gtk_widget_get_window(window) else { return false }
    let states = [
      GDK_WINDOW_STATE_MAXIMIZED, GDK_WINDOW_STATE_FULLSCREEN, GDK_WINDOW_STATE_TILED,
      GDK_WINDOW_STATE_ICONIFIED,
    ]
    return states.contains { gdk_window_get_state(surface).rawValue & $0.rawValue != 0 }
  }

  private static func onScreen(_ size: Size) -> Size {
    guard let area = WorkArea.current else { return size }
    return Size(
      width: min(size.width, area.width - WorkArea.edges / 4),
      height: min(size.height, area.height - WorkArea.edges))
  }
}

/// The part of the screen that windows may cover.
@GLibActor
enum WorkArea {
  /// The height that a window needs besides its page, for the title bar and what a theme draws around the
  /// window.
  static let edges: gint = 80

  static var current: GdkRectangle? {
    let display = gdk_display_get_default()
    guard let monitor = gdk_display_get_primary_monitor(display) ?? gdk_display_get_monitor(display, 0) else {
      return nil
    }
    var area = GdkRectangle()
    gdk_monitor_get_workarea(monitor, &area)
    return area
  }
}
