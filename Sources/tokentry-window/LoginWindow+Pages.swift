import GLibSupport
import Language
import LoginCore
import WindowProtocol

/// Handles the events of web pages.
extension LoginWindow {
  func viewDid(_ event: WebView.Event, in view: WebView) {
    if case .unsandboxed(let reason) = event { return refuse(reason) }
    if case .wantsCertificate(let request) = event { return wanted(request, by: view) }
    if case .dropped = event { return resumeLoads() }
    defer { keepQuestion() }
    // Events of the empty page may come after another page has been requested.
    if !hasPage, opening.url == nil, view.isEmpty { return }
    hasPage = true
    finalPageWatch?.note(event, in: view)
    switch event {
    case .unsandboxed, .wantsCertificate, .dropped: break
    case .callback(let uri, let mainFrame): send(.callback(uri: uri, mainFrame: mainFrame))
    case .errorPage(let uri, let body): send(.errorPage(uri: uri, body: body))
    case .committed:
      blankWatch.documentArrived()
      // If there are several views, the text was typed into the page below.
      if views.count == 1 { hasTyped = false }
      if view === views.last { pageArrived(in: view) }
    // A page that was stopped before it arrived.
    case .loaded where view.address == nil: break
    case .loaded:
      tellPage(isLoaded: true)
      if isHidden { watchHiddenPage(in: view) }
      showWindowWhenSettled(view)
      // A server that has failed may well send an empty page.
      if view === views.last, failure == nil, view.response?.serverError == nil {
        blankWatch.documentLoaded(in: view)
      }
      WindowProcess.releaseStartupCode()
    case .stayed: showWindowWhenSettled(view)
    case .progressed: if view === views.last { showProgress() }
    case .failed(let load): show(load, in: view)
    case .hung(let load, let action): if view === views.last { hung(load, action, in: view) }
    case .wantsToResend(let decision): if view === views.last { askToResend(decision) }
    case .opened(let opened): show(opened)
    case .closed: remove(view)
    case .typed: noteTyping()
    case .clicked: isUnderWay = true
    case .calledProgram: if view === views.last, failure == nil { frame?.offerBar.show(.program) }
    case .lacked(let feature): pageLacked(feature)
    case .said(let dialog): show(dialog, of: view)
    case .askedForPasskey: if failure == nil, !views.isEmpty { frame?.offerBar.show(.passkey) }
    }
  }

  /// Says that the window lacks a feature. The page may be one that has been opened and is not shown yet.
  func pageLacked(_ feature: WebView.Feature) {
    if failure == nil { frame?.offerBar.show(.lacking(feature)) }
  }

  private func noteTyping() {
    let before = fault
    (hasTyped, isUnderWay) = (true, true)
    if fault != before { tellPage(isLoaded: true) }
  }

  /// Asks the user. Until the answer, and if the user does something else, the form is not sent.
  private func askToResend(_ decision: PendingDecision) {
    resending = decision
    frame?.offerBar.show(.resending)
    showProgress()
  }

  /// Shows a message or question of the page. The page waits for the answer, but the window does not. If there are several,
  /// the user may silence them.
  private func show(_ dialog: ScriptDialog, of view: WebView) {
    let host = view.address?.host ?? ""
    guard view === views.last, failure == nil, !isHidden, host != silencedHost else { return }
    messages = (host, messages.host == host ? messages.count + 1 : 1)
    self.dialog = dialog
    frame?.offerBar.show(.dialog(dialog, host: host, canBeSilenced: messages.count > 1))
    appear()
  }

  /// Ends a message of the page without an answer.
  func forgetDialog() {
    dialog = nil
    frame?.offerBar.hide(.dialog)
  }

  func forgetResending() {
    resending = nil
    frame?.offerBar.hide(.resending)
    showProgress()
  }

  /// Shows a view that a page has opened.
  private func show(_ view: WebView) {
    forgetDialog()
    views.append(view)
    view.zoom = layout.zoom
    blankWatch.watchInput(into: view)
    clearFailure()
    frame?.show(view.widget)
    showAddress()
    showProgress()
    showMissedFailure(of: view)
  }

  /// Removes a view whose page has closed itself. Only pages that another one has opened can do that.
  private func remove(_ view: WebView) {
    guard let place = views.firstIndex(where: { $0 === view }), place > 0 else { return }
    if view === views.last { return closeView() }
    let closed = views.remove(at: place)
    GLibActor.task { withExtendedLifetime(closed) {} }
    showProgress()
  }

  /// Goes back to the page that has opened this one.
  func closeView() {
    clearFailure()
    forgetDialog()
    // This may run in a handler of the view's own signal, so the view has to live a moment longer.
    let closed = views.removeLast()
    GLibActor.task { withExtendedLifetime(closed) {} }
    guard let view = views.last else { return }
    frame?.show(view.widget)
    // The page that closes may have been opened only to print or to save something.
    let lack = frame?.offerBar.offer(.lacking)
    defer { if let lack, failure == nil { frame?.offerBar.show(lack) } }
    // If the two shared a process, and it has ended, both pages are gone.
    if let end = view.processEnd { bringBack(view, after: end) } else { pageArrived(in: view) }
    showProgress()
    showMissedFailure(of: view)
  }

  /// Shows the failure of a view that happened while another one was in front of it.
  private func showMissedFailure(of view: WebView) {
    if let missed = view.missedFailure { show(missed, in: view) }
  }

  private func watchHiddenPage(in view: WebView) {
    hiddenPageWatch.pageLoaded(in: view) { [weak self, weak view] in
      view.map { self?.tellLoginRequired(by: $0) }
    }
  }

  private func tellLoginRequired(by view: WebView) {
    guard view === views.last else { return }
    let uri = view.uri.utf8.prefix(Callback.maximumLength)
    send(.loginRequired(uri: String(decoding: uri, as: UTF8.self)))
  }

  private func pageArrived(in view: WebView) {
    hiddenPageWatch.end()
    if isHidden {
      hiddenPageWatch.pageArrived { [weak self, weak view] in view.map { self?.tellLoginRequired(by: $0) } }
    }
    clearFailure()
    frame?.show(view.widget)
    (resending, dialog, slownessTimer) = (nil, nil, nil)
    blankWatch.stop()
    frame?.offerBar.hide()
    if EmbeddedRefusal.isNamed(in: view.uri) { frame?.offerBar.show(.refused) }
    showAddress()
    showProgress()
    tellPage(isLoaded: false)
  }

  func blankWatchFound(_ finding: BlankWatch.Finding) {
    switch finding {
    case .painted:
      frame?.offerBar.hide(.blank)
      send(.painted)
    case .cannotPaint: reopen()
    case .maybeBlank: frame?.offerBar.show(.blank)
    }
  }

  /// Tells the caller which page is shown, or could not be.
  func tellPage(isLoaded: Bool) {
    guard let view = views.last else { return }
    let failing = failure.flatMap { $0.load.uri.isEmpty ? nil : PageAddress($0.load.uri) }
    let address = failing ?? view.address ?? PageAddress(destination)
    send(
      .page(
        WindowEvent.Page(
          origin: address.origin, isSecure: address.connection == .secure && failure == nil,
          isLoaded: isLoaded && failure == nil, fault: fault)))
  }

  /// The failure of the login if the user ends it now.
  var fault: PageFault? {
    if let failure { return failure.load.fault }
    guard let response = views.last?.response else { return nil }
    // A page that asks for a password may have such a status, too.
    let rejection = hasTyped || isHidden ? nil : response.rejection
    return (response.serverError ?? rejection).map(PageFault.refused)
  }

  func showProgress() {
    guard let view = views.last else { return }
    let isLoading = view.isLoading && failure == nil && resending == nil && question == nil
    watchSlowness(of: view, isLoading: isLoading)
    frame?.titleBar.update(canGoBack: canGoBack)
    frame?.show(progress: isLoading ? view.progress : nil)
  }

  /// Shows the window, unless the page leads on by itself: once its queued scripts have run, it has said so.
  /// A page that is too busy for that is shown by the timer instead.
  private func showWindowWhenSettled(_ view: WebView) {
    GLibActor.task { [weak self, weak view] in
      await view?.waitForQueuedTasks()
      guard let self, let view, view === views.last, view.firstPaint.isComplete else { return }
      appear()
      makeRoom(for: view)
    }
  }

  /// Makes the window larger for a page that would be cut off.
  private func makeRoom(for view: WebView) {
    GLibActor.task { [weak self, weak view] in
      guard let overflow = await view?.overflow, let self, let view, view === views.last else { return }
      frame?.sizer?.grow(byWidth: overflow.width, height: overflow.height)
    }
  }

  /// Tells the user and the caller when a page takes its time.
  private func watchSlowness(of view: WebView, isLoading: Bool) {
    guard isLoading else {
      (slownessTimer, isSlow) = (nil, false)
      frame?.offerBar.hideSlowness()
      return watchAnswers(of: view)
    }
    answerTimer = nil
    if slownessTimer != nil { return }
    slownessTimer = .every(Self.slowness) { [weak self, weak view] in
      guard let self, let view, view === views.last else { return }
      let host = PageAddress(view.uri).host
      let hasBegun = view.hasBegun
      frame?.offerBar.show(.slow(host: host, hasBegun: hasBegun, isFirst: view.address == nil))
      if !hasBegun, !isSlow { send(.waiting(host: host)) }
      isSlow = true
      appear()
    }
  }

  /// Tells the user when a complete page stops answering. A page with an open dialog waits for the user.
  private func watchAnswers(of view: WebView) {
    var isAsked = false
    answerTimer = .every(Self.patience) { [weak self, weak view] in
      guard let self, let view, view === views.last else { return }
      guard failure == nil, question == nil, dialog == nil, frame?.isVisible == true else { return }
      if isAsked { return frame?.offerBar.show(.hung) ?? () }
      isAsked = true
      view.ask("true") { [weak self, weak view] _ in
        isAsked = false
        if let self, view === views.last, answerTimer != nil { frame?.offerBar.hideSlowness() }
      }
    }
  }

  /// A page that takes longer than this to answer does not respond.
  private static let patience = Duration.seconds(5)

  /// A page that takes longer than this is slow.
  private static let slowness = Duration.seconds(10)

  func show(_ load: FailedLoad, in view: WebView) {
    // A failure behind another view is shown when that view has gone.
    view.missedFailure = view === views.last || load.isProcessEnd ? nil : load
    if view !== views.last { return }
    forgetResending()
    dialog = nil
    blankWatch.stop()
    frame?.offerBar.hide()
    let text = FailureText(
      load.fault, for: opening.options.requester, offersBrowser: opening.offersBrowser,
      trusts: opening.options.trust.keys.map(PageAddress.bareHost))
    let page = QuestionPage(Question(text, about: load.fault), actions: actions(after: load), act)
    failure = (page, text.report, load)
    frame?.show(page.widget)
    page.takeFocus()
    showAddress()
    showProgress()
    tellPage(isLoaded: false)
    appear()
  }

  /// Carries out the user's action now that the hung page has been ended.
  private func hung(_ load: FailedLoad, _ action: WebView.Action, in view: WebView) {
    if action == .reload { return bringBack(view, after: load) }
    show(load, in: view)
    if action == .back { goBack() }
  }

  /// The buttons of a page about a failure.
  private func actions(after load: FailedLoad) -> [UserAction] {
    var possible: Set<WayOn> = canGoBack(after: load) ? [.back] : []
    // A form is sent again from the page where it was filled in.
    if !load.isOfForm || views.last?.address == nil { possible.insert(.tryAgain) }
    if opening.offersBrowser { possible.insert(.browser) }
    if !opening.options.hasNoClose { possible.insert(.close) }
    return load.fault.waysOn(possible).map { way in
      switch way {
      case .tryAgain: .reloadOrStop
      case .back: .back
      case .browser: .openInBrowser
      case .close: .cancel
      }
    } + [.copyDetails]
  }

  /// Shows the page again in place of its failure.
  func clearFailure() {
    guard failure != nil, let view = views.last else { return }
    frame?.show(view.widget)
    failure = nil
    showAddress()
    showProgress()
  }
}
