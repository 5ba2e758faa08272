/// Tells a window that cannot paint from an empty page, and decides what to do. It is given a look at the screen twice a
/// second once a page is complete.
package struct BlankJudge: Sendable {
  /// The look of a view, or of a picture that the web engine makes of it.
  package enum Sight: Sendable {
    /// One colour.
    case flat
    case content
    /// The view is hidden or covered, or there is no picture.
    case unknown
  }

  /// The next step.
  package enum Step: Sendable, Equatable {
    /// Look again.
    case wait
    /// Have the web engine make a picture of the page, then look again.
    case compare
    /// The page is visible; stop looking.
    case painted
    /// Open the page in a new window with another rendering.
    case reopen
    /// Ask the user, and look again.
    case offer
  }

  /// Three seconds, at half a second each: time enough for a script to draw its page.
  package static let patience = 6

  private let mayReopen: Bool
  private var documents = 0
  private var isTouched = false
  private var flatLooks = 0
  private var isDecided = false

  /// `mayReopen` is true if opening the first page once more does no harm, and may help.
  package init(mayReopen: Bool) { self.mayReopen = mayReopen }

  /// A document began to arrive.
  package mutating func documentArrived() {
    documents += 1
    flatLooks = 0
    isDecided = false
  }

  /// The user typed or clicked into a page.
  package mutating func touched() { isTouched = true }

  package mutating func saw(_ screen: Sight) -> Step {
    switch screen {
    case .content: return .painted
    case .unknown: flatLooks = 0
    case .flat: flatLooks += 1
    }
    return flatLooks >= Self.patience && !isDecided ? .compare : .wait
  }

  /// Judges the web engine's picture of the page, and a look at the screen after it was made.
  package mutating func compared(picture: Sight, screen: Sight) -> Step {
    guard screen == .flat else { return saw(screen) }
    isDecided = true
    // We requested the first document with GET. Later documents, and the user's input, would be lost.
    let losesNothing = documents == 1 && !isTouched
    return picture == .content && mayReopen && losesNothing ? .reopen : .offer
  }
}

/// Decides when a page may be painted. WebKit holds the whole window up for the first picture of a page, for up to half
/// a second, and a page that is being left makes no picture any more; the held-up navigation may even be the answer. So a
/// page that is left before it was ever painted is not painted at all.
package struct FirstPaint: Sendable {
  private enum Stage {
    case arriving, complete
    /// A navigation was allowed, which may lead to another page or not.
    case mayLeave
    /// The next page is on its way.
    case leaving
  }

  private var stage = Stage.arriving
  private var isPainted = false

  package init() {}

  /// True if the page is complete and stays.
  package var isComplete: Bool { stage == .complete }

  private var isLeaving: Bool { stage == .mayLeave || stage == .leaving }

  /// Another page replaced the one before.
  package mutating func pageArrived() { self = Self() }

  /// A navigation was allowed. Returns true if the page may be left for it: while a page arrives, most navigations are
  /// those of its frames.
  package mutating func navigationAllowed() -> Bool {
    guard stage == .complete else { return false }
    stage = .mayLeave
    return true
  }

  package mutating func pageLeaves() { stage = .leaving }

  /// Loading ended. Returns true if the page has yet to be painted.
  package mutating func pageCompleted() -> Bool {
    defer { stage = .complete }
    return isLeaving && !isPainted
  }

  /// The navigation led nowhere for a while. Returns true if the page has yet to be painted.
  package mutating func nothingCame() -> Bool { stage == .mayLeave && pageCompleted() }

  /// Returns true if the page may be painted, and counts it as painted then.
  package mutating func mayPaint() -> Bool {
    isPainted = isPainted || !isLeaving
    return isPainted
  }
}
