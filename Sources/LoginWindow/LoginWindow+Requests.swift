import CWebKitGTK
import GLibSupport
import LoginCore
import LoginWays

/// What the user asks for.
extension LoginWindow {
  var ask: @GLibActor (TitleBar.Request) -> Void { { [weak self] in self?.answer($0) } }

  private func answer(_ request: TitleBar.Request) {
    switch request {
    case .cancel: if !opening.hasNoClose { close(by: .user) }
    case .close: if !opening.hasNoClose { close(by: isInPassing ? .passerby : .user) }
    case .leave: leave()
    case .stay: stay()
    case .back: goBack()
    case .reloadOrStop: reloadOrStop()
    case .resend: resend(true)
    case .holdBack: resend(false)
    case .openMenu: frame?.titleBar.openMenu()
    case .openSafely: reopen()
    case .openInBrowser: if opening.offersBrowser { send(.switched(to: "browser")) }
    case .copyLink: frame?.copy(views.last?.uri ?? firstPage)
    case .goElsewhere:
      frame?.copy(firstPage)
      send(.switched(to: Way.paste.rawValue))
    case .zoomIn: zoom(to: layout.zoom + 10)
    case .zoomOut: zoom(to: layout.zoom - 10)
    case .zoomNormal: zoom(to: 100)
    case .stillHere: send(.active)
    }
  }

  /// Whether the window has come up by itself, beside a login that goes on elsewhere.
  private var isInPassing: Bool { opening.isQuiet && !opening.showsPages }

  /// Cancels, or asks first where that would lose what has been typed. Asked again, the user stays.
  private func leave() {
    if opening.hasNoClose { return }
    if isInPassing { return close(by: .passerby) }
    if frame?.offerBar.asksToLeave == true { return stay() }
    guard hasTyped, failure == nil, !views.isEmpty else { return close(by: .user) }
    frame?.offerBar.show(.leaving)
  }

  /// Asks in place of a page that does not say whether the key is for it, until it does.
  func pageIsSilent(_ isSilent: Bool) {
    if opening.hasNoClose || failure != nil || views.isEmpty { return }
    if isSilent {
      frame?.offerBar.show(.silent)
    } else {
      let isAsked = frame?.offerBar.shows(.silent) == true
      frame?.offerBar.hide(.silent)
      if isAsked { focusPage() }
    }
  }

  private func stay() {
    frame?.escape?.stays()
    frame?.offerBar.hide(.leaving)
    frame?.offerBar.hide(.silent)
    focusPage()
  }

  /// Sends a form once more, or does not.
  private func resend(_ isWanted: Bool) {
    let answer = resending
    forgetResending()
    answer?.give(isWanted)
    // The form may be that of a page that is not there any more.
    if !isWanted, let view = views.last, let end = view.end { return show(end, in: view) }
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
    if let view = views.last { gtk_widget_grab_focus(view.widget) }
  }

  /// Whether there is a page before what is shown: the one that a failure hides, the one before that, or the one that
  /// has opened this one.
  var canGoBack: Bool {
    guard let view = views.last else { return false }
    return failure != nil && view.address != nil || view.canGoBack || views.count > 1
  }

  func goBack() {
    guard let view = views.last else { return }
    if failure != nil, view.address != nil {
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
    if failure != nil {
      retry()
    } else if let end = view.end {
      bringBack(view, after: end)
    } else if view.address == nil {
      // There is nothing yet at which one could stop, or which could be loaded once more.
      if !firstPage.isEmpty { load(firstPage, in: view) }
    } else if view.isLoading {
      view.stop()
    } else {
      view.reload()
    }
  }

  /// What was sent by a form is not asked for without it: the form is still there, as it was filled in.
  private func retry() {
    guard let view = views.last, let failure else { return }
    if failure.load.isOfForm, view.address != nil { return goBack() }
    clearFailure()
    bringBack(view, after: failure.load)
  }
}
