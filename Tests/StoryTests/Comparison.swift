/// Everything in which a run differs from what its step expects; empty exactly if the story told the truth.
struct Comparison {
  let step: Step
  let run: CommandRun

  /// One readable report for all differences of the step, or nil if there is none.
  var report: String? {
    let differences = self.differences
    guard !differences.isEmpty else { return nil }
    let command = step.command.split(separator: "\n", omittingEmptySubsequences: false)
    return (["$ " + command.joined(separator: "\n> ")] + differences).joined(separator: "\n")
  }

  /// The differences in the end of the command, its standard output and its standard error.
  var differences: [String] {
    [
      endDifference,
      Self.difference(in: "standard output", expected: step.output, printed: PrintedText(run.output)),
      Self.difference(in: "standard error", expected: step.error, printed: PrintedText(run.error)),
    ].compactMap(\.self)
  }

  private var endDifference: String? {
    switch run.end {
    case .exited(step.expectedStatus): nil
    case .exited(let status): "exit status: expected \(step.expectedStatus), was \(status)"
    case .signalled(let signal): "exit status: expected \(step.expectedStatus), ended by signal \(signal)"
    case .overdue(let seconds): "did not end, or did not let go of its output, within \(seconds) s: killed"
    }
  }

  private static func difference(
    in stream: String, expected: [ExpectedLine], printed: PrintedText
  ) -> String? {
    var same = expected.count == printed.lines.count
    var report: [String] = []
    for index in 0..<max(expected.count, printed.lines.count) {
      let wanted = index < expected.count ? expected[index] : nil
      let line = index < printed.lines.count ? printed.lines[index] : nil
      if let wanted, let line, wanted.matches(line) {
        report.append("    \(line)")
      } else {
        same = false
        if let wanted { report.append("  - \(wanted.text)") }
        if let line { report.append("  + \(line)") }
      }
    }
    return same ? nil : (["\(stream) (- expected, + printed):"] + report).joined(separator: "\n")
  }
}
