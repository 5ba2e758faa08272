/// With what the window is started again when it could not show its page, and when it is not any more: each
/// setting has one try, and a window that dies has one more, so that it always comes to an end.
package struct RenderingLadder: Sendable {
  /// What the window draws with now.
  package private(set) var rendering: Rendering
  /// Whether what it drew with before showed nothing.
  package private(set) var hasBeenBlank = false
  private var hasDied = false

  /// A window that has not been tried yet.
  package init(from first: Rendering) { rendering = first }

  /// Goes on after a page that stayed blank; false if there is nothing left to try.
  package mutating func goOnAfterBlank() -> Bool {
    guard let next = rendering.next else { return false }
    rendering = next
    hasBeenBlank = true
    return true
  }

  /// Goes on after a window that ended without a word; false if it is not the first. A driver that takes the
  /// window down with it is no better the second time.
  package mutating func goOnAfterDeath() -> Bool {
    if hasDied { return false }
    hasDied = true
    rendering = rendering.next ?? rendering
    return true
  }
}
