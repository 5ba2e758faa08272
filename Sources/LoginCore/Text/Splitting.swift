/// Splitting and replacing at characters of ASCII, byte by byte. Swift's characters are not the right unit here: a quote
/// or an ampersand with a combining mark behind it is another character, and would slip through; its scalars are
/// decoded one by one, which takes several times as long; and the standard library's own functions come with its engine
/// for regular expressions, which every program would load.
extension String {
  /// What stands before the first `separator`, and what after it.
  package func splitOnce(at separator: Unicode.Scalar) -> (String, String?) {
    guard let index = utf8.firstIndex(of: UInt8(ascii: separator)) else { return (self, nil) }
    return (String(self[..<index]), String(self[utf8.index(after: index)...]))
  }

  /// All parts between the separators, the empty ones included.
  package func parts(at separator: Unicode.Scalar) -> [String] {
    utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
  }

  /// What follows a character of ASCII at the beginning.
  package var withoutFirstByte: String { String(Substring(utf8.dropFirst())) }

  /// The text with another in every place of a scalar.
  package func replacingAll(_ scalar: Unicode.Scalar, with replacement: String) -> String {
    parts(at: scalar).joined(separator: replacement)
  }

  /// Whether another text is somewhere in it.
  package func holds(_ part: String) -> Bool {
    var rest = utf8[...]
    while !rest.starts(with: part.utf8) {
      if rest.popFirst() == nil { return false }
    }
    return true
  }

  /// The index behind the first `://` of a URL.
  package var startOfAuthority: Index? {
    var rest = utf8[...]
    while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
      rest = rest[rest.index(after: colon)...]
      if rest.starts(with: "//".utf8) { return rest.index(rest.startIndex, offsetBy: 2) }
    }
    return nil
  }
}
