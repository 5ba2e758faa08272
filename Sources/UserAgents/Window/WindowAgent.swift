import GLibSupport
import LoginCore
import LoginWays

/// Takes the user to the provider in a window of a program of its own, and survives whatever happens to it.
@GLibActor
public final class WindowAgent: UserAgent {
  private let presentation: Presentation
  private let candidates: [String]
  private let hasDisplay: Bool
  private let onward: (any OnwardAgent)?
  private let observe: @GLibActor (Notice) -> Void
  private var window: WindowConnection?
  /// A window that waits for its page.
  private var prepared: WindowConnection?
  /// The last wrong address to which a page has led.
  private var wrongAddress: PageRefusal?
  /// Whether one that was there has ended without a word.
  private var isRestarted = false
  private var handover: Task<Result<Arrival, Failure>, Never>?
  /// What the browser has brought.
  private var brought: Result<Arrival, Failure>?
  /// Whether the user has left the window's page for the browser.
  private var hasLeft = false
  /// Whether it is not known yet what becomes of a browser that was asked for.
  private var isOpening = false

  /// What happens in the window on the way.
  package enum Notice: Sendable {
    /// A page of another server is there.
    case page(origin: String)
    /// The window shows a failure, with which the login ends if it ends now; or it shows one no more.
    case fault(Failure?)
    /// A server has not begun to answer for a while, of which there is news with the next page.
    case slow(host: String)
    /// The login ends with this if nobody goes on with it in time.
    case deadline(Failure)
    /// The user has made the window or what is in it larger or smaller.
    case arranged(WindowLayout)
    /// A callback came that was no answer.
    case stray
    /// Something is not as it was asked for, and the login goes on.
    case warning(String)
    /// The window has ended and is started again.
    case restarted
    /// The page stayed blank, and is opened again with this.
    case blank(next: Rendering)
    /// A page that had stayed blank can be seen with this.
    case painted(Rendering)
    /// The user would rather go on in the browser.
    case left
  }

  /// `candidates` are the places where the program of the window may be, in the order in which it is looked for.
  /// `onward` is the browser, if the user may change over to it: the visit stays the same.
  package nonisolated init(
    candidates: [String], hasDisplay: Bool, presentation: Presentation = Presentation(),
    onward: (any OnwardAgent)? = nil,
    observe: @escaping @GLibActor (Notice) -> Void = { _ in }
  ) {
    self.candidates = candidates
    self.hasDisplay = hasDisplay
    self.presentation = presentation
    self.onward = onward
    self.observe = observe
  }

  public func prepare(for policy: NavigationPolicy) async {
    // Whatever is wrong shows when there is a page to open.
    guard hasDisplay, prepared == nil,
      let window = try? WindowConnection(candidates, until: presentation.deadline)
    else { return }
    window.send(.open(opening(nil, policy, presentation.rendering)))
    prepared = window
  }

  public func visit(_ visit: Visit) async throws(Failure) -> Arrival {
    guard hasDisplay else { throw .way(.noDisplay) }
    var ladder = RenderingLadder(from: presentation.rendering)
    while true {
      switch try await attempt(visit, ladder) {
      case .arrival(let arrival): return arrival
      case .blank:
        guard visit.mayOpenTwice, ladder.goOnAfterBlank() else {
          throw .way(.window(.blank))
        }
        observe(.blank(next: ladder.rendering))
      case .death(let hasAsked):
        guard visit.mayOpenTwice || !hasAsked else {
          throw .way(.window(.endedForGood))
        }
        guard ladder.goOnAfterDeath() else { throw .way(.window(.endedTwice)) }
        isRestarted = true
        observe(.restarted)
      }
    }
  }

  public func dismiss() async {
    // What is kept is written at the end, for which the window needs a moment more where it is busy.
    if presentation.cookies != nil {
      await window?.endByItself(within: WindowOpening.writing + .seconds(1)) { event in
        if case .warning(let text) = event { warn(text) }
      }
    }
    close()
    handover?.cancel()
    await onward?.dismiss()
  }

  public func conclude(_ conclusion: Conclusion) async { await onward?.conclude(conclusion) }

  private func close() {
    window?.close()
    prepared?.close()
    (window, prepared) = (nil, nil)
  }

  /// How one window ended.
  private enum End: Sendable {
    case arrival(Arrival)
    /// Its page could not be seen.
    case blank
    /// Without a word, before or after it had a page.
    case death(hasAsked: Bool)
  }

  private func attempt(_ visit: Visit, _ ladder: RenderingLadder) async throws(Failure) -> End {
    let window = try connection(for: visit, ladder.rendering)
    self.window = window
    return try await window.endingOnCancellation { () async throws(Failure) -> End in
      var hasAsked = false
      while let event = await window.next() {
        switch event {
        case .page: hasAsked = true
        case .painted: if ladder.hasBeenBlank { observe(.painted(ladder.rendering)) }
        case .blank: return .blank
        case .switched(to: Way.browser.rawValue): handOver(visit)
        case .switched(to: Way.paste.rawValue): if handover != nil { leave(visit, .noBrowser) }
        default: break
        }
        if let arrival = try self.arrival(of: event, in: visit) {
          window.send(.accept)
          return .arrival(arrival)
        }
      }
      if Task.isCancelled { throw .user(.cancelled(.task)) }
      // The browser has brought the answer, or goes on although the window has failed.
      if let handover, hasLeft || brought != nil {
        let result = await withTaskCancellationHandler {
          await handover.value
        } onCancel: {
          handover.cancel()
        }
        return .arrival(try result.get())
      }
      return .death(hasAsked: hasAsked)
    }
  }

  /// The window that got ready, if the page is one that it may open, else a new one.
  private func connection(for visit: Visit, _ rendering: Rendering) throws(Failure) -> WindowConnection {
    if let window = prepared, visit.mayOpenTwice {
      prepared = nil
      window.send(.go(to: visit.url))
      return window
    }
    let window = try WindowConnection(candidates, until: presentation.deadline)
    close()
    window.send(.open(opening(visit, visit.policy, rendering)))
    return window
  }

  /// Lets the browser go on with the same visit, while the window waits for what the user may bring: with its page as
  /// long as there is no browser.
  private func handOver(_ visit: Visit) {
    guard let onward, !hasLeft, !isOpening else { return }
    isOpening = true
    if handover != nil {
      GLibActor.task { await onward.reopen(visit) }
      return
    }
    handover = GLibActor.task { [weak self] () async -> Result<Arrival, Failure> in
      let result: Result<Arrival, Failure>
      do throws(Failure) {
        result = .success(
          try await onward.visit(visit) { [weak self] in self?.browser($0, with: visit) })
      } catch {
        result = .failure(error)
      }
      self?.brought = result
      self?.window?.send(.accept)
      return result
    }
  }

  private func browser(_ isOpen: Bool, with visit: Visit) {
    isOpening = false
    if isOpen || hasLeft { leave(visit, isOpen ? nil : .noBrowser) } else { window?.send(.unopened) }
  }

  /// Has the window ask for what the user brings, in place of its page.
  private func leave(_ visit: Visit, _ problem: PasteQuestion.Problem?) {
    if !hasLeft { observe(.left) }
    hasLeft = true
    window?.send(.ask(question(for: visit, problem: problem)))
  }

  private func question(for visit: Visit, problem: PasteQuestion.Problem? = nil) -> PasteQuestion {
    PasteQuestion(about: visit, comesBack: presentation.comesBack, problem: problem)
  }

  /// What the user has pasted ends the visit, or is asked for again.
  private func arrival(pasted text: String, in visit: Visit) -> Arrival? {
    let pasted = visit.pasted(Array(text.utf8))
    if case .answer(let arrival) = pasted { return arrival }
    if let problem = pasted.problem { window?.send(.ask(question(for: visit, problem: problem))) }
    return nil
  }

  /// Without a visit the window gets ready for a page that may be opened twice.
  private func opening(
    _ visit: Visit?, _ policy: NavigationPolicy, _ rendering: Rendering
  ) -> WindowOpening {
    var opening = WindowOpening(
      url: visit?.url, redirectURIs: policy.redirectTexts, errorPages: policy.errorPageTexts)
    (opening.title, opening.requester) = (presentation.title, presentation.requester)
    opening.hasNoClose = presentation.hasNoClose
    opening.parent = presentation.parent
    opening.languages = presentation.languages
    opening.session = presentation.cookies?.folder
    opening.isHidden = presentation.isSilent
    opening.trust = presentation.trust
    opening.rendering = rendering
    opening.layout = presentation.layout
    opening.hasFixedSize = presentation.hasFixedSize
    opening.opensOnce = visit?.mayOpenTwice == false
    if onward != nil, !opening.opensOnce { opening.ways = [Way.browser.rawValue] }
    return opening
  }

  private func warn(_ text: String) { observe(.warning(text.forDisplay(limit: 200))) }

  /// How the visit ends with what the window tells, if it does.
  private func arrival(of event: WindowEvent, in visit: Visit) throws(Failure) -> Arrival? {
    switch event {
    case .callback(let uri, let mainFrame):
      // The window's word is not enough: the redirect is compared here.
      guard case .callback(let callback) = visit.policy.decision(for: Array(uri.utf8)),
        visit.isAnswered(by: callback, mainFrame: mainFrame)
      else {
        observe(.stray)
        return nil
      }
      return .callback(callback)
    case .pasted(let text): return arrival(pasted: text, in: visit)
    case .errorPage(let uri, let body): return .errorPage(uri: uri, body: body.map { Array($0.utf8) })
    case .closed(_, let fault):
      throw fault?.failure
        ?? wrongAddress.map { .application(UserAfterRefusal.closed($0)) } ?? .user(.cancelled(.windowClosed))
    case .failed(let error, let description):
      throw WindowConnection.failure(error, description, isRestarted: isRestarted)
    case .loginRequired(let page): throw .user(.loginRequired(page: page))
    case .warning(let text):
      warn(text)
      return nil
    case .page(let page):
      // A failure page that nobody sees can be left by nobody.
      if presentation.isSilent, let fault = page.fault { throw fault.failure }
      observe(.fault(page.fault?.failure))
      if case .refused(let refusal)? = page.fault {
        if case .address = refusal { wrongAddress = refusal }
      } else if page.fault == nil, let wrongAddress {
        observe(.deadline(.application(UserAfterRefusal.waited(wrongAddress))))
      }
      if page.fault == nil, page.isLoaded, !page.origin.isEmpty {
        observe(.page(origin: page.origin.forDisplay(limit: 300)))
      }
      return nil
    case .arranged(let layout):
      observe(.arranged(layout))
      return nil
    case .waiting(let host):
      observe(.slow(host: host.forDisplay(limit: 300)))
      return nil
    case .ready, .switched, .painted, .blank, .checked, .active: return nil
    }
  }
}
