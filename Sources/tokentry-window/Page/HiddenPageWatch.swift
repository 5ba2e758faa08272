import GLibSupport

/// Detects that a page in a hidden window stays, which means that the user would have to do something there.
@GLibActor
final class HiddenPageWatch {
  private var timer: Source?
  private var settling: Task<Void, Never>?

  /// A page whose script leads on does so within this time.
  private static let patience = Duration.seconds(1)
  /// A page that has not led on by then will not do so, complete or not.
  private static let arrivalPatience = Duration.seconds(30)

  /// Call when a page begins to arrive. Calls `body` if that page is still there after a while, complete or
  /// not.
  func pageArrived(_ body: @escaping @GLibActor () -> Void) {
    timer = .after(Self.arrivalPatience) { [weak self] in
      self?.end()
      body()
    }
  }

  /// Call when a page is complete. Calls `body` if the page is still there a moment later and no other is on
  /// its way.
  ///
  /// The moment is measured by the page's own timers: if the page or the machine is busy, scripts that lead
  /// on run late, and so do those timers. The arrival timer goes on for a page whose timers never fire.
  func pageLoaded(in view: WebView, _ body: @escaping @GLibActor () -> Void) {
    settling?.cancel()
    settling = GLibActor.task { [weak self, weak view] in
      let hasPassed = await view?.waitInPage(for: Self.patience) ?? false
      guard let self, let view, !Task.isCancelled else { return }
      if hasPassed, !view.isLoading {
        end()
        return body()
      }
      timer = .every(Self.patience) { [weak self, weak view] in
        guard let self, let view, !view.isLoading else { return }
        end()
        body()
      }
    }
  }

  /// Call when another page arrives, or the window is shown.
  func end() {
    settling?.cancel()
    (timer, settling) = (nil, nil)
  }
}
