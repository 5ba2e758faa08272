import GLibSupport

/// Notices that a page in a window which nobody sees stays: then somebody would have to do something there.
@GLibActor
final class Stillness {
  private var timer: Source?

  /// A page whose script leads on does so within this time.
  private static let patience = Duration.seconds(1)
  /// A page that is not complete by then never will be, or has nothing in it that leads on.
  private static let patienceOfArrival = Duration.seconds(30)

  /// A page has begun to arrive. If it is still there after a while, complete or not, `body` is told.
  func pageArrived(_ body: @escaping @GLibActor () -> Void) {
    timer = .timer(every: Self.patienceOfArrival) { [weak self] in
      self?.timer = nil
      body()
    }
  }

  /// A page is complete. If it is still there after a moment, and none is on its way, `body` is told.
  func pageLoaded(in view: WebView, _ body: @escaping @GLibActor () -> Void) {
    timer = .timer(every: Self.patience) { [weak self, weak view] in
      guard let self, let view, !view.isLoading else { return }
      timer = nil
      body()
    }
  }

  /// Another page has arrived, or somebody sees the window.
  func end() { timer = nil }
}
