import GLibSupport
import LoginCore
import LoginWays
import Wording

/// Asks at the terminal for the answer until one is given that can be one.
@GLibActor
final class PastePrompt {
  private let terminal: Terminal
  private let visit: Visit
  private let answer: FirstAnswer<Arrival?>
  private var editor = LineEditor(limit: Callback.maximumLength)
  private var source: Source?

  /// Asks at once.
  init(_ terminal: Terminal, for visit: Visit, answer: FirstAnswer<Arrival?>) {
    self.terminal = terminal
    self.visit = visit
    self.answer = answer
    terminal.passKeys()
    ask()
    source = terminal.whenReadable { [weak self] in self?.take() }
  }

  /// Asks no more.
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

  /// Whether the line was the answer.
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
    answer.finish(.failure(.user(.cancelled(.terminalClosed))))
  }
}
