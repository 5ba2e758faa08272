import Desktop
import GLibSupport
import Wording

/// Reminds the user, who may be looking elsewhere, of a code that is about to end; for as long as this object lives.
@GLibActor
final class Reminder {
  /// Time enough to take up a phone.
  private static let longestWarning: Int64 = 60
  private var timer: Source?

  nonisolated init() {}

  /// Begins to wait for the last minute, or for the last quarter of a code that ends soon.
  func begin(secondsLeft: Int64) {
    let warning = min(Self.longestWarning, secondsLeft / 4)
    guard warning > 0 else { return }
    timer = .timer(every: .seconds(secondsLeft - warning)) { [weak self] in
      self?.timer = nil
      let text = DesktopText.codeEnds(in: warning)
      DesktopNotification.show(text.title.text, text.sentence.text)
    }
  }
}
