import GLibSupport
import Language
import LoginCore
import WindowProtocol

/// Asks for the answer at the terminal until the pasted text is one.
@GLibActor
final class PastePrompt {
  private let terminal: Terminal
  private let visit: Visit
  private let answer: FirstAnswer<Arrival?>
  private var editor = LineEditor(limit: Callback.maximumLength)
  private var source: Source?

  init(_ terminal: Terminal, for visit: Visit, answer: FirstAnswer<Arrival?>) {
    self.terminal = terminal
    self.visit = visit
    self.answer = answer
    terminal.passKeys()
    ask()
    source = terminal.whenReadable { [weak self] in self?.take() }
  }

  func end() {
    guard source != nil else { return }
    source = nil
    terminal.restore()
    terminal.show("\n")
  }

  private func ask() {
    terminal.show(PastePromptText.question(acceptsCode: visit.acceptsBareCode).text + " ")
  }

  private func take() {
    guard let bytes = terminal.read() else { return cancel() }
    for byte in bytes {
      switch editor.take(byte) {
      case nil: continue
      case .end: return cancel()
      case .line(let line): if judge(line) { return }
      }
    }
  }

  /// Returns true if the line was the answer.
  private func judge(_ line: [UInt8]) -> Bool {
    let pasted = visit.pasted(line)
    if case .answer(let arrival) = pasted {
      end()
      answer.finish(.success(arrival))
      return true
    }
    let objection = pasted.problem.map {
      TerminalStyle.ofUser.error(PastePromptText.objection($0).text) + "\n"
    }
    terminal.show("\n" + (objection ?? ""))
    ask()
    return false
  }

  private func cancel() {
    end()
    answer.finish(.failure(.terminalClosed))
  }
}

/// The line that a user types or pastes while the terminal passes every key on.
struct LineEditor {
  private var line: [UInt8] = []

  enum Event: Equatable {
    case line([UInt8])
    /// Ctrl-D on an empty line.
    case end
  }

  /// One byte more than an answer may have shows that the line is too long.
  private let limit: Int

  init(limit: Int) { self.limit = limit + 1 }

  mutating func take(_ byte: UInt8) -> Event? {
    switch byte {
    case 0x0A, 0x0D:
      defer { line = [] }
      return .line(line)
    case 0x04: return line.isEmpty ? .end : nil
    case 0x08, 0x7F: _ = line.popLast()
    case 0x15: line = []
    default: if line.count < limit { line.append(byte) }
    }
    return nil
  }
}
