/// Whether a page is painted now. WebKit has the whole window wait for the first picture of a page, up to half a second
/// each time, and a page that is on its way out makes none any more: it may even be the window's answer that it waits
/// for. So a page that is left before it was ever painted is not painted at all.
package struct FirstPaint: Sendable {
  private enum Stage {
    case arriving, complete
    /// A navigation is allowed, of which nothing may come.
    case mayLeave
    /// The next page is on its way.
    case leaving
  }

  private var stage = Stage.arriving
  private var isPainted = false

  package init() {}

  /// Whether the page is complete, and stays.
  package var isComplete: Bool { stage == .complete }

  private var isLeaving: Bool { stage == .mayLeave || stage == .leaving }

  /// Another page has taken the place of the one before.
  package mutating func pageArrived() { self = Self() }

  /// A navigation is allowed that may be the page's own. While a page still arrives most of them are its frames'. Returns
  /// whether the page may be left for it.
  package mutating func navigationAllowed() -> Bool {
    guard stage == .complete else { return false }
    stage = .mayLeave
    return true
  }

  /// The next page is on its way.
  package mutating func pageLeaves() { stage = .leaving }

  /// Nothing more is on its way. Returns whether the page has yet to be painted.
  package mutating func pageCompleted() -> Bool {
    defer { stage = .complete }
    return isLeaving && !isPainted
  }

  /// Nothing has come of the navigation in a while. Returns whether the page has yet to be painted.
  package mutating func nothingCame() -> Bool { stage == .mayLeave && pageCompleted() }

  /// Whether the page may be painted, which it is then.
  package mutating func mayPaint() -> Bool {
    isPainted = isPainted || !isLeaving
    return isPainted
  }
}
