/// Reads the steps of a story; refuses what it does not understand, so that no expectation is lost unseen.
///
/// Two spaces of indentation make a line part of a step. After them `$ ` begins a command, `> ` continues it,
/// `! ` is a line of standard error, `[N]` the exit status and everything else a line of standard output.
/// Lines that are not indented are prose.
struct StoryParser {
  private var steps: [Step] = []
  private var current: Step?

  /// The steps of the story whose text is given.
  static func steps(of text: String) throws(StoryFault) -> [Step] {
    guard text.hasPrefix("# ") else { throw .noTitle }
    var parser = StoryParser()
    // By scalars: as a Character, CR LF is one that is not a line feed.
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      try parser.read(String(line), number: index + 1)
    }
    parser.endStep()
    guard !parser.steps.isEmpty else { throw .noCommand }
    return parser.steps
  }

  private mutating func read(_ line: String, number: Int) throws(StoryFault) {
    guard line.hasPrefix("  ") else {
      guard !line.hasPrefix(" "), !line.hasPrefix("\t") else { throw .indentation(line: number) }
      endStep()
      return
    }
    let content = String(line.dropFirst(2))
    if let command = content.text(after: "$") {
      endStep()
      current = Step(line: number, command: command)
    } else if let more = content.text(after: ">") {
      try continueCommand(more, number: number)
    } else {
      try expect(content, number: number)
    }
  }

  private mutating func continueCommand(_ more: String, number: Int) throws(StoryFault) {
    guard var step = current else { throw .orphan(line: number) }
    guard step.output.isEmpty, step.error.isEmpty, step.status == nil else {
      throw .lateContinuation(line: number)
    }
    step.command += "\n" + more
    current = step
  }

  private mutating func expect(_ content: String, number: Int) throws(StoryFault) {
    guard var step = current else { throw .orphan(line: number) }
    guard step.status == nil else { throw .afterStatus(line: number) }
    if let digits = content.bracketedDigits {
      guard let status = Int(digits), status <= 255 else { throw .status(line: number) }
      step.status = status
    } else if let error = content.text(after: "!") {
      step.error.append(ExpectedLine(error))
    } else {
      step.output.append(ExpectedLine(content))
    }
    current = step
  }

  private mutating func endStep() {
    if let current { steps.append(current) }
    current = nil
  }
}

extension String {
  /// What follows a mark and one space; empty if the mark stands alone, nil if the string does not begin so.
  fileprivate func text(after mark: String) -> String? {
    if self == mark { return "" }
    return hasPrefix(mark + " ") ? String(dropFirst(mark.count + 1)) : nil
  }

  /// The digits of `[N]`, if the string is nothing else.
  fileprivate var bracketedDigits: Substring? {
    guard hasPrefix("["), hasSuffix("]") else { return nil }
    let digits = dropFirst().dropLast()
    return !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber } ? digits : nil
  }
}
