import GLibSupport
import Language
import LoginCore
import WindowProtocol

/// Asks for the answer to a visit at the terminal until the pasted text is one.
@GLibActor
final class PastePrompt {
  private let prompt: QuestionPrompt
  private var task: Task<Void, Never>?

  init(_ terminal: Terminal, for visit: Visit, answer: FirstAnswer<Arrival?>) {
    prompt = QuestionPrompt(terminal)
    task = GLibActor.task { [prompt] in
      var problem: PasteProblem?
      do throws(Failure) {
        while true {
          let text = try await prompt.ask(.pasteAtTerminal(visit, problem)).text ?? ""
          let pasted = visit.pasted(Array(text.utf8))
          if case .answer(let arrival) = pasted { return answer.finish(.success(arrival)) }
          problem = pasted.problem
        }
      } catch {
        answer.finish(.failure(error))
      }
    }
  }

  func end() {
    prompt.end()
    task?.cancel()
  }
}

/// Asks questions at the terminal. What the user types is hidden, from before the first question until the end.
@GLibActor
final class QuestionPrompt {
  private let terminal: Terminal
  private var editor = LineEditor(limit: Callback.maximumLength)
  /// The keys after the last line.
  private var rest: [UInt8] = []
  private var isOver = false
  /// True while the cursor stands after a question.
  private var isAsking = false

  init(_ terminal: Terminal) {
    self.terminal = terminal
    terminal.passKeys()
  }

  func end() {
    if isOver { return }
    isOver = true
    terminal.restore()
    if isAsking { terminal.show("\n") }
  }

  /// Returns the answer to a question. An empty line presses the last button, and so does `no` if the question wants neither
  /// a text nor a choice; any other line then presses the first.
  func ask(_ question: Question) async throws(Failure) -> Question.Answer {
    let words = ([question.title] + question.paragraphs).filter { !$0.isEmpty }
    terminal.show(words.map { $0 + "\n" }.joined())
    if let problem = question.problem { terminal.show(TerminalStyle.ofUser.error(problem) + "\n") }
    for (place, name) in question.choices.enumerated() {
      terminal.show("  \(place + 1)) \(name.forDisplay(limit: 200))\n")
    }
    while true {
      terminal.show(question.prompt + " ")
      isAsking = true
      let line = try await line()
      isAsking = false
      terminal.show("\n")
      if let answer = Self.answer(line, to: question) { return answer }
    }
  }

  /// Returns nil if the line is no answer.
  nonisolated static func answer(_ line: String, to question: Question) -> Question.Answer? {
    let (first, last) = (question.buttons.first?.id, question.buttons.last?.id)
    if line.isEmpty { return Question.Answer(button: last) }
    if question.secret == nil, question.choices.isEmpty {
      return Question.Answer(button: line.lowercased() == "no" ? last : first)
    }
    if question.secret != nil { return Question.Answer(button: first, text: line) }
    guard let number = Int(line), (1...question.choices.count).contains(number) else { return nil }
    return Question.Answer(choice: number - 1)
  }

  private func line() async throws(Failure) -> String {
    let (answer, terminal) = (FirstAnswer<String>(), terminal)
    let take: @GLibActor () -> Void = { [self] in
      var keys = rest[...]
      rest = []
      while let key = keys.popFirst() {
        switch editor.take(key) {
        case nil: continue
        case .end: return answer.finish(.failure(.terminalClosed))
        case .line(let line):
          rest = Array(keys)
          return answer.finish(.success(String(decoding: line, as: UTF8.self)))
        }
      }
    }
    take()
    let source = terminal.whenReadable { [self] in
      guard let bytes = terminal.read() else { return answer.finish(.failure(.terminalClosed)) }
      rest += bytes
      if !answer.isThere { take() }
    }
    defer { withExtendedLifetime(source) {} }
    return try await answer.value { terminal.restore() }
  }
}

extension Terminal {
  /// Asks one question.
  @GLibActor
  package func ask(_ question: Question) async throws(Failure) -> Question.Answer {
    let prompt = QuestionPrompt(self)
    defer { prompt.end() }
    return try await prompt.ask(question)
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
