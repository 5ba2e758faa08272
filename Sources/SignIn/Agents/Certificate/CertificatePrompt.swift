import GLibSupport
import Glibc
import Language
import LoginCore
import WindowProtocol

/// Asks about certificates at the terminal, or else in a small window.
@GLibActor
package enum CertificatePrompt {
  /// The longest secret that is read, in bytes.
  private static let limit = 1_024

  package static func ask(
    _ question: CertificateQuestion, at terminal: Terminal
  ) async throws(Failure) -> CertificateAnswer {
    let text = CertificateText(question)
    // The keys are hidden before the user can see that they are wanted.
    terminal.passKeys()
    defer { terminal.restore() }
    terminal.show(text.title.text + "\n" + text.sentence.text + "\n")
    if let problem = text.problem { terminal.show(TerminalStyle.ofUser.error(problem.text) + "\n") }
    if case .choice(let names) = question.subject {
      for (place, name) in names.enumerated() {
        terminal.show("  \(place + 1)) \(name.forDisplay(limit: 200))\n")
      }
    }
    while true {
      terminal.show(text.prompt.text + " ")
      let line = try await hiddenLine(at: terminal)
      if let answer = answer(line, to: question) { return answer }
    }
  }

  /// Returns nil if the line is no answer.
  private static func answer(_ line: String, to question: CertificateQuestion) -> CertificateAnswer? {
    switch question.subject {
    case .token: return .again
    case _ where line.isEmpty: return .without
    case .passphrase, .pin: return .secret(line)
    case .choice(let names):
      guard let number = Int(line), (1...names.count).contains(number) else { return nil }
      return .chosen(number - 1)
    }
  }

  private static func hiddenLine(at terminal: Terminal) async throws(Failure) -> String {
    let answer = FirstAnswer<String>()
    var editor = LineEditor(limit: limit)
    defer { terminal.show("\n") }
    let source = terminal.whenReadable {
      guard let bytes = terminal.read() else { return answer.finish(.failure(.terminalClosed)) }
      for byte in bytes {
        switch editor.take(byte) {
        case nil: continue
        case .end: answer.finish(.failure(.terminalClosed))
        case .line(let line): answer.finish(.success(String(decoding: line, as: UTF8.self)))
        }
      }
    }
    defer { withExtendedLifetime(source) {} }
    return try await answer.value { terminal.restore() }
  }

  /// Asks in a window of its own, shown by the first of `candidates` that exists.
  package static func ask(
    _ question: CertificateQuestion, in candidates: [String], _ options: WindowOptions
  ) async throws(Failure) -> CertificateAnswer {
    let dialog = WindowDialog(candidates, options, in: nil, ways: [])
    dialog.show { .askCertificate(question) }
    let answer = FirstAnswer<CertificateAnswer>()
    let watch = GLibActor.task {
      let end = await dialog.end {
        if case .certificateAnswer(let given) = $0 { answer.finish(.success(given)) }
      }
      switch end {
      case .failed(let failure): answer.finish(.failure(failure))
      case .closed, .answered, .over: answer.finish(.failure(.windowClosed))
      }
    }
    defer { watch.cancel() }
    return try await answer.value { watch.cancel() }
  }
}
