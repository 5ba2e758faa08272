/// One line of output that a story expects: the exact text, or a pattern if the line ends in ` (glob)`.
enum ExpectedLine: Equatable, Sendable {
  case exact(String)
  case glob(Glob)

  /// Reads a line of a story, without its indentation and without the mark of standard error.
  init(_ text: String) {
    let mark = " (glob)"
    self = text.hasSuffix(mark) ? .glob(Glob(String(text.dropLast(mark.count)))) : .exact(text)
  }

  /// Whether the printed line is the expected one; exact lines are compared by their bytes.
  ///
  /// No star stands for the mark of a missing line feed.
  func matches(_ printed: String) -> Bool {
    switch self {
    case .exact(let text): text.utf8.elementsEqual(printed.utf8)
    case .glob(let glob):
      glob.matches(printed)
        && glob.pattern.hasSuffix(PrintedText.unterminated) == printed.hasSuffix(PrintedText.unterminated)
    }
  }

  /// The line as it is written in a story.
  var text: String {
    switch self {
    case .exact(let text): text
    case .glob(let glob): glob.pattern + " (glob)"
    }
  }
}
