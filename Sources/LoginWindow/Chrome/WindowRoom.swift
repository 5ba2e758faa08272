import CWebKitGTK
import GLibSupport
import LoginCore
import LoginWays

/// How large the window is: as the user has left the last one, and larger where a page needs more and the screen has it.
@GLibActor
final class WindowRoom {
  private let window: Widget
  /// Whether a page gets more room if it needs more: neither where the caller has said how large the window is, nor once
  /// the user has.
  private var mayGrow: Bool
  /// The size that the user has not chosen; nothing before the window is there.
  private var given: Size?
  /// The wait for a size that stays.
  private var settling: Source?
  private let tell: @GLibActor (WindowSize) -> Void

  private struct Size: Equatable {
    var width: gint
    var height: gint
  }

  /// Wide enough for the one column of a login page, and high enough for a form with its consent.
  private static let usual = Size(width: 480, height: 680)
  /// Whoever moves an edge sends many sizes.
  private static let pause = Duration.milliseconds(400)

  /// `tell` is told of the size that the user gives it.
  init(of window: Widget, _ opening: WindowOpening, _ tell: @escaping @GLibActor (WindowSize) -> Void) {
    self.window = window
    self.tell = tell
    mayGrow = !opening.hasFixedSize
    let wanted = opening.layout.size.map { Size(width: gint($0.width), height: gint($0.height)) }
    let size = Self.onScreen(wanted ?? Self.usual)
    gtk_window_set_default_size(window.cast(), size.width, size.height)
    connect(
      window, "configure-event",
      answering: { [weak self] _ in
        self?.settling = .timer(every: Self.pause) { [weak self] in self?.settled() }
        return false
      })
  }

  /// Makes room for what a page lacks, as far as the screen has it.
  func grow(byWidth width: Int, height: Int) {
    guard mayGrow, gtk_widget_get_mapped(window) != 0, width > 0 || height > 0 else { return }
    let old = size
    let new = Self.onScreen(
      Size(
        width: old.width + gint(clamping: max(0, width)), height: old.height + gint(clamping: max(0, height)))
    )
    guard new.width > old.width || new.height > old.height else { return }
    given = nil
    move(for: Size(width: max(0, new.width - old.width), height: max(0, new.height - old.height)))
    gtk_window_resize(window.cast(), max(new.width, old.width), max(new.height, old.height))
  }

  /// Grows to all sides where it may, so that no edge leaves the screen.
  private func move(for growth: Size) {
    guard let area = WorkArea.current else { return }
    var (x, y) = (gint(0), gint(0))
    gtk_window_get_position(window.cast(), &x, &y)
    gtk_window_move(
      window.cast(), max(area.x, x - growth.width / 2), max(area.y, y - growth.height / 2))
  }

  private func settled() {
    settling = nil
    let size = size
    guard let given else {
      self.given = size  // what the window manager has made of the one before
      return
    }
    guard size != given, !isArranged else { return }
    self.given = size
    mayGrow = false
    if let size = WindowSize(width: Int(size.width), height: Int(size.height)) { tell(size) }
  }

  private var size: Size {
    var size = Size(width: 0, height: 0)
    gtk_window_get_size(window.cast(), &size.width, &size.height)
    return size
  }

  /// Whether the desktop has given it its size, as it fills the screen or a part of it.
  private var isArranged: Bool {
    guard let surface = gtk_widget_get_window(window) else { return false }
    let states = [
      GDK_WINDOW_STATE_MAXIMIZED, GDK_WINDOW_STATE_FULLSCREEN, GDK_WINDOW_STATE_TILED,
      GDK_WINDOW_STATE_ICONIFIED,
    ]
    return states.contains { gdk_window_get_state(surface).rawValue & $0.rawValue != 0 }
  }

  /// As much of it as fits.
  private static func onScreen(_ size: Size) -> Size {
    guard let area = WorkArea.current else { return size }
    return Size(
      width: min(size.width, area.width - WorkArea.edges / 4),
      height: min(size.height, area.height - WorkArea.edges))
  }
}
