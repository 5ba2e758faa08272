/// How pages get to the screen, from what needs the most of a graphics card to what needs nothing of it.
package enum Rendering: String, Sendable, CaseIterable {
  /// Drawn and handed over by the graphics card: fast, and with some drivers a window that stays blank.
  case gpu
  /// Drawn by the processor. A login page needs no more.
  case standard
  /// Without putting layers together, either.
  case noCompositing = "no-compositing"
  /// With a graphics card that is itself nothing but software.
  case software

  /// What is tried where this one shows nothing.
  package var next: Rendering? {
    Self.allCases.firstIndex(of: self).flatMap { Self.allCases.dropFirst($0 + 1).first }
  }

  /// What the web engine takes from its environment; each one adds to those before it.
  package var variables: [(name: String, value: String)] {
    switch self {
    case .gpu: []
    case .standard: [("WEBKIT_DISABLE_DMABUF_RENDERER", "1")]
    case .noCompositing: Self.standard.variables + [("WEBKIT_DISABLE_COMPOSITING_MODE", "1")]
    case .software:
      // Mesa's switch reaches Mesa alone, so its library comes in place of another vendor's.
      Self.noCompositing.variables
        + [("LIBGL_ALWAYS_SOFTWARE", "1"), ("__GLX_VENDOR_LIBRARY_NAME", "mesa")]
    }
  }
}
