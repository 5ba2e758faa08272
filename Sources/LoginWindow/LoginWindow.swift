import Desktop
import GLibSupport
import LoginCore
import LoginWays
import Wording

/// The window in which a user signs in: pages of others in a frame of ours, or a page of ours while the login goes on
/// elsewhere.
@GLibActor
final class LoginWindow {
  let opening: WindowOpening
  let send: @GLibActor (WindowEvent) -> Void
  private(set) var frame: WindowFrame?
  /// The page, and above it those that it has opened.
  var views: [WebView] = []
  /// What is shown in place of a page, and why.
  var failure: (page: FailurePage, load: FailedLoad)?
  /// What is shown in place of all pages while the login goes on elsewhere.
  private var elsewhere: OwnPage?
  private var appearance: Source?
  /// The page that was asked for; nothing as long as it is not known.
  private var start: String?
  /// Whether anything but the empty page has been heard of.
  var hasPage = false
  /// The page that this window itself has asked for last.
  private(set) var destination = ""
  /// What ends it when all is over, whether or not everything is written.
  private var ending: Source?
  /// Whether the window stays out of sight, and what notices that nobody can go on there.
  private(set) var isHidden: Bool
  private var isPlaced = false
  /// How large the user wants the window and its pages, of which the caller is told.
  var layout: WindowLayout {
    didSet { if layout != oldValue { send(.arranged(layout)) } }
  }
  /// What waits for the user to say whether a form is sent once more.
  var resending: PolicyAnswer?
  /// The wait for a page that takes its time, and whether the caller has been told.
  var slowness: Source?
  var isSlow = false
  /// What reminds of a window that nobody looks at.
  private var reminder: Source?
  /// Whether something has been typed since the page has come.
  var hasTyped = false
  let stillness = Stillness()
  let watch: BlankWatch

  /// A login that needs nobody has ended by then, and never shows a window.
  private static let delay = Duration.milliseconds(800)
  /// Who is called to a window looks at it by then; a desktop may have kept it behind others.
  private static let patience = Duration.seconds(10)

  init(_ opening: WindowOpening, send: @escaping @GLibActor (WindowEvent) -> Void) {
    self.opening = opening
    self.send = send
    isHidden = opening.isHidden
    watch = BlankWatch(mayReopen: opening.canBeReopened)
    layout = opening.layout
    frame = WindowFrame(opening, ask) { [weak self] in self?.layout.size = $0 }
    frame?.escape?.isSilent = { [weak self] in self?.pageIsSilent($0) }
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
    view.zoom = layout.zoom
    watch.watchTouches(of: view)
    frame?.add(view.widget)
    // An empty page has WebKit start the processes that any page needs.
    if let url = opening.url { go(to: url) } else { view.load(WebView.emptyPage) }
  }

  /// Goes to the page, and becomes visible when it is there or takes its time.
  private func go(to url: String) {
    guard start == nil, let view = views.first else { return }
    start = url
    load(url, in: view)
    appearance = .timer(every: Self.delay) { [weak self] in self?.appear() }
  }

  /// Has a view go to a page.
  func load(_ url: String, in view: WebView) {
    destination = url
    view.load(url)
    showAddress()
  }

  /// Has a page come that is not there, or is not there any more.
  func bringBack(_ view: WebView, after failure: FailedLoad) {
    guard failure.hasEnded, view.comeBack(to: failure.uri) else {
      return load(failure.isOfForm || failure.uri.isEmpty ? firstPage : failure.uri, in: view)
    }
    frame?.offerBar.hide()
    destination = failure.uri
    showAddress()
  }

  /// The page to go to once more where nothing says which.
  var firstPage: String { start ?? opening.url ?? "" }

  /// Does what the caller asks for.
  func obey(_ command: WindowCommand) {
    switch command {
    case .open, .check: break  // there is one page a window
    case .go(let url): go(to: url)
    case .raise: appear(inFront: true)
    case .show: reveal()
    case .cancel: close(by: .caller)
    case .accept: end()
    case .ask(let question):
      leave(for: HandoverPage(question, in: opening, ask) { [weak self] in self?.send(.pasted(text: $0)) })
    case .deadline(let time): frame?.deadlineBar.count(time)
    case .unopened: if !views.isEmpty { frame?.offerBar.show(.unopened) }
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
    showAddress()
    frame?.titleBar.leavePages()
    frame?.show(progress: nil)
    appear()
    OwnCode.release()
  }

  /// Says whose page can be seen, whatever has happened: a page of others is never there without that, and never has
  /// the address of one that is still on its way.
  func showAddress() {
    frame?.view = views.last
    guard failure == nil, elsewhere == nil, let view = views.last else {
      frame?.showNoAddress()
      return
    }
    if let address = view.address {
      frame?.show(address)
    } else {
      frame?.showConnecting(to: PageAddress(destination))
    }
  }

  /// Becomes visible, unless there is nothing to be seen. Where the user has put it since, and what they look at in the
  /// meantime, changes only if the caller wants it in front: a page that arrives takes no keyboard away.
  func appear(inFront: Bool = false) {
    appearance = nil
    if isHidden || start == nil && elsewhere == nil { return }
    if let parent = opening.parent, !isPlaced, let objection = frame?.belong(to: parent) {
      send(.warning(objection.words.source))
    }
    if !isPlaced { reminder = .timer(every: Self.patience) { [weak self] in self?.remind() } }
    isPlaced = true
    if let frame, inFront || !frame.isVisible { frame.present() }
  }

  /// Tells a user who is not there that the login waits, once.
  private func remind() {
    reminder = nil
    guard !isHidden, let frame, !frame.hasAttention else { return }
    DesktopNotification.show(frame.title, DesktopText.waiting.text)
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
    guard let folder = opening.session else { OwnGroup.end() }
    ending = .timer(every: WindowOpening.writing) { [send] in
      send(.warning(WindowRefusal.unwritten.source))
      OwnGroup.end()
    }
    let views = self.views
    self.views = []
    GLibActor.task {
      await KeptData.write(views, in: folder)
      OwnGroup.end()
    }
  }

  /// Tells that it is closed, and ends.
  func close(by closer: WindowEvent.Closer) {
    if ending != nil { return }
    send(.closed(by: closer, fault: fault))
    end()
  }

  /// Ends, since no page may be shown.
  func refuse(_ reason: String) {
    send(.failed(error: "no_sandbox", description: reason))
    OwnGroup.end()
  }

  /// Ends, to be started again with what comes next.
  func reopen() {
    if ending != nil { return }
    send(.blank)
    end()
  }
}
