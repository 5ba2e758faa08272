import Language
import LoginCore
import SignIn
import WindowProtocol

extension Messages {
  /// Says what has happened on the way to a token. If the steps are the command's answer, it `isExplained` to everyone.
  /// A fault that is shown already is not said again: the last one is `shownFailure`.
  func say(_ event: SignInEvent, isExplained: Bool = false, after shownFailure: Failure? = nil) {
    guard let message = event.message else { return }
    switch event {
    case .opening(let address):
      tellReader("Ctrl+C cancels; if nothing opened, visit \(address, upTo: 64 * 1_024)")
    case .opened: if !Self.areRead { tell(message) }
    case .address: tell(message, holdsAddress: true)
    case .code(_, let picture, let seconds):
      // The texts are below the picture, which must not push them out of view.
      let texts = [message, DeviceText.wait(seconds: seconds)]
      let lengths = texts.map { "tokentry: info: ".count + $0.text.count }
      show(picture?.lines(on: Self.screen, above: lengths))
      tell(message, holdsAddress: true)
      note(texts[1])
    case .forward, .notOpened, .late: tell(message)
    case .browserFailed, .answerElsewhere, .answerOfOtherUser, .pasted, .portTaken, .windowWarning,
      .codeWindowLost, .documentUnread, .clientWithheld, .implicitGrant, .passwordGrant,
      .refreshTokenMissing, .refreshTokenStays, .ignored:
      warning(message)
    case .fault(let fault):
      if fault?.failure == shownFailure { return }
      // The window alone does not show where a page has led. Any other fault is said at the end.
      if case .refused(.address)? = fault { warning(message) } else { info(message) }
    // A user at a terminal would see only silence until the other program is done.
    case .accountInUse: note(Self.areRead ? "\(message); Ctrl+C stops waiting" : message)
    case .page, .navigation: trace(message)
    case .resource, .scope: if isExplained { tell(message) } else { info(message) }
    case .browserUnusable, .listening, .schemeRegistered, .slow, .stray, .restarted, .blank, .remembered,
      .left, .slower, .silence, .registered, .clientForgotten, .accountNeedsLogin, .apiMoved, .noSessionPage,
      .lifetimeUnread:
      info(message)
    case .begun: break
    }
  }
}
