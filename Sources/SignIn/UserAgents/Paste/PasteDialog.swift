import GLibSupport
import LoginCore
import WindowProtocol

/// Asks for the answer in a small window until the pasted text is one.
@GLibActor
final class PasteDialog {
  private let dialog: WindowDialog
  private let visit: Visit
  private let comesBack: Bool
  private let answer: FirstAnswer<Arrival?>
  /// Opens the page in the browser again. nil without a browser.
  private let reopen: (@GLibActor () async -> Void)?
  private var watch: Task<Void, Never>?

  /// If the browser `comesBack` by itself, a window that cannot be shown is no failure.
  init(
    _ dialog: WindowDialog, for visit: Visit, comesBack: Bool, answer: FirstAnswer<Arrival?>,
    reopen: (@GLibActor () async -> Void)?
  ) {
    (self.dialog, self.visit, self.comesBack) = (dialog, visit, comesBack)
    (self.answer, self.reopen) = (answer, reopen)
    ask()
    watch = dialog.watch { [weak self] in
      self?.take($0)
    } ended: { end in
      switch end {
      // The window told the user that the browser goes on.
      case .closed(by: .passerby) where comesBack: break
      case .closed: answer.finish(.failure(.windowClosed))
      case .failed(let failure): if !comesBack { answer.finish(.failure(failure)) }
      case .answered, .over: break
      }
    }
  }

  func ask(_ problem: PasteProblem? = nil) {
    let question = Question.paste(
      visit.acceptsBareCode, comesBack: comesBack, problem, showsPages: false, opensBrowser: reopen != nil)
    dialog.show { .ask(question) }
  }

  func end() { watch?.cancel() }

  private func take(_ event: WindowEvent) {
    switch event {
    case .answered(let given): judge(visit.pasted(Array((given.text ?? "").utf8)))
    case .switched(to: .browser): GLibActor.task { [self] in await reopen?() }
    default: break
    }
  }

  private func judge(_ pasted: Pasted) {
    if case .answer(let arrival) = pasted { return answer.finish(.success(arrival)) }
    ask(pasted.problem)
  }
}

/// The place where the user pastes the answer.
package enum PasteMedium: Sendable {
  case terminal(Terminal)
  /// A small window.
  case window(WindowHost)
}
