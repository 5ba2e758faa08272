import LoginCore

/// The window of another program that the login belongs to, written as the desktop portals of freedesktop.org
/// write it.
package enum ParentWindow: Sendable, Equatable {
  /// The number of a window on an X server.
  case x11(UInt32)
  /// The handle of a surface that its program has exported with xdg-foreign.
  case wayland(String)

  /// Exported handles are short; this one fits whatever a compositor may make up.
  private static let maximumLength = 1_024

  /// Reads `x11:` with the number in hexadecimal, or `wayland:` with the handle.
  package init?(_ text: String) {
    let (kind, rest) = text.splitOnce(at: ":")
    guard let rest else { return nil }
    switch kind {
    case "x11":
      let digits = rest.hasPrefix("0x") ? rest.dropFirst(2) : rest[...]
      // The reader of numbers would also take a sign.
      guard digits.utf8.first != UInt8(ascii: "+"), let number = UInt32(digits, radix: 16), number != 0 else {
        return nil
      }
      self = .x11(number)
    case "wayland":
      guard !rest.isEmpty, rest.utf8.count <= Self.maximumLength,
        rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else { return nil }
      self = .wayland(rest)
    default: return nil
    }
  }

  /// The window as ``init(_:)`` reads it.
  package var text: String {
    switch self {
    case .x11(let number): "x11:" + String(number, radix: 16)
    case .wayland(let handle): "wayland:" + handle
    }
  }
}
