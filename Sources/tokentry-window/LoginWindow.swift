import GLibSupport
import Language
import LoginCore
import Platform
import WindowProtocol

/// The window in which the user signs in. It shows web pages in a frame, or a page of our own while the login
/// goes on elsewhere.
@GLibActor
final class LoginWindow {
  let opening: WindowOpening
  let send: @GLibActor (WindowEvent) -> Void
  private(set) var frame: WindowFrame?
  /// The views of web pages: the first one, and above it those that pages have opened.
  var views: [WebView] = []
  /// The page about a failure that is shown in place of the last view.
  var failure: (page: QuestionPage, report: String, load: FailedLoad)?
  /// The page that is shown in place of all views while the login goes on in a browser or on another device.
  private(set) var nativePage: QuestionPage?
  /// The question in front of the views, which wait for its answer.
  var question: QuestionPage?
  /// The requests of servers and tokens that the caller has not answered yet.
  var certificateRequests: [(request: CertificateRequest, view: WebView)] = []
  /// The certificates that the caller has given hosts, or nil for a host that gets none.
  var certificates: [String: TLSCertificate?] = [:]
  /// Views whose load waits for a PIN that the user did not give. They live as long as the window.
  var viewsWithoutPIN: [WebView] = []
  /// The page that the caller has asked for.
  private var start: String?
  /// The page that this window itself has requested last.
  private(set) var destination = ""
  /// True once there has been an event of a page other than the empty one.
  var hasPage = false
  private(set) var isHidden: Bool
  private var policy: NavigationPolicy?
  /// True once the window has been shown.
  private var isPlaced = false
  /// The size and zoom that the user has chosen. The caller is told.
  var layout: WindowLayout {
    didSet { if layout != oldValue { send(.arranged(layout)) } }
  }
  /// The navigation that would send a form again, while the user is asked.
  var resending: PendingDecision?
  /// The message or question of the page that is shown.
  var dialog: ScriptDialog?
  /// The host whose messages were shown last, and their number.
  var messages = (host: "", count: 0)
  /// The host whose messages the user does not want.
  var silencedHost: String?
  /// True if the user has typed something into the page.
  var hasTyped = false
  /// True from the user's first input in this login on: text, a click, or an answer. Also true while the login goes on
  /// elsewhere, or waits for the answer to a question. Then no key ends the login without a question.
  var isUnderWay = false
  let hiddenPageWatch = HiddenPageWatch()
  let blankWatch: BlankWatch

  private(set) var finalPageWatch: FinalPageWatch?
  private var appearTimer: Source?
  private var reminderTimer: Source?
  private var endTimer: Source?
  private var explanationTimer: Source?
  /// Runs while a page is loading. See `watchSlowness`.
  var slownessTimer: Source?
  /// True once the page was found to be slow.
  var isSlow = false
  /// Runs while a page is complete. See `watchAnswers`.
  var answerTimer: Source?

  /// A login that does not need the user ends within this time, and never shows a window.
  private static let appearDelay = Duration.milliseconds(800)
  /// A window that does not have the keyboard by then may be behind others, so the user is reminded.
  private static let reminderDelay = Duration.seconds(10)
  /// Long enough to read why a login has failed.
  private static let explanationTime = Duration.seconds(10)

  init(_ opening: WindowOpening, send: @escaping @GLibActor (WindowEvent) -> Void) {
    self.opening = opening
    self.send = send
    isHidden = opening.options.isHidden
    blankWatch = BlankWatch(mayReopen: opening.canBeReopened)
    layout = opening.options.layout
    frame = WindowFrame(opening, act) { [weak self] in self?.layout.size = $0 }
    blankWatch.found = { [weak self] in self?.blankWatchFound($0) }
    blankWatch.coveredHeight = { [weak self] in self?.frame?.coveredHeight }
  }

  /// Starts WebKit, and loads the page if it is known yet.
  func open(_ policy: NavigationPolicy) {
    self.policy = policy
    let languages =
      opening.options.languages.isEmpty ? ProcessEnvironment.languages : opening.options.languages
    let context = WebContext(
      languages: languages, trust: opening.options.trust, rendering: opening.options.rendering,
      keptIn: opening.options.session, negotiates: !opening.options.negotiate.isEmpty
    ) { [weak self] in self?.pageLacked(.saving) }
    let view = WebView(context, policy: policy) { [weak self] in self?.viewDid($1, in: $0) }
    views.append(view)
    if let page = opening.finalPage {
      finalPageWatch = FinalPageWatch(page, of: view, from: firstPage) { [weak self] in
        self?.send(.finalPage(uri: $0, values: $1))
      }
    }
    view.zoom = layout.zoom
    blankWatch.watchInput(into: view)
    // The empty page makes WebKit start the processes that any page needs.
    if let url = opening.url { go(to: url) } else { view.load(WebView.emptyPage) }
    // WebKit's processes start meanwhile.
    frame?.layOut(view.widget)
  }

  /// Loads the page. The window appears when the page is there, or takes its time.
  private func go(to url: String) {
    guard start == nil, let view = views.first else { return }
    start = url
    load(url, in: view)
    appearTimer = .after(Self.appearDelay) { [weak self] in self?.appear() }
  }

  func load(_ url: String, in view: WebView) {
    destination = url
    if let form = opening.form, url == firstPage { view.send(form, to: url) } else { view.load(url) }
    showAddress()
  }

  /// Loads a page again that could not be shown, or whose process has ended.
  func bringBack(_ view: WebView, after failure: FailedLoad) {
    guard failure.isProcessEnd, view.comeBack(to: failure.uri) else {
      return load(failure.isOfForm || failure.uri.isEmpty ? firstPage : failure.uri, in: view)
    }
    frame?.offerBar.hide()
    destination = failure.uri
    showAddress()
  }

  /// The page to load if a failure does not say which.
  var firstPage: String { start ?? opening.url ?? "" }

  /// Carries out a command of the caller.
  func obey(_ command: WindowCommand) {
    switch command {
    case .open, .check: break  // only valid as the first command
    case .go(let url): go(to: url)
    case .raise: appear(inFront: true)
    case .show: reveal()
    case .cancel: close(by: .caller)
    case .accept: end()
    case .ask(let question): ask(question)
    case .certificate(let host, let certificate): give(certificate, to: host)
    case .pin(let host, let pin): give(pin?.revealed(), to: host)
    case .deadline(let time): frame?.deadlineBar.count(time)
    case .unopened: if !views.isEmpty { frame?.offerBar.show(.unopened) }
    }
  }

  /// Shows why the login has failed, until the user closes the window or for a while. The caller may have ended.
  func explain(_ explanation: Question) {
    ask(explanation)
    isUnderWay = false  // the login has ended
    explanationTimer = .after(Self.explanationTime) { ProcessGroup.end() }
  }

  /// Asks the user, in front of the web pages or in their place.
  private func ask(_ question: Question) {
    // A key that closes a guarded question is the answer no.
    if !question.isGuarded { isUnderWay = true }
    // The question has its own button for no.
    if question.isGuarded { frame?.titleBar.hideCancel() }
    if question.isGuarded, frame?.isGuarded == false { frame?.guardAnswers { [send] in send(.painted) } }
    let page = QuestionPage(question, act, copy: { [weak self] in self?.frame?.copy($0) }) { [weak self] in
      guard let self, frame?.takesAnswers != false else { return false }
      send(.answered($0))
      return true
    }
    if question.isAboutPage, !views.isEmpty { cover(with: page) } else { leave(for: page) }
  }

  /// Replaces all web pages by a page of our own: a login must not go on in two places.
  private func leave(for page: QuestionPage) {
    frame?.show(page.widget)
    page.takeFocus()
    nativePage = page
    failure = nil
    blankWatch.stop()
    frame?.offerBar.hide()
    hiddenPageWatch.end()
    dialog = nil
    (views, finalPageWatch) = ([], nil)
    showAddress()
    frame?.titleBar.update(canGoBack: false)
    frame?.show(progress: nil)
    appear()
    WindowProcess.releaseStartupCode()
  }

  /// Signs in here after all, from the first page on. The caller still takes an answer from the browser.
  func signInHere() {
    guard let policy, nativePage != nil else { return }
    (nativePage, hasPage, hasTyped) = (nil, false, false)
    send(.switched(to: .window))
    let url = firstPage
    start = nil
    open(policy)
    go(to: url)
    if let view = views.last { frame?.show(view.widget) }
  }

  /// Updates the address bar. A web page is never visible without its address, nor with that of the page that
  /// follows it.
  func showAddress() {
    frame?.view = views.last
    guard failure == nil, nativePage == nil, question == nil, let view = views.last else {
      frame?.showNoAddress()
      return
    }
    if var address = view.address {
      address.server = opening.options.server
      frame?.show(address)
    } else {
      frame?.showConnecting(to: PageAddress(destination))
    }
  }

  /// Shows the window, unless it is empty or should stay hidden. A window that is visible already keeps its
  /// place, and comes to the front only if the caller wants that: a page that arrives must not take the
  /// keyboard.
  func appear(inFront: Bool = false) {
    appearTimer = nil
    if isHidden || start == nil && nativePage == nil { return }
    if let parent = opening.options.parent, !isPlaced,
      let objection = frame?.belong(to: parent, hasGone: { [weak self] in self?.parentHasGone() })
    {
      send(.warning(objection.description))
    }
    if !isPlaced { reminderTimer = .after(Self.reminderDelay) { [weak self] in self?.remind() } }
    isPlaced = true
    if let frame, inFront || !frame.isVisible { frame.present() }
  }

  /// Notifies, once, a user who is not looking at the window.
  private func remind() {
    reminderTimer = nil
    guard !isHidden, let frame, !frame.hasFocus else { return }
    DesktopNotification.show(frame.title, nativePage?.question.title.spoken ?? DesktopText.waiting.text)
  }

  private func reveal() {
    isHidden = false
    hiddenPageWatch.end()
    appear()
  }

  /// Hides the window, and ends the process once the session's data is written.
  private func end() {
    if endTimer != nil { return }
    (isHidden, appearTimer) = (true, nil)
    frame?.hide()
    guard let folder = opening.options.session, !waitsForPIN else { ProcessGroup.end() }
    endTimer = .after(WindowOpening.writing) { [send] in
      send(.warning(WindowRefusal.unwritten.description))
      ProcessGroup.end()
    }
    let (views, keepsSessionCookies) = (self.views, opening.options.keepsSessionCookies)
    self.views = []
    GLibActor.task {
      await WebContext.write(views, in: folder, sessionCookies: keepsSessionCookies)
      ProcessGroup.end()
    }
  }

  /// Ends, and tells the caller who closed the window.
  func close(by closer: WindowEvent.Closer) {
    if endTimer != nil || closer != .caller && frame?.takesAnswers == false { return }
    send(.closed(by: closer, fault: fault))
    end()
  }

  /// Ends because pages cannot be shown in a sandbox.
  func refuse(_ reason: String) {
    send(.failed(error: "no_sandbox", description: reason))
    ProcessGroup.end()
  }

  /// Ends; the caller starts the window again with other rendering.
  func reopen() {
    if endTimer != nil { return }
    send(.blank)
    end()
  }
}
