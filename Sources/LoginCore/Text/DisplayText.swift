extension String {
  /// Returns the text in one line, safe to show to a person: without control characters and bidirectional controls,
  /// which a provider or a page could use to fake other text on a terminal, and cut after `limit` characters.
  package func forDisplay(limit: Int = 500) -> String {
    var shown = ""
    var count = 0
    var pendingSpace = false
    for scalar in unicodeScalars {
      if scalar.isControl || scalar == " " || scalar == "\u{2028}" || scalar == "\u{2029}" {
        pendingSpace = !shown.isEmpty
        continue
      }
      if scalar.isBidirectionalControl { continue }
      if count >= limit { return shown + "…" }
      if pendingSpace { shown.unicodeScalars.append(" ") }
      pendingSpace = false
      shown.unicodeScalars.append(scalar)
      count += 1
    }
    return shown
  }

  /// The text with the numbers of the characters that a reader would not see, such as `<U+200B>`.
  package var namingUnseen: String {
    unicodeScalars.reduce(into: "") { $0 += $1.isSeen ? String($1) : "\(Self.startOfUnseen)\($1.digits)>" }
  }

  package static let startOfUnseen = "<U+"

  /// The text without a full stop at its end, so that it fits into one of our sentences.
  var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}

extension Unicode.Scalar {
  /// True for control characters (C0, DEL or C1), which can move a terminal's cursor or hide text.
  package var isControl: Bool { value < 0x20 || (value >= 0x7F && value < 0xA0) }

  /// True for characters that reorder the text around them (Unicode TR9), which makes one text look like another.
  var isBidirectionalControl: Bool {
    switch value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The character in quotes, or as `U+00A0` if a reader would not see it.
  var quotedForDisplay: String {
    let shown = String(self).forDisplay(limit: 1)
    if !shown.isEmpty, properties.generalCategory != .format {
      return shown == "\"" ? "'\"'" : "\"\(shown)\""
    }
    return "U+" + digits
  }

  /// The number of the character, with four hexadecimal digits or more.
  fileprivate var digits: String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// True for characters that leave a mark on the screen. The empty pattern of Braille (U+2800) leaves none.
  package var isSeen: Bool {
    !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint && !isControl && value != 0x2800
      && properties.generalCategory != .format
  }
}
