import Desktop
import GLibSupport
import Wording

/// Reminds the user, who may be looking elsewhere, of a code that is about to end; for as long as this object lives.
@GLibActor
final class Reminder {
  /// Time enough to take up a phone; and a code that is good for less than twice of that is still being looked at.
  private static let warning: Int64 = 60
  private var timer: Source?

  nonisolated init() {}

  /// Begins to wait for the last minute.
  func begin(secondsLeft: Int64) {
    guard secondsLeft >= 2 * Self.warning else { return }
    timer = .timer(every: .seconds(secondsLeft - Self.warning)) { [weak self] in
      self?.timer = nil
      let text = DesktopText.codeEnds(in: Self.warning)
      DesktopNotification.show(text.title, text.sentence)
    }
  }
}
