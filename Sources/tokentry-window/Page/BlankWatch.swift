import CWebKitGTK
import GLibSupport
import WindowProtocol

/// Looks at a complete page until it can be seen, and reports a page that stays blank. ``BlankJudge`` decides
/// how to take each look.
@GLibActor
final class BlankWatch {
  enum Finding {
    /// The page can be seen.
    case painted
    /// This window cannot paint the page, and another one may be able to.
    case cannotPaint
    /// The page cannot be seen, for an unknown reason.
    case maybeBlank
  }

  /// Called with each finding.
  var found: @GLibActor (Finding) -> Void = { _ in }
  /// Returns the height of the part of the page that something of ours covers, or nil while another window covers this one.
  var coveredHeight: @GLibActor () -> gint? = { 0 }
  private var judge: BlankJudge
  private var looks: Source?
  /// The snapshot of the page that is being made, by number.
  private var snapshot: (number: Int, deadline: Source)?
  private var snapshotCount = 0

  private static let interval = Duration.milliseconds(500)
  /// A page in an endless loop never paints a snapshot.
  private static let snapshotDeadline = Duration.seconds(2)

  init(mayReopen: Bool) { judge = BlankJudge(mayReopen: mayReopen) }

  func documentArrived() { judge.documentArrived() }

  func documentLoaded(in view: WebView) {
    snapshot = nil
    looks = .every(Self.interval) { [weak self, weak view] in
      guard let self, let view else { return }
      take(judge.saw(look(at: view)), for: view)
    }
  }

  func stop() {
    looks = nil
    snapshot = nil
  }

  /// Notes that the user has done something in a page: that would be lost if it were opened again.
  func watchInput(into view: WebView) {
    for signal in ["key-press-event", "button-press-event", "touch-event"] {
      connect(
        view.widget, signal,
        answering: { [weak self] _ in
          self?.judge.touched()
          return false
        })
    }
  }

  private func look(at view: WebView) -> BlankJudge.Sight {
    // A page that another one will soon replace may well be empty.
    guard !view.isLoading, let top = coveredHeight() else { return .unknown }
    return view.lookAtScreen(below: top)
  }

  private func take(_ step: BlankJudge.Step, for view: WebView) {
    switch step {
    case .wait: break
    case .compare: compare(view)
    case .painted:
      stop()
      found(.painted)
    case .reopen:
      stop()
      found(.cannotPaint)
    case .offer: found(.maybeBlank)
    }
  }

  /// Has the page's process paint a snapshot, to compare with the screen.
  private func compare(_ view: WebView) {
    if snapshot != nil { return }
    snapshotCount += 1
    let number = snapshotCount
    let deadline = Source.after(Self.snapshotDeadline) { [weak self, weak view] in
      if let view { self?.compared(number, .unknown, with: view) }
    }
    snapshot = (number, deadline)
    GLibActor.task { [weak self] in
      let sight = await view.lookAtSnapshot()
      self?.compared(number, sight, with: view)
    }
  }

  private func compared(_ number: Int, _ sight: BlankJudge.Sight, with view: WebView) {
    guard snapshot?.number == number else { return }
    snapshot = nil
    take(judge.compared(picture: sight, screen: look(at: view)), for: view)
  }
}

extension WebView {
  /// Looks at the screen. On Wayland that is not possible, so the view is drawn again instead. (Looking at
  /// what was given to the compositor does not work either: with a compositor that keeps a buffer until it
  /// gets the next one, the surface here is empty.)
  fileprivate func lookAtScreen(below top: gint) -> BlankJudge.Sight {
    guard let window = gtk_widget_get_window(widget), gdk_window_is_viewable(window) != 0,
      gdk_window_get_state(gdk_window_get_toplevel(window)).rawValue & GDK_WINDOW_STATE_ICONIFIED.rawValue
        == 0
    else { return .unknown }
    let (width, height) = (gdk_window_get_width(window), gdk_window_get_height(window))
    guard gtk_widget_get_display(widget).isWayland else {
      return height > top
        ? Self.judge(gdk_pixbuf_get_from_window(window, 0, top, width, height - top)) : .unknown
    }
    let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height)
    defer { cairo_surface_destroy(surface) }
    let context = cairo_create(surface)
    gtk_widget_draw(widget, context)
    cairo_destroy(context)
    return Self.judge(gdk_pixbuf_get_from_surface(surface, 0, 0, width, height))
  }

  /// Looks at a picture that the page's process paints now, apart from the screen. May never return.
  fileprivate func lookAtSnapshot() async -> BlankJudge.Sight {
    let cancellable = Cancellable()
    let view = pointer
    g_object_ref(view)
    defer { g_object_unref(view) }
    let result = await asyncCall(cancellable) { ready, data in
      webkit_web_view_get_snapshot(
        view, WEBKIT_SNAPSHOT_REGION_VISIBLE, WEBKIT_SNAPSHOT_OPTIONS_NONE, cancellable.pointer, ready, data)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(result.pointer)) }
    guard let surface = webkit_web_view_get_snapshot_finish(view, result.pointer, nil) else {
      return .unknown
    }
    defer { cairo_surface_destroy(surface) }
    return Self.judge(
      gdk_pixbuf_get_from_surface(
        surface, 0, 0, cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface)))
  }

  /// Returns `.content` if a picture has more than one color, ignoring opacity. Releases the picture.
  private static func judge(_ picture: OpaquePointer?) -> BlankJudge.Sight {
    guard let picture else { return .unknown }
    defer { g_object_unref(UnsafeMutableRawPointer(picture)) }
    let (width, height) = (Int(gdk_pixbuf_get_width(picture)), Int(gdk_pixbuf_get_height(picture)))
    let (row, pixel) = (Int(gdk_pixbuf_get_rowstride(picture)), Int(gdk_pixbuf_get_n_channels(picture)))
    guard width > 0, height > 0, let first = gdk_pixbuf_read_pixels(picture) else { return .unknown }
    for y in 0..<height {
      for x in 0..<width where memcmp(first, first + y * row + x * pixel, 3) != 0 { return .content }
    }
    return .flat
  }
}
