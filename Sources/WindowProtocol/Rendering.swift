/// How pages get to the screen, from the most demanding of the graphics card to the least.
package enum Rendering: String, Sendable, CaseIterable {
  /// The graphics card draws. Fast, but with some drivers the window stays blank.
  case gpu
  /// The processor draws, which is enough for a login page.
  case standard
  /// `standard` without composited layers.
  case noCompositing = "no-compositing"
  /// `noCompositing` with software in place of the graphics card.
  case software

  /// The rendering to try if this one shows nothing.
  package var next: Rendering? {
    Self.allCases.firstIndex(of: self).flatMap { Self.allCases.dropFirst($0 + 1).first }
  }

  /// Environment variables for the web engine.
  package var variables: [(name: String, value: String)] {
    switch self {
    case .gpu: []
    case .standard: [("WEBKIT_DISABLE_DMABUF_RENDERER", "1")]
    case .noCompositing: Self.standard.variables + [("WEBKIT_DISABLE_COMPOSITING_MODE", "1")]
    case .software:
      // The first variable only affects Mesa, so the second one puts Mesa in place of another vendor's library.
      Self.noCompositing.variables
        + [("LIBGL_ALWAYS_SOFTWARE", "1"), ("__GLX_VENDOR_LIBRARY_NAME", "mesa")]
    }
  }
}

/// Decides with which rendering a window is started again after it stayed blank or died. Each rendering is tried once
/// and a window may die once, so the attempts always come to an end.
package struct RenderingLadder: Sendable {
  package private(set) var rendering: Rendering
  /// True once a page stayed blank.
  package private(set) var hasBeenBlank = false
  private var hasDied = false

  package init(from first: Rendering) { rendering = first }

  /// Moves on after a blank page. Returns false if no rendering is left.
  package mutating func goOnAfterBlank() -> Bool {
    guard let next = rendering.next else { return false }
    rendering = next
    hasBeenBlank = true
    return true
  }

  /// Moves on after a window that ended without giving a reason. Returns false the second time. A driver that crashed
  /// the window would crash it again, so the next rendering is used.
  package mutating func goOnAfterDeath() -> Bool {
    if hasDied { return false }
    hasDied = true
    rendering = rendering.next ?? rendering
    return true
  }
}
