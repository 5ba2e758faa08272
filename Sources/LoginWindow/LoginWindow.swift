import GLibSupport
import LoginCore
import LoginWays
import Wording

/// The window in which a user signs in: pages of others in a frame of ours, or a page of ours while the login goes on
/// elsewhere.
@GLibActor
final class LoginWindow {
  private let opening: WindowOpening
  private let send: @GLibActor (WindowEvent) -> Void
  private var frame: WindowFrame?
  /// The page, and above it those that it has opened.
  private var views: [WebView] = []
  /// What is shown in place of a page, and why.
  private var failure: (page: FailurePage, fault: PageFault, uri: String)?
  /// What is shown in place of all pages while the login goes on elsewhere.
  private var elsewhere: OwnPage?
  private var appearance: Source?
  /// The page that was asked for; nothing as long as it is not known.
  private var start: String?
  /// The moment that is left when all is over.
  private var ending: Source?
  /// Whether the window stays out of sight, and what notices that nobody can go on there.
  private var isHidden: Bool
  private var isPlaced = false
  private let stillness = Stillness()
  private let watch: BlankWatch

  /// A login that needs nobody has ended by then, and never shows a window.
  private static let delay = Duration.milliseconds(800)

  init(_ opening: WindowOpening, send: @escaping @GLibActor (WindowEvent) -> Void) {
    self.opening = opening
    self.send = send
    isHidden = opening.isHidden
    watch = BlankWatch(mayReopen: opening.canBeReopened)
    frame = WindowFrame(opening) { [weak self] in self?.answer($0) }
    watch.found = { [weak self] in self?.watchFound($0) }
    watch.canSee = { [weak self] in self?.frame?.isObscured == false }
  }

  /// Goes to the page, or gets ready until it is known. Nothing of WebKit is started before.
  func open(_ policy: NavigationPolicy) {
    let languages = opening.languages.isEmpty ? Surroundings.languages : opening.languages
    let browsing = Browsing(
      languages: languages, trust: opening.trust, rendering: opening.rendering, keptIn: opening.session)
    let view = WebView(browsing, policy: policy) { [weak self] in self?.viewDid($1, in: $0) }
    views.append(view)
    watch.watchTouches(of: view)
    frame?.add(view.widget)
    // An empty page has WebKit start the processes that any page needs.
    if let url = opening.url { go(to: url) } else { view.load(WebView.emptyPage) }
  }

  /// Goes to the page, and becomes visible when it is there or takes its time.
  private func go(to url: String) {
    guard start == nil, let view = views.first else { return }
    start = url
    view.load(url)
    frame?.address.showConnecting(to: PageAddress(url))
    appearance = .timer(every: Self.delay) { [weak self] in self?.appear() }
  }

  /// Does what the caller asks for.
  func obey(_ command: WindowCommand) {
    switch command {
    case .open, .check: break  // there is one page a window
    case .go(let url): go(to: url)
    case .raise: appear()
    case .show: reveal()
    case .cancel: close(by: .caller)
    case .accept: end()
    case .ask(let question):
      leave(for: HandoverPage(question, in: opening, ask) { [weak self] in self?.send(.pasted(text: $0)) })
    case .device(let instruction):
      leave(for: DevicePage(instruction, in: opening, ask) { [weak self] in self?.frame?.copy($0) })
    }
  }

  /// The pages are gone from here: two of them in one login would be one too many.
  private func leave(for page: OwnPage) {
    frame?.show(page.widget)
    page.takeFocus()
    elsewhere = page
    failure = nil
    watch.stop()
    frame?.offerBar.hide()
    stillness.end()
    views = []
    frame?.address.show(PageAddress(""))
    frame?.titleBar.leavePages()
    frame?.show(progress: nil)
    appear()
    OwnCode.release()
  }

  private func appear() {
    appearance = nil
    if isHidden || start == nil && elsewhere == nil { return }
    if let parent = opening.parent, !isPlaced, let objection = frame?.belong(to: parent) {
      send(.warning(objection.words))
    }
    isPlaced = true
    frame?.present()
  }

  private func reveal() {
    isHidden = false
    stillness.end()
    appear()
  }

  private func end() {
    if ending != nil { return }
    (isHidden, appearance) = (true, nil)
    frame?.hide()
    if opening.session == nil { OwnGroup.end() }
    let views = self.views
    self.views = []
    ending = KeptData.write(views) { OwnGroup.end() }
  }

  private func close(by closer: WindowEvent.Closer) {
    if ending != nil { return }
    send(.closed(by: closer, fault: failure?.fault))
    end()
  }
}

/// What the user asks for.
extension LoginWindow {
  private var ask: @GLibActor (TitleBar.Request) -> Void { { [weak self] in self?.answer($0) } }

  private func answer(_ request: TitleBar.Request) {
    switch request {
    case .cancel: if !opening.hasNoClose { close(by: .user) }
    case .back: goBack()
    case .reloadOrStop: reloadOrStop()
    case .openMenu: frame?.titleBar.openMenu()
    case .openSafely: reopen()
    case .openInBrowser: if opening.offersBrowser { send(.switched(to: "browser")) }
    case .copyLink: frame?.copy(views.last?.uri ?? start ?? opening.url ?? "")
    case .zoomIn: views.last?.zoom += 0.1
    case .zoomOut: views.last?.zoom -= 0.1
    case .zoomNormal: views.last?.zoom = 1
    }
  }

  private var canGoBack: Bool { views.count > 1 || views.last?.canGoBack == true }

  private func goBack() {
    clearFailure()
    if let view = views.last, view.canGoBack { view.goBack() } else if views.count > 1 { closeView() }
  }

  private func reloadOrStop() {
    guard let view = views.last else { return }
    if view.isLoading { view.stop() } else if failure != nil { retry() } else { view.reload() }
  }

  private func retry() {
    guard let view = views.last, let failure else { return }
    let address = failure.uri.isEmpty ? start ?? "" : failure.uri
    clearFailure()
    view.load(address)
    frame?.address.showConnecting(to: PageAddress(address))
  }
}

/// What happens in the views.
extension LoginWindow {
  private func viewDid(_ event: WebView.Event, in view: WebView) {
    // What is told of the empty page may come after the other has been asked for.
    if view === views.first, opening.url == nil, view.isEmpty { return }
    switch event {
    case .callback(let uri, let mainFrame): send(.callback(uri: uri, mainFrame: mainFrame))
    case .errorPage(let uri, let body): send(.errorPage(uri: uri, body: body))
    case .committed:
      watch.documentArrived()
      if view === views.last { pageArrived(in: view) }
    case .loaded:
      tellPage(isLoaded: true)
      if isHidden { noticeStillness(in: view) }
      appear()
      if view === views.last, failure == nil { watch.documentLoaded(in: view) }
      OwnCode.release()
    case .progressed: if view === views.last { showProgress() }
    case .failed(let fault, let uri): show(fault, uri: uri, in: view)
    case .opened(let popup): show(popup)
    case .closed: if view === views.last, views.count > 1 { closeView() }
    case .askedForPasskey: if failure == nil, !views.isEmpty { frame?.offerBar.show(.passkey) }
    }
  }

  private func show(_ view: WebView) {
    views.append(view)
    watch.watchTouches(of: view)
    frame?.show(view.widget)
    showProgress()
  }

  /// Goes back to the page that has opened this one.
  private func closeView() {
    clearFailure()
    // It is closed from within a signal of its own, so it lives a moment longer.
    let closed = views.removeLast()
    GLibActor.task { withExtendedLifetime(closed) {} }
    guard let view = views.last else { return }
    frame?.show(view.widget)
    pageArrived(in: view)
    showProgress()
  }

  /// Tells when nothing goes on in a window that nobody sees.
  private func noticeStillness(in view: WebView) {
    stillness.pageLoaded(in: view) { [weak self, weak view] in
      guard let self, let view, view === views.last else { return }
      let uri = view.uri.utf8.prefix(Callback.maximumLength)
      send(.loginRequired(uri: String(decoding: uri, as: UTF8.self)))
    }
  }

  private func pageArrived(in view: WebView) {
    stillness.end()
    clearFailure()
    frame?.show(view.widget)
    watch.stop()
    frame?.offerBar.hide()
    if EmbeddedRefusal.isNamed(in: view.uri) { frame?.offerBar.show(.refused) }
    frame?.address.show(PageAddress(view.uri))
    tellPage(isLoaded: false)
  }

  private func watchFound(_ finding: BlankWatch.Finding) {
    switch finding {
    case .painted:
      frame?.offerBar.hide(.blank)
      send(.painted)
    case .cannotPaint: reopen()
    case .maybeBlank: frame?.offerBar.show(.blank)
    }
  }

  /// Ends, to be started again with what comes next.
  private func reopen() {
    if ending != nil { return }
    send(.blank)
    end()
  }

  private func tellPage(isLoaded: Bool) {
    guard let view = views.last else { return }
    let address = PageAddress(failure?.uri ?? view.uri)
    send(
      .page(
        WindowEvent.Page(
          origin: address.origin, isSecure: address.connection == .secure && failure == nil,
          isLoaded: isLoaded && failure == nil, fault: failure?.fault)))
  }

  private func showProgress() {
    guard let view = views.last else { return }
    let isLoading = view.isLoading && failure == nil
    frame?.titleBar.update(canGoBack: canGoBack, isLoading: isLoading)
    frame?.show(progress: isLoading ? view.progress : nil)
  }

  private func show(_ fault: PageFault, uri: String, in view: WebView) {
    if view !== views.last { return }
    watch.stop()
    frame?.offerBar.hide()
    let page = FailurePage(fault, ways: waysOn, ask)
    failure = (page, fault, uri)
    frame?.show(page.widget)
    page.takeFocus()
    frame?.address.show(PageAddress(""))
    showProgress()
    tellPage(isLoaded: false)
    appear()
  }

  /// What the user can do where a page is not there.
  private var waysOn: [TitleBar.Request] {
    [.reloadOrStop] + (opening.offersBrowser ? [.openInBrowser] : [])
      + (opening.hasNoClose ? [] : [.cancel])
  }

  /// Puts the page back into its place.
  private func clearFailure() {
    guard failure != nil, let view = views.last else { return }
    frame?.show(view.widget)
    failure = nil
    showProgress()
  }
}
