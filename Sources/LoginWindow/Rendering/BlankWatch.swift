import CWebKitGTK
import GLibSupport
import LoginWays

/// Looks at a page that is complete until it can be seen, and says so if it cannot.
@GLibActor
final class BlankWatch {
  /// What came of it.
  enum Finding {
    /// The page can be seen.
    case painted
    /// There is a page, this window cannot paint it, and another one may.
    case cannotPaint
    /// There is nothing to be seen, for whatever reason.
    case maybeBlank
  }

  /// Told what is found.
  var found: @GLibActor (Finding) -> Void = { _ in }
  /// Asked whether nothing is in front of the window.
  var canSee: @GLibActor () -> Bool = { true }
  private var judge: BlankJudge
  private var looks: Source?
  /// The wait for a picture of the page, and which of them it is.
  private var picture: (number: Int, deadline: Source)?
  private var pictureCount = 0

  private static let interval = Duration.milliseconds(500)
  /// A page that spins never paints a picture.
  private static let deadline = Duration.seconds(2)

  init(mayReopen: Bool) { judge = BlankJudge(mayReopen: mayReopen) }

  func documentArrived() { judge.documentArrived() }

  func documentLoaded(in view: WebView) {
    picture = nil
    looks = .timer(every: Self.interval) { [weak self, weak view] in
      guard let self, let view else { return }
      take(judge.saw(sight(of: view)), for: view)
    }
  }

  func stop() {
    looks = nil
    picture = nil
  }

  /// Takes note of what the user does in a page.
  func watchTouches(of view: WebView) {
    for signal in ["key-press-event", "button-press-event", "touch-event"] {
      connect(
        view.widget, signal,
        answering: { [weak self] _ in
          self?.judge.touched()
          return false
        })
    }
  }

  private func sight(of view: WebView) -> BlankJudge.Sight {
    // What another page will soon replace may well be empty.
    view.isLoading || !canSee() ? .unknown : view.sight
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

  /// Waits for a picture, for a while.
  private func compare(_ view: WebView) {
    if picture != nil { return }
    pictureCount += 1
    let number = pictureCount
    let deadline = Source.timer(every: Self.deadline) { [weak self, weak view] in
      if let view { self?.compared(number, .unknown, with: view) }
    }
    picture = (number, deadline)
    GLibActor.task { [weak self] in
      let sight = await view.paintedSight()
      self?.compared(number, sight, with: view)
    }
  }

  private func compared(_ number: Int, _ sight: BlankJudge.Sight, with view: WebView) {
    guard picture?.number == number else { return }
    picture = nil
    take(judge.compared(picture: sight, screen: self.sight(of: view)), for: view)
  }
}
