import LoginCore
import LoginWays

/// What commands say at a terminal in place of JSON.
package enum TableText {
  /// What was found of this machine, and which ways to the user are open.
  package static func doctor(_ findings: [Finding], _ ways: [Way], _ style: TerminalStyle) -> String {
    let rows = findings.flatMap { finding -> [[TerminalStyle.Cell]] in
      let row: [TerminalStyle.Cell] = [
        (finding.state.mark, finding.state.colour), (finding.name, .bold), (finding.message.text, nil),
      ]
      return [row] + (finding.hint.map { [[("", nil), ("", nil), ($0.text, .faint)]] } ?? [])
    }
    let open: Sentence = ways.isEmpty ? "none" : ways.map(\.rawValue).verbatim.list
    let head: Sentence = "ways to the user:"
    return style.table(rows) + "\n" + style.shown(head.text, .bold) + " " + open.text + "\n"
  }

  /// A preset, as a list of them shows it.
  package struct Preset: Sendable {
    let name: String
    let title: String
    let variables: [String]
    let fault: Sentence?

    /// The preset of this name; `fault` is what keeps it from being used.
    package init(_ name: String, title: String?, variables: [String], fault: Sentence? = nil) {
      (self.name, self.title, self.variables, self.fault) = (name, title ?? "", variables, fault)
    }
  }

  private static let heads: [Sentence] = ["PRESET", "PROVIDER", "NEEDS"]

  /// The presets.
  package static func providers(_ presets: [Preset], _ style: TerminalStyle) -> String {
    let head: [TerminalStyle.Cell] = Self.heads.map { ($0.text, .faint) }
    return style.table(
      [head]
        + presets.map { preset in
          if let fault = preset.fault {
            return [(preset.name, .bold), (fault.text.forDisplay(limit: 200), .red)]
          }
          let row: [TerminalStyle.Cell] = [
            (preset.name, .bold), (preset.title.forDisplay(limit: 60), nil),
          ]
          let needs = preset.variables.map { "--var \($0)=…" }.joined(separator: " ")
          return needs.isEmpty ? row : row + [(needs, nil)]
        })
  }
}

extension Finding.State {
  fileprivate var mark: String {
    switch self {
    case .ok: "✓"
    case .warning: "!"
    case .failed: "✗"
    case .unknown: "?"
    }
  }

  fileprivate var colour: TerminalStyle.Colour {
    switch self {
    case .ok: .green
    case .warning: .yellow
    case .failed: .red
    case .unknown: .faint
    }
  }
}
