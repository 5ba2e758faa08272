import GLibSupport
import LoginCore
import LoginWays

/// What happens in the views.
extension LoginWindow {
  func viewDid(_ event: WebView.Event, in view: WebView) {
    // What is told of the empty page may come after the other has been asked for.
    if case .unprotected(let reason) = event { return refuse(reason) }
    if !hasPage, opening.url == nil, view.isEmpty { return }
    hasPage = true
    switch event {
    case .unprotected: break
    case .callback(let uri, let mainFrame): send(.callback(uri: uri, mainFrame: mainFrame))
    case .errorPage(let uri, let body): send(.errorPage(uri: uri, body: body))
    case .committed:
      watch.documentArrived()
      // What was typed is in the page below where another one has been opened.
      if views.count == 1 { hasTyped = false }
      if view === views.last { pageArrived(in: view) }
    // What was stopped before it came is no page.
    case .loaded where view.address == nil: break
    case .loaded:
      tellPage(isLoaded: true)
      if isHidden { noticeStillness(in: view) }
      reveal(view)
      // Of a server that has failed an empty page is no wonder.
      if view === views.last, failure == nil, view.answer?.failure == nil { watch.documentLoaded(in: view) }
      OwnCode.release()
    case .stayed: reveal(view)
    case .progressed: if view === views.last { showProgress() }
    case .failed(let load): show(load, in: view)
    case .hung(let load, let wish): if view === views.last { hung(load, wish, in: view) }
    case .wantsToResend(let answer): if view === views.last { askToResend(answer) }
    case .opened(let popup): show(popup)
    case .closed: remove(view)
    case .typed: hasTyped = true
    case .calledProgram: if view === views.last, failure == nil { frame?.offerBar.show(.program) }
    case .askedForPasskey: if failure == nil, !views.isEmpty { frame?.offerBar.show(.passkey) }
    }
  }

  /// Nothing is sent before the user says so, nor if the user does something else.
  private func askToResend(_ answer: PolicyAnswer) {
    resending = answer
    frame?.offerBar.show(.resending)
    showProgress()
  }

  func forgetResending() {
    resending = nil
    frame?.offerBar.hide(.resending)
    showProgress()
  }

  private func show(_ view: WebView) {
    views.append(view)
    view.zoom = layout.zoom
    watch.watchTouches(of: view)
    clearFailure()
    frame?.show(view.widget)
    showAddress()
    showProgress()
    showMissed(in: view)
  }

  /// A page has closed itself, which only those can do that another has opened.
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
    // It is closed from within a signal of its own, so it lives a moment longer.
    let closed = views.removeLast()
    GLibActor.task { withExtendedLifetime(closed) {} }
    guard let view = views.last else { return }
    frame?.show(view.widget)
    // A process that draws several pages takes all of them along when it ends.
    if let end = view.end { bringBack(view, after: end) } else { pageArrived(in: view) }
    showProgress()
    showMissed(in: view)
  }

  /// Shows what has failed in a view while another one was in front of it.
  private func showMissed(in view: WebView) {
    if let missed = view.missed { show(missed, in: view) }
  }

  /// Tells when nothing goes on in a window that nobody sees.
  private func noticeStillness(in view: WebView) {
    stillness.pageLoaded(in: view) { [weak self, weak view] in view.map { self?.tellStillness(of: $0) } }
  }

  private func tellStillness(of view: WebView) {
    guard view === views.last else { return }
    let uri = view.uri.utf8.prefix(Callback.maximumLength)
    send(.loginRequired(uri: String(decoding: uri, as: UTF8.self)))
  }

  private func pageArrived(in view: WebView) {
    stillness.end()
    if isHidden {
      stillness.pageArrived { [weak self, weak view] in view.map { self?.tellStillness(of: $0) } }
    }
    clearFailure()
    frame?.show(view.widget)
    (resending, slowness) = (nil, nil)
    watch.stop()
    frame?.offerBar.hide()
    if EmbeddedRefusal.isNamed(in: view.uri) { frame?.offerBar.show(.refused) }
    showAddress()
    showProgress()
    tellPage(isLoaded: false)
  }

  /// Deals with what the look at the screen has come to.
  func watchFound(_ finding: BlankWatch.Finding) {
    switch finding {
    case .painted:
      frame?.offerBar.hide(.blank)
      send(.painted)
    case .cannotPaint: reopen()
    case .maybeBlank: frame?.offerBar.show(.blank)
    }
  }

  /// Tells what is there.
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

  /// What the login ends with if it ends here.
  var fault: PageFault? { failure?.load.fault ?? views.last?.answer?.failure.map(PageFault.refused) }

  func showProgress() {
    guard let view = views.last else { return }
    let isLoading = view.isLoading && failure == nil && resending == nil
    watchSlowness(of: view, isLoading: isLoading)
    frame?.titleBar.update(canGoBack: canGoBack, isLoading: isLoading)
    frame?.show(progress: isLoading ? view.progress : nil)
  }

  /// Shows the window, unless the page leads on by itself: by the time when it has had a turn, it has said so. One that
  /// never has is shown like one that does not come.
  private func reveal(_ view: WebView) {
    GLibActor.task { [weak self, weak view] in
      await view?.rest()
      guard let self, let view, view === views.last, view.firstPaint.isComplete else { return }
      appear()
      makeRoom(for: view)
    }
  }

  /// Makes the window larger for a page that would be cut.
  private func makeRoom(for view: WebView) {
    GLibActor.task { [weak self, weak view] in
      guard let lack = await view?.lack, let self, let view, view === views.last else { return }
      frame?.room?.grow(byWidth: lack.width, height: lack.height)
    }
  }

  /// Says what a page waits for that takes its time.
  private func watchSlowness(of view: WebView, isLoading: Bool) {
    guard isLoading else {
      (slowness, isSlow) = (nil, false)
      frame?.offerBar.hideSlowness()
      return
    }
    if slowness != nil { return }
    slowness = .timer(every: Self.patience) { [weak self, weak view] in
      guard let self, let view, view === views.last else { return }
      let host = PageAddress(view.uri).host
      let hasBegun = view.hasBegun
      frame?.offerBar.show(.slow(host: host, hasBegun: hasBegun))
      if !hasBegun, !isSlow { send(.waiting(host: host)) }
      isSlow = true
      appear()
    }
  }

  /// A page that is not complete by then takes its time.
  private static let patience = Duration.seconds(10)

  func show(_ load: FailedLoad, in view: WebView) {
    // It is seen when what is in front of it has gone.
    view.missed = view === views.last || load.hasEnded ? nil : load
    if view !== views.last { return }
    forgetResending()
    watch.stop()
    frame?.offerBar.hide()
    // What is there to go back to is known once the failure is.
    failure = (FailurePage(load.fault, ways: [], ask), load)
    let page = FailurePage(load.fault, ways: waysOn, ask)
    failure = (page, load)
    frame?.show(page.widget)
    page.takeFocus()
    showAddress()
    showProgress()
    tellPage(isLoaded: false)
    appear()
  }

  /// Does in place of the page what the user wanted of it.
  private func hung(_ load: FailedLoad, _ wish: WebView.Wish, in view: WebView) {
    if wish == .reload { return bringBack(view, after: load) }
    show(load, in: view)
    if wish == .back { goBack() }
  }

  /// What the user can do where a page is not there.
  private var waysOn: [TitleBar.Request] {
    // A form that did not arrive is sent once more from where it was filled in.
    let hasForm = failure?.load.isOfForm == true && views.last?.address != nil
    return (hasForm ? [] : [.reloadOrStop]) + (canGoBack ? [.back] : [])
      + (opening.offersBrowser ? [.openInBrowser] : []) + (opening.hasNoClose ? [] : [.cancel])
  }

  /// Puts the page back into its place.
  func clearFailure() {
    guard failure != nil, let view = views.last else { return }
    frame?.show(view.widget)
    failure = nil
    showAddress()
    showProgress()
  }
}
