import GLibSupport

/// Notices that a page in a window which nobody sees stays: then somebody would have to do something there.
@GLibActor
final class Stillness {
  private var timer: Source?
  private var moment: Task<Void, Never>?

  /// A page whose script leads on does so within this time.
  private static let patience = Duration.seconds(1)
  /// A page that is not complete by then never will be, or has nothing in it that leads on.
  private static let patienceOfArrival = Duration.seconds(30)

  /// A page has begun to arrive. If it is still there after a while, complete or not, `body` is told.
  func pageArrived(_ body: @escaping @GLibActor () -> Void) {
    timer = .timer(every: Self.patienceOfArrival) { [weak self] in
      self?.end()
      body()
    }
  }

  /// A page is complete. If it is still there after a moment, and none is on its way, `body` is told.
  ///
  /// The moment is the page's own: where the page or the machine has much to do, what leads on comes late, and so does the
  /// moment's end. For a page that never gets there, the time in which it had to arrive goes on.
  func pageLoaded(in view: WebView, _ body: @escaping @GLibActor () -> Void) {
    moment?.cancel()
    moment = GLibActor.task { [weak self, weak view] in
      let hasPassed = await view?.spend(Self.patience) ?? false
      guard let self, let view, !Task.isCancelled else { return }
      if hasPassed, !view.isLoading {
        end()
        return body()
      }
      timer = .timer(every: Self.patience) { [weak self, weak view] in
        guard let self, let view, !view.isLoading else { return }
        end()
        body()
      }
    }
  }

  /// Another page has arrived, or somebody sees the window.
  func end() {
    moment?.cancel()
    (timer, moment) = (nil, nil)
  }
}
