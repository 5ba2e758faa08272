import GLibSupport
import LoginCore
import LoginWays

/// Asks in a small window for the answer, until one is given that can be one.
@GLibActor
final class PasteDialog {
  private let dialog: WindowDialog
  private let visit: Visit
  private let comesBack: Bool
  private let answer: FirstAnswer<Arrival?>
  private let reopen: @GLibActor () async -> Void
  private var watch: Task<Void, Never>?

  /// Asks at once. `reopen` opens the page in the browser again; `comesBack` is whether that may bring the answer by
  /// itself, so that it does not matter if there can be no window.
  init(
    _ dialog: WindowDialog, for visit: Visit, comesBack: Bool, answer: FirstAnswer<Arrival?>,
    reopen: @escaping @GLibActor () async -> Void
  ) {
    (self.dialog, self.visit, self.comesBack) = (dialog, visit, comesBack)
    (self.answer, self.reopen) = (answer, reopen)
    ask()
    watch = GLibActor.task { [self] in
      switch await dialog.end({ [weak self] in self?.take($0) }) {
      // The browser goes on, as the window has said.
      case .closed(by: .passerby) where comesBack: break
      case .closed: answer.finish(.failure(.user(.cancelled(.windowClosed))))
      case .failed(let failure): if !comesBack { answer.finish(.failure(failure)) }
      case .over: break
      }
    }
  }

  /// Asks, and says what is in the way.
  func ask(_ problem: PasteQuestion.Problem? = nil) {
    let question = PasteQuestion(about: visit, comesBack: comesBack, problem: problem)
    dialog.show { .ask(question) }
  }

  /// Asks no more.
  func end() { watch?.cancel() }

  private func take(_ event: WindowEvent) {
    switch event {
    case .pasted(let text): judge(visit.pasted(Array(text.utf8)))
    case .switched(to: Way.browser.rawValue): GLibActor.task { [self] in await reopen() }
    default: break
    }
  }

  private func judge(_ pasted: Pasted) {
    if case .answer(let arrival) = pasted { return answer.finish(.success(arrival)) }
    if let problem = pasted.problem { ask(problem) }
  }
}
