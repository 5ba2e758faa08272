/// Why the window cannot belong to one of its caller's, and is one of its own.
package enum ParentFault: Sendable, Equatable {
  case noSurface
  /// The parent is of another kind than the display.
  case displayNotX11, displayNotWayland
  /// No window has this number.
  case unknown(UInt32)
  case gone
  /// The compositor lets no window belong to one of another program.
  case unsupported
}
