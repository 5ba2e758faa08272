/// Splitting and replacing by scalars. Swift's characters are not the right unit here: a quote or an ampersand
/// with a combining mark behind it is another character, and would slip through; and the standard library's
/// own functions come with its engine for regular expressions, which every program would load.
extension String {
  /// What stands before the first `separator`, and what after it.
  package func splitOnce(at separator: Unicode.Scalar) -> (String, String?) {
    guard let index = unicodeScalars.firstIndex(of: separator) else { return (self, nil) }
    return (String(self[..<index]), String(self[unicodeScalars.index(after: index)...]))
  }

  /// All parts between the separators, the empty ones included.
  package func parts(at separator: Unicode.Scalar) -> [String] {
    unicodeScalars.split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
  }

  /// The text with another in every place of a scalar.
  package func replacingAll(_ scalar: Unicode.Scalar, with replacement: String) -> String {
    parts(at: scalar).joined(separator: replacement)
  }

  /// Whether another text is somewhere in it.
  func holds(_ part: String) -> Bool {
    var rest = unicodeScalars[...]
    while !rest.starts(with: part.unicodeScalars) {
      if rest.popFirst() == nil { return false }
    }
    return true
  }

  /// The index behind the first `://` of a URL.
  package var startOfAuthority: Index? {
    var rest = unicodeScalars[...]
    while let colon = rest.firstIndex(of: ":") {
      rest = rest[rest.index(after: colon)...]
      if rest.starts(with: "//".unicodeScalars) { return rest.index(rest.startIndex, offsetBy: 2) }
    }
    return nil
  }
}
