extension String {
  /// Whether both texts are the same bytes in UTF-8.
  ///
  /// Swift's `==` holds canonically equivalent strings equal, which no standard behind this package
  /// allows where it says "identical" (RFC 7519 section 7.3, RFC 9207 section 2.4).
  @_optimize(speed)
  package func isIdentical(to other: String) -> Bool {
    // The same bytes are equal in Swift's sense too, which is decided much faster where it is not the case.
    utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
  }
}

extension UInt8 {
  /// `A-Z`, `a-z`.
  package var isLetter: Bool { (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z") }

  /// `0-9`.
  package var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

  /// What RFC 3986 section 2.3 never escapes.
  package var isUnreserved: Bool {
    isLetter || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
      || self == UInt8(ascii: "_") || self == UInt8(ascii: "~")
  }

  /// Printable ASCII other than the space.
  package var isVisible: Bool { self > 0x20 && self < 0x7F }

  /// The same letter in lower case, and every other byte unchanged.
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

extension Unicode.Scalar {
  /// A control character (C0, DEL or C1): it can move a terminal's cursor or hide text.
  package var isControl: Bool { value < 0x20 || (value >= 0x7F && value < 0xA0) }

  /// A character that reorders the text around it (Unicode TR9), which lets one text look like another.
  package var isBidirectionalControl: Bool {
    switch value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
