import CWebKitGTK
import GLibSupport
import LoginWays

extension WebView {
  /// How long nothing may come of a navigation that is allowed, as of a frame's. WebKit begins with the page's own within
  /// some milliseconds.
  private static let patience = Duration.milliseconds(500)

  /// Keeps a page from being painted for which the window would only wait.
  func watchPainting() {
    connect(widget, "draw", answering: { [weak self] _ in self?.firstPaint.mayPaint() == false })
  }

  /// The page may be left for another one; where nothing comes of that, it stays.
  func mayLeave() {
    guard firstPaint.navigationAllowed() else { return }
    departure = .timer(every: Self.patience) { [weak self] in
      guard let self else { return }
      departure = nil
      if firstPaint.nothingCame() { gtk_widget_queue_draw(widget) }
      tell(.stayed)
    }
  }

  /// The next page is on its way.
  func leaves() {
    departure = nil
    firstPaint.pageLeaves()
  }

  /// The page is complete, and no other is on its way.
  func completed() {
    departure = nil
    if firstPaint.pageCompleted() { gtk_widget_queue_draw(widget) }
  }
}
