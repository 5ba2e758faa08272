/// How pages get to the screen, from the most demanding of the graphics card to the least.
package enum Rendering: String, Sendable, CaseIterable {
  /// The graphics card draws. Fast, but with some drivers the window stays blank.
  case gpu
  /// The processor draws, which is enough for a login page.
  case standard
  /// `standard` without composited layers, and with software in place of the graphics card. A window that stayed blank or
  /// died is started again like this.
  case software

  /// Environment variables for the web engine.
  package var variables: [(name: String, value: String)] {
    switch self {
    case .gpu: []
    case .standard: [("WEBKIT_DISABLE_DMABUF_RENDERER", "1")]
    case .software:
      // LIBGL_ALWAYS_SOFTWARE only affects Mesa, so the last one puts Mesa in place of another vendor's library.
      Self.standard.variables + [
        ("WEBKIT_DISABLE_COMPOSITING_MODE", "1"), ("LIBGL_ALWAYS_SOFTWARE", "1"),
        ("__GLX_VENDOR_LIBRARY_NAME", "mesa"),
      ]
    }
  }
}
