import GLibSupport
import LoginCore
import WindowProtocol

/// Opens the provider's page in the user's browser (RFC 8252 section 8.12), or prints its address. The first answer
/// counts: the browser brings it to a redirect URI on this machine, or the user pastes it at a terminal or in a window.
@GLibActor
package final class BrowserAgent: OnwardAgent {
  private let opener: BrowserOpener?
  private let listener: (any AnswerListener)?
  private let medium: PasteMedium?
  private let input: Int32?
  private let thisHost: String?
  private let otherwise: (any UserAgent)?
  private let tell: @GLibActor (SignInEvent) -> Void
  private var prompt: PastePrompt?
  private var dialog: PasteDialog?
  private var pasted: Task<Void, Never>?
  private let patience: Duration
  private var lateness: Source?
  /// Called with whether the page is open.
  private var opened: @GLibActor (Bool) -> Void = { _ in }

  /// How long the browser may take before the user is asked to paste. A window gets in the user's way, so it comes after
  /// twice the time.
  package nonisolated static let usualPatience = Duration.seconds(45)

  /// Without an `opener` the user opens the page. Lines from `input` are taken as pasted. The login goes on with
  /// `otherwise` if no browser can be opened and the user cannot be told to open one. If the user sits at another machine,
  /// that one reaches this one as `thisHost`.
  package nonisolated init(
    opener: BrowserOpener?, listener: (any AnswerListener)?, paste medium: PasteMedium?,
    input: Int32? = nil, thisHost: String? = nil,
    otherwise: (any UserAgent)? = nil, patience: Duration = usualPatience,
    tell: @escaping @GLibActor (SignInEvent) -> Void = { _ in }
  ) {
    self.opener = opener
    self.listener = listener
    self.medium = medium
    self.input = input
    self.thisHost = thisHost
    self.otherwise = otherwise
    self.patience = patience
    self.tell = tell
  }

  package var comesBack: Bool { listener != nil }

  package func visit(_ visit: Visit) async throws(Failure) -> Arrival { try await self.visit(visit) { _ in } }

  package func visit(
    _ visit: Visit, opened: @escaping @GLibActor (Bool) -> Void
  ) async throws(Failure) -> Arrival {
    self.opened = opened
    let answer = FirstAnswer<Arrival?>()
    try await listener?.wait(for: visit) {
      answer.finish(.success($0))
    } miss: { [tell] missed in
      switch missed {
      case .otherUser: tell(.answerOfOtherUser)
      case .elsewhere(let address): tell(.answerElsewhere(visit.policy.refusal(of: Array(address.utf8))))
      }
    }
    if let input { pasted = GLibActor.task { [self] in await read(input, visit, answer) } }
    // The answer may come before it is known whether the browser could be opened.
    GLibActor.task { [self] in await open(visit, answer) }
    defer { askNoMore() }
    let terminal = terminal
    if let arrival = try await answer.value(endingWith: { terminal?.restore() }) { return arrival }
    guard let otherwise else { throw .defect() }
    tell(.notOpened)
    return try await otherwise.visit(visit)
  }

  package func dismiss() async {
    askNoMore()
    await otherwise?.dismiss()
  }

  package func conclude(_ conclusion: Conclusion) async {
    await listener?.close(conclusion)
    await otherwise?.conclude(conclusion)
  }

  package func reopen(_ visit: Visit) async {
    let opened = opened
    opened(await openBrowser(at: visit.url) { opened(false) })
  }

  private func open(_ visit: Visit, _ answer: FirstAnswer<Arrival?>) async {
    // Tells the user at once what to bring back. If another window may replace this one, two would only confuse.
    if terminal == nil, !comesBack, otherwise == nil { ask(visit, answer) }
    if let opener, !opener.isEmpty { tell(.opening(address(of: visit, for: opener))) }
    let isOpen = await openBrowser(at: visit.url) { [weak self] in self?.goOn(visit, isOpen: false, answer) }
    goOn(visit, isOpen: isOpen, answer)
  }

  private func goOn(_ visit: Visit, isOpen: Bool, _ answer: FirstAnswer<Arrival?>) {
    if answer.isThere { return }
    opened(isOpen)
    if !isOpen, opener != nil, terminal == nil, thisHost == nil, otherwise != nil {
      return answer.finish(.success(nil))
    }
    instruct(visit, isOpen: isOpen, answer)
  }

  /// The address to print for the user. If the browser is here it is a short one on this machine, which shows no part of the
  /// request and can be visited again, such as in another profile of the browser.
  private func address(of visit: Visit, for opener: BrowserOpener) -> String {
    let isHere = opener.opensHere && thisHost == nil
    return (isHere ? listener?.entrance(to: visit.url, isOneTime: false) : nil) ?? visit.url
  }

  private func openBrowser(at url: String, failed: @escaping @GLibActor () -> Void) async -> Bool {
    await opener?.open(url, through: { listener?.entrance(to: url, isOneTime: true) }, failed: failed)
      ?? false
  }

  private func instruct(_ visit: Visit, isOpen: Bool, _ answer: FirstAnswer<Arrival?>) {
    if !isOpen, let opener, !opener.isEmpty {
      tell(.browserFailed(.browserFailed(command: opener.command)))
    }
    tell(isOpen ? .opened : .address(visit.url))
    if !isOpen, let thisHost, let port = listener?.port { tell(.forward(port: port, host: thisHost)) }
    if !comesBack || !isOpen { ask(visit, answer) }
    if !isOpen {
      lateness = nil
      return dialog?.ask(.noBrowser) ?? ()
    }
    guard comesBack, medium != nil, !visit.isPosted else { return }
    lateness = .after(terminal == nil ? patience * 2 : patience) { [weak self] in
      guard let self, !answer.isThere else { return }
      lateness = nil
      tell(.late)
      tell(.address(visit.url))
      // The user may be typing a password in the browser.
      ask(visit, answer, quietly: true)
    }
  }
}

/// Pasting the answer.
extension BrowserAgent {
  private var terminal: Terminal? {
    if case .terminal(let terminal) = medium { terminal } else { nil }
  }

  /// Takes each line from a pipe as pasted. Its end cancels the login if the answer can come in no other way.
  private func read(_ input: Int32, _ visit: Visit, _ answer: FirstAnswer<Arrival?>) async {
    let reader = DescriptorReader(descriptor: input)
    while let line = try? await reader.line(keeping: Callback.maximumLength + 1) {
      if Task.isCancelled { return }
      switch visit.pasted(line) {
      case .answer(let arrival): return answer.finish(.success(arrival))
      case .nothing: continue
      case let pasted: pasted.problem.map { tell(.pasted($0)) }
      }
    }
    if medium == nil, !comesBack { answer.finish(.failure(.inputEnded)) }
  }

  /// Asks for the answer at the terminal or in a window, once.
  private func ask(_ visit: Visit, _ answer: FirstAnswer<Arrival?>, quietly isQuiet: Bool = false) {
    guard prompt == nil, dialog == nil, !visit.isPosted else { return }
    switch medium {
    case nil: break
    case .terminal(let terminal): prompt = PastePrompt(terminal, for: visit, answer: answer)
    case .window(var host):
      host.options.isQuiet = isQuiet
      let mayReopen = visit.mayOpenTwice && opener?.isEmpty == false
      let window = WindowDialog(host, url: visit.url, ways: mayReopen ? [.browser] : [])
      let reopen: @GLibActor () async -> Void = { [weak self] in
        let ask: @GLibActor () -> Void = { [weak self] in self?.dialog?.ask(.noBrowser) ?? () }
        if await self?.openBrowser(at: visit.url, failed: ask) == false { ask() }
      }
      dialog = PasteDialog(
        window, for: visit, comesBack: comesBack, answer: answer, reopen: mayReopen ? reopen : nil)
    }
  }

  private func askNoMore() {
    lateness = nil
    prompt?.end()
    dialog?.end()
    pasted?.cancel()
    (prompt, dialog, pasted) = (nil, nil, nil)
  }
}

/// A browser to which the user may change over from the window. It may fail to open.
@GLibActor
package protocol OnwardAgent: UserAgent {
  /// True if the browser hands the answer back by itself.
  var comesBack: Bool { get }
  /// Visits the page. Calls `opened` once it is known whether the page is open, and again if it turns out later that it
  /// is not.
  func visit(
    _ visit: Visit, opened: @escaping @GLibActor (Bool) -> Void
  ) async throws(Failure) -> Arrival
  /// Tries once more to open the page of a visit that goes on.
  func reopen(_ visit: Visit) async
}

/// An answer to the login that is not taken. The login goes on.
package enum MissedAnswer: Sendable, Equatable {
  /// It came to this address, which is not the redirect URI.
  case elsewhere(String)
  /// It came from a program of another user of this machine.
  case otherUser
}

/// Receives the answer from the browser.
@GLibActor
package protocol AnswerListener: AnyObject, Sendable {
  /// Passes the answer to `deliver`, once. Calls `miss` for an answer that is not taken.
  func wait(
    for visit: Visit, deliver: @escaping @GLibActor (Arrival) -> Void,
    miss: @escaping @GLibActor (MissedAnswer) -> Void
  ) async throws(Failure)
  /// The port that a browser on another machine has to reach.
  var port: UInt16? { get }
  /// Returns an address here that redirects to a page, only once if it `isOneTime`. nil if the browser makes no requests
  /// here.
  func entrance(to url: String, isOneTime: Bool) -> String?
  /// Shows the result in the browser that brought the answer, and stops listening.
  func close(_ conclusion: Conclusion) async
}

extension AnswerListener {
  package func entrance(to url: String, isOneTime: Bool) -> String? { nil }
}

/// The first of the answers that may come from several places.
typealias FirstAnswer<Value: Sendable> = FirstResult<Value, Failure>

extension FirstResult where Failure == LoginCore.Failure {
  /// Waits for the answer. If the task is cancelled, `end` is called at once and on any thread, because the program may
  /// not live long enough for more.
  func value(endingWith end: @escaping @Sendable () -> Void) async throws(LoginCore.Failure) -> Value {
    try await withTaskCancellationHandler {
      await result()
    } onCancel: {
      end()
      GLibActor.task { self.finish(.failure(.cancelled)) }
    }.get()
  }
}
