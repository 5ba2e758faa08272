import CWebKitGTK
import GLibSupport
import LoginCore
import WindowProtocol

/// Handles the actions of the user.
extension LoginWindow {
  var act: ActionHandler { { [weak self] in self?.perform($0) } }

  private func perform(_ action: UserAction) {
    // The page behind a question waits for its answer. Ending a load that waits for a PIN would try an empty one.
    if question != nil || waitsForPIN, [.back, .reloadOrStop].contains(action) { return }
    switch action {
    case .cancel: if !opening.options.hasNoClose { close(by: .user) }
    case .close: if !opening.options.hasNoClose { close(by: isBystander ? .passerby : .user) }
    case .leave: leave()
    case .leaveSilentPage: leaveSilentPage()
    case .stay: stay()
    case .back: goBack()
    case .reloadOrStop: reloadOrStop()
    case .reload:
      frame?.offerBar.hide(.reloading)
      views.last?.reload()
    case .resend: answerResending(true)
    case .dontResend: answerResending(false)
    case .accept: answer(true)
    case .decline: answer(false)
    case .silence:
      silencedHost = messages.host
      answer(false)
    case .signInHere: signInHere()
    case .dismissOffer:
      frame?.offerBar.dismiss()
      focusPage()
    case .openInfo: frame?.openInfo()
    case .reopen: reopen()
    case .openInBrowser: if opening.offersBrowser { send(.switched(to: .browser)) }
    case .copyLink: frame?.copy(views.last?.uri ?? firstPage)
    case .copyDetails: if let report = failure?.report ?? nativePage?.question.report { frame?.copy(report) }
    case .switchToPaste:
      frame?.copy(firstPage)
      send(.switched(to: .paste))
    case .zoomIn: zoom(to: layout.zoom + 10)
    case .zoomOut: zoom(to: layout.zoom - 10)
    case .zoomNormal: zoom(to: 100)
    case .stillHere: send(.active)
    }
  }

  /// True if the window has come up by itself, beside a login that goes on elsewhere. Closing it does not
  /// cancel that.
  private var isBystander: Bool { opening.options.isQuiet && !opening.showsPages }

  /// Goes back from a page that another one has opened. Else cancels, or asks first if the login is under way. If the question
  /// is already there, the user stays.
  private func leave() {
    if opening.options.hasNoClose { return }
    if isBystander { return close(by: .passerby) }
    if frame?.offerBar.shows(.leaving) == true { return stay() }
    if views.count > 1, question == nil, !waitsForPIN, frame?.offerBar.asks != true { return goBack() }
    if isUnderWay { frame?.offerBar.show(.leaving(nativePage?.question)) } else { close(by: .user) }
  }

  /// The caller has closed the window in front of which this one stands.
  func parentHasGone() {
    if opening.options.hasNoClose { return }
    if isUnderWay { frame?.offerBar.show(.orphaned(opening.options.requester)) } else { close(by: .user) }
  }

  /// Asks whether to leave a page that does not say what Esc does in it. The page that waits for the answer to its question
  /// is one, but it gets the answer no.
  private func leaveSilentPage() {
    if dialog != nil { return answer(false) }
    if opening.options.hasNoClose || failure != nil || views.isEmpty { return }
    frame?.offerBar.show(.leaving(nativePage?.question))
  }

  private func stay() {
    frame?.offerBar.hide(.leaving)
    frame?.offerBar.hide(.reloading)
    focusPage()
  }

  /// Answers a message or question of the page.
  private func answer(_ isYes: Bool) {
    isUnderWay = true
    if isYes, let entered = frame?.offerBar.entered { dialog?.accept(entered) }
    forgetDialog()
    focusPage()
  }

  private func answerResending(_ isWanted: Bool) {
    let decision = resending
    forgetResending()
    if isWanted { decision?.allow() } else { decision?.refuse() }
    // The page with the form may be gone because its process has ended.
    if !isWanted, let view = views.last, let end = view.processEnd { return show(end, in: view) }
    focusPage()
  }

  private func zoom(to percent: Int) {
    if views.isEmpty { return }
    layout = WindowLayout(size: layout.size, zoom: percent)
    for view in views { view.zoom = layout.zoom }
  }

  /// Gives the page the keyboard, unless there is another question.
  private func focusPage() {
    if frame?.offerBar.asks == true { return }
    if let page = question ?? failure?.page ?? nativePage { return page.takeFocus() }
    if let view = views.last { gtk_widget_grab_focus(view.widget) }
  }

  /// True if there is a page to go back to: the one that a failure hides, the one before, or the one that has
  /// opened this one.
  var canGoBack: Bool { canGoBack(after: failure?.load) }

  func canGoBack(after failure: FailedLoad?) -> Bool {
    guard let view = views.last else { return false }
    return hidesPage(failure) || view.canGoBack || views.count > 1
  }

  private func hidesPage(_ failure: FailedLoad?) -> Bool {
    failure.map { views.last?.address != nil && !$0.isPageItself } ?? false
  }

  func goBack() {
    guard let view = views.last else { return }
    forgetDialog()
    if hidesPage(failure?.load) {
      clearFailure()
      tellPage(isLoaded: true)
    } else if view.canGoBack {
      view.goBack()
    } else if views.count > 1 {
      closeView()
    }
  }

  private func reloadOrStop() {
    guard let view = views.last else { return }
    forgetDialog()
    if failure != nil {
      retry()
    } else if let end = view.processEnd {
      bringBack(view, after: end)
    } else if view.address == nil {
      // Before the first page there is nothing to stop at or to reload.
      if !firstPage.isEmpty { load(firstPage, in: view) }
    } else if view.isLoading {
      view.stop()
    } else if hasTyped {
      if frame?.offerBar.shows(.reloading) == true { stay() } else { frame?.offerBar.show(.reloading) }
    } else {
      view.reload()
    }
  }

  /// Tries again after a failure. If a form failed, this goes back to the page that still has the form as it
  /// was filled in.
  private func retry() {
    guard let view = views.last, let failure else { return }
    if failure.load.isOfForm, view.address != nil { return goBack() }
    clearFailure()
    bringBack(view, after: failure.load)
  }
}
