// Standards compare, split and replace texts byte by byte. Swift's characters are the wrong unit for that: a quote or an
// ampersand followed by a combining mark is a different character and would slip through. Unicode scalars are decoded one
// by one, which takes several times as long. The standard library's own functions for it pull in its engine for regular
// expressions, which every program would then load.

extension String {
  /// True if both texts are the same bytes in UTF-8.
  ///
  /// Swift's `==` treats canonically equivalent strings as equal, which the standards do not allow where they say
  /// "identical" (RFC 7519 section 7.3, RFC 9207 section 2.4).
  package func isIdentical(to other: String) -> Bool {
    // Identical bytes are also equal to Swift, and `==` rules out most other texts much faster.
    utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
  }

  /// Returns the text before the first `separator`, and the text after it.
  package func splitOnce(at separator: Unicode.Scalar) -> (String, String?) {
    guard let index = utf8.firstIndex(of: UInt8(ascii: separator)) else { return (self, nil) }
    return (String(self[..<index]), String(self[utf8.index(after: index)...]))
  }

  /// Returns all parts between the separators, including empty ones.
  package func parts(at separator: Unicode.Scalar) -> [String] {
    utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
  }

  /// Returns the text with every occurrence of an ASCII character replaced.
  package func replacingAll(_ scalar: Unicode.Scalar, with replacement: String) -> String {
    parts(at: scalar).joined(separator: replacement)
  }

  /// True if `part` occurs in the text.
  package func holds(_ part: String) -> Bool {
    var rest = utf8[...]
    while !rest.starts(with: part.utf8) {
      if rest.popFirst() == nil { return false }
    }
    return true
  }

  /// The index after the first `://` of a URL.
  package var startOfAuthority: Index? {
    var rest = utf8[...]
    while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
      rest = rest[rest.index(after: colon)...]
      if rest.starts(with: "//".utf8) { return rest.index(rest.startIndex, offsetBy: 2) }
    }
    return nil
  }
}

extension UInt8 {
  /// True for `A-Z` and `a-z`.
  package var isLetter: Bool { (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z") }

  /// True for `0-9`.
  package var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

  /// True for the characters that are never escaped (RFC 3986 section 2.3).
  package var isUnreserved: Bool {
    isLetter || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
      || self == UInt8(ascii: "_") || self == UInt8(ascii: "~")
  }

  /// True for printable ASCII other than the space.
  package var isVisible: Bool { self > 0x20 && self < 0x7F }

  /// The byte with `A-Z` turned into `a-z`.
  package var lowercased: UInt8 {
    self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
  }

  /// The value of a hexadecimal digit.
  package var hexadecimalValue: UInt8? {
    if isDigit { return self - UInt8(ascii: "0") }
    let letter = self | 0x20
    guard letter >= UInt8(ascii: "a"), letter <= UInt8(ascii: "f") else { return nil }
    return letter - UInt8(ascii: "a") + 10
  }

  /// The two upper-case hexadecimal digits of this byte.
  package var hexadecimalDigits: [UInt8] {
    func digit(_ value: UInt8) -> UInt8 {
      value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
    return [digit(self >> 4), digit(self & 0xF)]
  }
}
