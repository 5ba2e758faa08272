import GLibSupport
import LoginCore
import LoginWays

/// Takes the user to the provider in their own browser (RFC 8252 section 8.12), or anywhere else, and takes the
/// answer from whoever has it first: the browser itself at a redirect URI on this machine, or the user, at a
/// terminal or in a small window.
@GLibActor
public final class BrowserAgent: OnwardAgent {
  private let opener: BrowserOpener?
  private let listener: (any AnswerListener)?
  private let medium: PasteMedium?
  private let input: Int32?
  private let isRemote: Bool
  private let otherwise: (any UserAgent)?
  private let tell: @GLibActor (Notice) -> Void
  private var prompt: PastePrompt?
  private var dialog: PasteDialog?
  private var pasted: Task<Void, Never>?
  private let patience: Duration
  private var lateness: Source?
  /// Is told whether the page is open.
  private var opened: @GLibActor (Bool) -> Void = { _ in }

  /// What the user has to know.
  public enum Notice: Sendable {
    /// The page is open.
    case opened
    /// The user has to open this page.
    case address(String)
    /// A browser on another machine reaches this one only if this port is forwarded.
    case forward(port: UInt16)
    /// No browser can be opened, so the login goes on in another way.
    case notOpened
    /// The browser has not come back yet.
    case late
    /// The browser that was to be opened could not be.
    case failed
    /// The answer came to this address, which is not the redirect URI.
    case elsewhere(String, Visit)
    /// This was given as the answer, and is none.
    case refused(Pasted)
  }

  /// How long the browser may take before the user is asked for what it shows. A line at the terminal is in nobody's
  /// way; a window is, so it comes later.
  public nonisolated static let usualPatience = Duration.seconds(45)

  /// Without an `opener` the user opens the page. Lines from `input` are taken as the answer, too. `otherwise` is where the login goes on if no browser can be
  /// opened and the user cannot be told to do so.
  public nonisolated init(
    opener: BrowserOpener?, listener: (any AnswerListener)?, paste medium: PasteMedium?,
    input: Int32? = nil, isRemote: Bool = false,
    otherwise: (any UserAgent)? = nil, patience: Duration = usualPatience,
    tell: @escaping @GLibActor (Notice) -> Void = { _ in }
  ) {
    self.opener = opener
    self.listener = listener
    self.medium = medium
    self.input = input
    self.isRemote = isRemote
    self.otherwise = otherwise
    self.patience = patience
    self.tell = tell
  }

  /// Whether the browser hands the answer back by itself.
  public var comesBack: Bool { listener != nil }

  public func visit(_ visit: Visit) async throws(Failure) -> Arrival { try await self.visit(visit) { _ in } }

  package func visit(
    _ visit: Visit, opened: @escaping @GLibActor (Bool) -> Void
  ) async throws(Failure) -> Arrival {
    self.opened = opened
    let answer = FirstAnswer<Arrival?>()
    try await listener?.wait(for: visit) {
      answer.finish(.success($0))
    } miss: { [tell] in
      tell(.elsewhere($0, visit))
    }
    if let input { pasted = GLibActor.task { [self] in await read(input, visit, answer) } }
    // The answer may be there before it is known what has become of the browser.
    GLibActor.task { [self] in await open(visit, answer) }
    defer { askNoMore() }
    let terminal = terminal
    if let arrival = try await answer.value(endingWith: { terminal?.restore() }) { return arrival }
    guard let otherwise else { throw .defect(.here()) }
    tell(.notOpened)
    return try await otherwise.visit(visit)
  }

  public func dismiss() async {
    askNoMore()
    await otherwise?.dismiss()
  }

  public func conclude(_ conclusion: Conclusion) async {
    await listener?.close(conclusion)
    await otherwise?.conclude(conclusion)
  }

  private func open(_ visit: Visit, _ answer: FirstAnswer<Arrival?>) async {
    // The user knows at once what is to be brought back; but one window in place of another would only confuse.
    if terminal == nil, !comesBack, otherwise == nil { ask(visit, answer) }
    let isOpen = await openBrowser(at: visit.url) { [weak self] in self?.goOn(visit, isOpen: false, answer) }
    goOn(visit, isOpen: isOpen, answer)
  }

  private func goOn(_ visit: Visit, isOpen: Bool, _ answer: FirstAnswer<Arrival?>) {
    if answer.isThere { return }
    opened(isOpen)
    if !isOpen, opener != nil, terminal == nil, !isRemote, otherwise != nil {
      return answer.finish(.success(nil))
    }
    instruct(visit, isOpen: isOpen, answer)
  }

  private func openBrowser(at url: String, failed: @escaping @GLibActor () -> Void) async -> Bool {
    await opener?.open(url, through: { listener?.entrance(to: url) }, failed: failed) ?? false
  }

  package func reopen(_ visit: Visit) async {
    let opened = opened
    opened(await openBrowser(at: visit.url) { opened(false) })
  }

  private func instruct(_ visit: Visit, isOpen: Bool, _ answer: FirstAnswer<Arrival?>) {
    if !isOpen, opener?.isEmpty == false { tell(.failed) }
    tell(isOpen ? .opened : .address(visit.url))
    if !isOpen, isRemote, let port = listener?.port { tell(.forward(port: port)) }
    if !comesBack || !isOpen { ask(visit, answer) }
    if !isOpen {
      lateness = nil
      return dialog?.ask(.noBrowser) ?? ()
    }
    guard comesBack, medium != nil, !visit.isPosted else { return }
    lateness = .timer(every: terminal == nil ? patience * 2 : patience) { [weak self] in
      guard let self, !answer.isThere else { return }
      lateness = nil
      tell(.late)
      tell(.address(visit.url))
      // Whoever is typing a password there goes on doing so.
      ask(visit, answer, quietly: true)
    }
  }
}

/// The way back by hand.
extension BrowserAgent {
  private var terminal: Terminal? {
    if case .terminal(let terminal) = medium { terminal } else { nil }
  }

  /// Takes what comes through a pipe, a line a try; its end is one where there is no other place for the answer.
  private func read(_ input: Int32, _ visit: Visit, _ answer: FirstAnswer<Arrival?>) async {
    let reader = DescriptorReader(descriptor: input)
    while let line = try? await reader.line(keeping: Callback.maximumLength + 1) {
      if Task.isCancelled { return }
      switch visit.pasted(line) {
      case .answer(let arrival): return answer.finish(.success(arrival))
      case .nothing: continue
      case let pasted: tell(.refused(pasted))
      }
    }
    if medium == nil, !comesBack { answer.finish(.failure(.user(.cancelled(.inputEnded)))) }
  }

  /// Asks for the answer, once, wherever the user can bring it.
  private func ask(_ visit: Visit, _ answer: FirstAnswer<Arrival?>, quietly isQuiet: Bool = false) {
    guard prompt == nil, dialog == nil, !visit.isPosted else { return }
    switch medium {
    case nil: break
    case .terminal(let terminal): prompt = PastePrompt(terminal, for: visit, answer: answer)
    case .window(let candidates, let presentation):
      let mayReopen = visit.mayOpenTwice && opener?.isEmpty == false
      let window = WindowDialog(
        candidates, presentation, url: visit.url, ways: mayReopen ? [.browser] : [], isQuiet: isQuiet)
      dialog = PasteDialog(window, for: visit, comesBack: comesBack, answer: answer) { [weak self] in
        let ask: @GLibActor () -> Void = { [weak self] in self?.dialog?.ask(.noBrowser) ?? () }
        if await self?.openBrowser(at: visit.url, failed: ask) == false { ask() }
      }
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
