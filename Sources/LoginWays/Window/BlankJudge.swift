/// Tells a window that cannot paint from a page that is empty, and decides what is done about it. It is told
/// what is seen, twice a second from the moment when a page is complete.
package struct BlankJudge: Sendable {
  /// What a view, or a picture that the web engine paints of it, looks like.
  package enum Sight: Sendable {
    /// Nothing but one colour.
    case flat
    case content
    /// It cannot be told: the view is hidden or behind another window, or there is no picture.
    case unknown
  }

  /// What is to be done.
  package enum Step: Sendable, Equatable {
    /// Look again.
    case wait
    /// Have the web engine paint a picture of the page, then look again.
    case compare
    /// The page is there: no more looks.
    case painted
    /// Open it in a new window that paints in another way.
    case reopen
    /// Ask the user, and look again.
    case offer
  }

  /// Half a second apart, these are three seconds: a page that draws itself by a script has had its time.
  package static let patience = 6

  private let mayReopen: Bool
  private var documents = 0
  private var isTouched = false
  private var flatLooks = 0
  private var isDecided = false

  /// `mayReopen` is whether opening the first page once more does no harm, and may help.
  package init(mayReopen: Bool) { self.mayReopen = mayReopen }

  /// A document has begun to arrive, whatever has asked for it.
  package mutating func documentArrived() {
    documents += 1
    flatLooks = 0
    isDecided = false
  }

  /// The user has typed or clicked into a page.
  package mutating func touched() { isTouched = true }

  /// A look at the screen.
  package mutating func saw(_ screen: Sight) -> Step {
    switch screen {
    case .content: return .painted
    case .unknown: flatLooks = 0
    case .flat: flatLooks += 1
    }
    return flatLooks >= Self.patience && !isDecided ? .compare : .wait
  }

  /// The picture of the page, and a look at the screen after it was made.
  package mutating func compared(picture: Sight, screen: Sight) -> Step {
    guard screen == .flat else { return saw(screen) }
    isDecided = true
    // Only the first document is one that we have asked for, with GET; whatever came after it, and whatever
    // the user has entered, would be lost.
    let losesNothing = documents == 1 && !isTouched
    return picture == .content && mayReopen && losesNothing ? .reopen : .offer
  }
}
