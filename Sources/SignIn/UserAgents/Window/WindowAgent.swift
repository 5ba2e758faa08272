import GLibSupport
import Language
import LoginCore
import WindowProtocol

/// Takes the user to the provider in a window. The window is a program of its own, and this agent survives its crashes.
@GLibActor
package final class WindowAgent: UserAgent {
  private let candidates: [String]
  private let hasDisplay: Bool
  private let options: WindowOptions
  private let run: Run?
  /// Keeps other programs away from the session's cookies while this agent lives.
  private let sessionLock: (any Sendable)?
  private let onward: (any OnwardAgent)?
  private let keeper: CertificateKeeper?
  private let memory: WindowMemory?
  private let observe: @GLibActor (SignInEvent) -> Void
  private var window: WindowConnection?
  /// The window whose events are heard. Only there can a question about a certificate be answered.
  private var heard: WindowConnection?
  /// A window that waits for its page.
  private var prepared: WindowConnection?
  /// The last wrong address to which a page led.
  private var wrongAddress: PageRefusal?
  /// True if a window ended without a reason.
  private var isRestarted = false
  private var handover: Task<Result<Arrival, Failure>, Never>?
  /// The result of the browser.
  private var brought: Result<Arrival, Failure>?
  /// True if the user has left the window's page for the browser.
  private var hasLeft = false
  /// True if the window itself has brought the answer.
  private var hasArrived = false
  /// True while the browser is being opened.
  private var isOpening = false
  /// The user's answer to the question about a certificate that the window shows.
  private var certificateAnswer: FirstAnswer<Question.Answer>?
  /// The reason why there is no certificate. It ends the visit.
  private var certificateFailure: Failure?
  /// Shows a window if the token takes longer than ``progressDelay``, until it has arrived.
  private var progress: Task<Void, Never>?

  /// A user who waits longer than this for the token wonders whether anything happens.
  private static let progressDelay = Duration.seconds(2)

  /// `candidates` are the paths at which the window's program may be. `onward` is the browser to which the user may change
  /// over; the visit stays the same.
  package nonisolated init(
    candidates: [String], hasDisplay: Bool, options: WindowOptions = WindowOptions(),
    in run: Run? = nil, sessionLock: (any Sendable)? = nil, onward: (any OnwardAgent)? = nil,
    keeper: CertificateKeeper? = nil, memory: WindowMemory? = nil,
    observe: @escaping @GLibActor (SignInEvent) -> Void = { _ in }
  ) {
    (self.candidates, self.hasDisplay, self.options) = (candidates, hasDisplay, options)
    (self.run, self.sessionLock) = (run, sessionLock)
    (self.onward, self.keeper, self.memory, self.observe) = (onward, keeper, memory, observe)
  }

  package func prepare(for policy: NavigationPolicy) async {
    // If this fails, the visit will fail as well and say why.
    guard hasDisplay, prepared == nil, let window = try? WindowConnection(candidates, in: run)
    else { return }
    window.send(.open(opening(nil, policy, options.rendering)))
    prepared = window
  }

  package func visit(_ visit: Visit) async throws(Failure) -> Arrival {
    guard hasDisplay else { throw .noDisplay }
    var wasBlank = false
    switch try await attempt(visit, options.rendering) {
    case .arrival(let arrival): return arrival
    case .blank:
      guard visit.mayOpenTwice, options.rendering != .software else { throw .staysBlank }
      wasBlank = true
      observe(.blank)
    case .death(let hasAsked):
      guard visit.mayOpenTwice || !hasAsked else {
        throw .windowFailed("it stopped, and its page cannot be requested again")
      }
      isRestarted = true
      observe(.restarted)
    }
    // A driver that crashed the window would crash it again, so this attempt does without.
    switch try await attempt(visit, .software, afterBlank: wasBlank) {
    case .arrival(let arrival): return arrival
    case .blank: throw .staysBlank
    case .death: throw .windowFailed(wasBlank ? PageFault.ViewEnd.crash.message : "it crashed twice")
    }
  }

  package func dismiss() async {
    // The window stores the session at its end. It may be busy, so it gets a second more than storing may take.
    if options.session != nil {
      await window?.endByItself(within: WindowOpening.writing + .seconds(1)) { event in
        if case .warning(let text) = event { warn(text) }
      }
    }
    // The token is requested while the window ends.
    window?.end()
    prepared?.end()
    handover?.cancel()
    await onward?.dismiss()
    if hasArrived, run?.hasSeenWindow == true { progress = GLibActor.task { [self] in await showProgress() } }
  }

  package func conclude(_ conclusion: Conclusion) async {
    close()
    progress?.cancel()
    await progress?.value
    await onward?.conclude(conclusion)
  }

  /// The window with the page closes at once. If the token takes longer than ``progressDelay``, another window says so, and the
  /// user can end the login there.
  private func showProgress() async {
    guard (try? await pause(for: Self.progressDelay)) != nil else { return }
    var options = options
    options.session = nil
    // The token arrives even if the window cannot be shown.
    do throws(Failure) {
      if try await WindowHost(candidates, options).ask(.signingIn) == nil { run?.end(with: .windowClosed) }
    } catch {}
  }

  private func close() {
    window?.close()
    prepared?.close()
    (window, prepared) = (nil, nil)
  }

  /// How one window ended.
  private enum End: Sendable {
    case arrival(Arrival)
    case blank
    /// Without a reason, before or after it requested a page.
    case death(hasAsked: Bool)
  }

  private func attempt(
    _ visit: Visit, _ rendering: Rendering, afterBlank wasBlank: Bool = false
  ) async throws(Failure) -> End {
    let window = try connection(for: visit, rendering)
    (self.window, heard) = (window, window)
    return try await window.endingOnCancellation { () async throws(Failure) -> End in
      var hasAsked = false
      defer {
        heard = nil
        certificateAnswer?.finish(.failure(.windowClosed))
      }
      while let event = await window.next() {
        switch event {
        case .page: hasAsked = true
        case .painted: if wasBlank, memory?.keep(.software) == true { observe(.remembered) }
        case .blank: return .blank
        case .switched(to: .browser): handOver(visit)
        // The browser's answer counts as well.
        case .switched(to: .window): hasLeft = false
        case .switched(to: .paste): if handover != nil { leave(visit, .noBrowser) }
        default: answerAboutCertificate(event, in: window)
        }
        if let arrival = try self.arrival(of: event, in: visit) {
          window.send(.accept)
          hasArrived = !options.isHidden
          return .arrival(arrival)
        }
      }
      if Task.isCancelled { throw .cancelled }
      if let certificateFailure { throw certificateFailure }
      // The browser has brought the answer, or goes on without the window.
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

  /// Uses the prepared window if it may open this page, or starts a new one.
  private func connection(for visit: Visit, _ rendering: Rendering) throws(Failure) -> WindowConnection {
    if let window = prepared, visit.mayOpenTwice {
      prepared = nil
      window.send(.go(to: visit.url))
      return window
    }
    let window = try WindowConnection(candidates, in: run)
    close()
    window.send(.open(opening(visit, visit.policy, rendering)))
    return window
  }

  /// Without a visit the window gets ready for a page that may be opened twice.
  private func opening(
    _ visit: Visit?, _ policy: NavigationPolicy, _ rendering: Rendering
  ) -> WindowOpening {
    var opening = WindowOpening(
      url: visit?.url, redirectURIs: policy.redirectTexts, errorPages: policy.errorPageTexts, options: options
    )
    opening.options.rendering = rendering
    (opening.finalPage, opening.form) = (visit?.finalPage, visit?.form)
    opening.options.hasCertificates = keeper != nil
    opening.opensOnce = visit?.mayOpenTwice == false
    if onward != nil, !opening.opensOnce { opening.ways = [.browser] }
    return opening
  }

  private func warn(_ text: String) { observe(.windowWarning(text.forDisplay(limit: 200))) }

  /// Returns the end of the visit if the event is one.
  private func arrival(of event: WindowEvent, in visit: Visit) throws(Failure) -> Arrival? {
    switch event {
    case .callback(let uri, let mainFrame):
      // The window may be compromised, so the redirect URI is compared here.
      guard case .callback(let callback) = visit.policy.decision(for: Array(uri.utf8)),
        visit.isAnswered(by: callback, mainFrame: mainFrame)
      else {
        observe(.stray)
        return nil
      }
      return .callback(callback)
    case .finalPage(let uri, let values):
      return visit.finalPage?.callback(at: uri, values).map { .callback($0) }
    case .answered(let answer): return arrival(of: answer, in: visit)
    case .errorPage(let uri, let body): return .errorPage(uri: uri, body: body.map { Array($0.utf8) })
    case .closed(_, let fault): throw fault?.failure ?? wrongAddress?.failureOnClosing ?? .windowClosed
    case .failed(let error, let description): throw .reported(error, description, isRestarted: isRestarted)
    case .loginRequired(let page): throw .loginRequired(page: page)
    case .warning(let text): warn(text)
    case .page(let page): try take(page)
    case .arranged(let layout): memory?.keep(layout)
    case .waiting(let host): observe(.slow(host: host.forDisplay(limit: 300)))
    case .ready, .switched, .painted, .blank, .checked, .active, .wantsCertificate, .wantsPIN: break
    }
    return nil
  }

  private func take(_ page: WindowEvent.Page) throws(Failure) {
    // The user cannot leave a failure page in a hidden window.
    if options.isHidden, let fault = page.fault { throw fault.failure }
    observe(.fault(page.fault))
    if case .refused(let refusal)? = page.fault {
      if case .address = refusal { wrongAddress = refusal }
    } else if page.fault == nil, let wrongAddress {
      run?.shownFailure = wrongAddress.failureOnDeadline
    }
    if page.fault == nil, page.isLoaded, !page.origin.isEmpty {
      observe(.page(origin: page.origin.forDisplay(limit: 300)))
    }
  }
}

/// Certificates, of which the keeper decides.
extension WindowAgent {
  private func answerAboutCertificate(_ event: WindowEvent, in window: WindowConnection) {
    switch event {
    case .wantsCertificate(let host):
      send(to: window) { keeper, ask throws(Failure) in
        .certificate(host: host, try await keeper.choose(for: host, asking: ask))
      }
    case .wantsPIN(let host, let wasWrong, let tries):
      let flags = PINFlags(
        wasWrong: wasWrong, leavesFewTries: tries == .few, isLastTry: tries == .last)
      send(to: window) { keeper, ask throws(Failure) in
        .pin(host: host, try await keeper.pin(for: host, flags, asking: ask).map { Secret($0) })
      }
    default: break
    }
  }

  /// Sends the keeper's answer. Without one, the visit ends.
  private func send(
    to window: WindowConnection,
    _ answer:
      @escaping @GLibActor (CertificateKeeper, QuestionAsker?) async throws(Failure) -> WindowCommand
  ) {
    guard let keeper else { return }
    GLibActor.task { [self] in
      do throws(Failure) {
        // The window ends its question when an answer comes.
        try await keeper.inTurn { () async throws(Failure) in
          window.send(try await answer(keeper, asker(in: window)))
        }
      } catch {
        if heard === window { certificateFailure = certificateFailure ?? error }
        window.close()
      }
    }
  }
}

extension WindowAgent {
  /// Asks on a page of the window. A hidden one cannot ask.
  private func asker(in window: WindowConnection) -> QuestionAsker? {
    if options.isHidden { return nil }
    return { [weak self] question throws(Failure) in
      guard let self, heard === window else { throw .windowClosed }
      let answer = FirstAnswer<Question.Answer>()
      certificateAnswer = answer
      window.send(.ask(question))
      return try await answer.result().get()
    }
  }
}

/// Changing over to the browser.
extension WindowAgent {
  /// Opens the same visit in the browser. The window keeps its page until the browser is open, and then waits for what
  /// the user pastes.
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

  /// Replaces the window's page with the question for the answer.
  private func leave(_ visit: Visit, _ problem: PasteProblem?) {
    if !hasLeft { observe(.left) }
    hasLeft = true
    ask(visit, problem)
  }

  private func ask(_ visit: Visit, _ problem: PasteProblem?) {
    window?.send(
      .ask(
        .paste(
          visit.acceptsBareCode, comesBack: onward?.comesBack ?? false, problem, showsPages: true,
          opensBrowser: true)))
  }

  /// Returns the answer that the user pasted, or asks again. While a page is shown, the question is about a certificate.
  private func arrival(of answer: Question.Answer, in visit: Visit) -> Arrival? {
    guard hasLeft else {
      certificateAnswer?.finish(.success(answer))
      return nil
    }
    let pasted = visit.pasted(Array((answer.text ?? "").utf8))
    if case .answer(let arrival) = pasted { return arrival }
    ask(visit, pasted.problem)
    return nil
  }
}

extension Failure {
  fileprivate static let staysBlank = windowFailed("its page stays blank")
}
