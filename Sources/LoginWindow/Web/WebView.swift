import CWebKitGTK
import GLibSupport
import LoginCore
import LoginWays

/// One view of a page. It asks the policy about every navigation, and tells what comes of them.
@GLibActor
final class WebView {
  /// What happens in a view.
  enum Event {
    /// A navigation to a redirect URI was wanted, and not made.
    case callback(uri: String, mainFrame: Bool?)
    /// The provider shows an error on a page of its own.
    case errorPage(uri: String, body: String?)
    /// Another page has begun to arrive.
    case committed
    /// A page is complete.
    case loaded
    /// A page that might have been left is not.
    case stayed
    /// How far it is, or whether there is a way back, has changed.
    case progressed
    /// The page is not there.
    case failed(FailedLoad)
    /// The page is not there any more, since it did not answer to a wish.
    case hung(FailedLoad, Wish)
    /// A form that was sent would be sent once more.
    case wantsToResend(PolicyAnswer)
    /// The page has opened another one.
    case opened(WebView)
    /// The page has closed itself.
    case closed
    /// The page, or one that it has opened, wants to know whether there are passkeys.
    case askedForPasskey
    /// Something was put into the page, or into one that it has opened.
    case typed
    /// The page, or a frame inside it, wants another program to do something.
    case calledProgram
    /// The process that draws pages is not in a sandbox, and why.
    case unprotected(String)
  }

  /// What is asked of a page.
  enum Wish { case stop, reload, back }

  let pointer: UnsafeMutablePointer<WebKitWebView>
  let policy: NavigationPolicy
  private let filter: RedirectFilter
  private let handle: @GLibActor (WebView, Event) -> Void
  /// Navigations that are allowed and come to nothing: the page's own if their load fails, and a frame's if
  /// nothing happens.
  private var candidates: [Int: (uri: [UInt8], timer: Source)] = [:]
  private var candidateCount = 0
  /// Navigations that came while others were awaited.
  private var waiting: [(uri: [UInt8], answer: PolicyAnswer)] = []
  /// Wrong addresses that are kept from being loaded, and what is wrong with them.
  private var refused: [[UInt8]: PageRefusal] = [:]
  /// What is wrong with the last of them to which a server has led.
  private var refusedRedirect: PageRefusal?
  /// How many there are with those that are not kept from it yet.
  private var refusedCount = 0
  /// The last callback that was reported, of which WebKit may tell once more as a load that failed.
  private var reported: (uri: [UInt8], mainFrame: Bool?)?
  /// Whether a page has opened this one.
  private let isOpened: Bool

  /// Views of pages that this one opens, until they are ready to be shown.
  var opening: [WebView] = []

  /// Whose page can be seen here; nothing if there is none. Of a page that is on its way it says nothing yet, whatever
  /// the view calls its address by then.
  private(set) var address: PageAddress?
  /// What the server said of the page; nothing of one that was kept.
  private(set) var answer: PageAnswer?
  /// The same of the page that is on its way.
  private var coming: PageAnswer?
  /// What has failed while another view was in front of this one.
  var missed: FailedLoad?
  /// What has been loaded once more, until a page comes.
  private var lost: [UInt8]?
  /// Where a form was sent last, if the page has asked for nothing else since.
  private var formTarget: [UInt8]?
  /// Whether a server has wanted a password since the last navigation was asked about.
  private(set) var wantsPassword = false
  /// Whether what is loaded has begun to arrive.
  private(set) var hasBegun = false
  /// What is asked of the page, and the wait for one that may not answer any more.
  var wish = Wish.stop
  var silence: Source?
  /// Why there is no page where one was.
  private(set) var end: FailedLoad?
  /// Whether the page is painted, and the wait for what comes of a navigation that may be its own.
  var firstPaint = FirstPaint()
  var departure: Source?
  /// Whether WebKit has not yet begun with what it was told to load: until then the view has the address of that.
  var isAsked = false

  /// How long WebKit may take to fail a load that comes to nothing. It takes some milliseconds.
  private static let patience = Duration.milliseconds(500)

  /// A page that leads to more wrong addresses than this is told no more of them.
  private static let maximumRefused = 20

  /// A view without a page.
  init(
    _ browsing: Browsing, policy: NavigationPolicy, handle: @escaping @GLibActor (WebView, Event) -> Void
  ) {
    pointer = browsing.makeView().cast()
    self.policy = policy
    self.handle = handle
    isOpened = false
    filter = RedirectFilter(policy, of: pointer)
    prepare()
    // What is shared with views that are opened includes this, too.
    PasskeyNotice.watch(pointer) { [weak self] in self?.tell(.askedForPasskey) }
    TypingNotice.watch(pointer) { [weak self] in self?.tell(.typed) }
  }

  /// A view that another has opened, which it knows as its opener and shares a process with.
  init(openedBy opener: WebView) {
    pointer = webkit_web_view_new_with_related_view(opener.pointer).cast()
    policy = opener.policy
    filter = opener.filter  // what is shared with the opener includes its filters
    handle = opener.handle
    isOpened = true
    // Before anything is loaded there is an empty page, into which the opener can write.
    address = opener.address.map(PageAddress.init(inheritedFrom:))
    prepare()
  }

  isolated deinit {
    gtk_widget_destroy(widget)
    g_object_unref(pointer)
  }

  private func prepare() {
    g_object_ref_sink(pointer)
    gtk_widget_show(widget)
    watchNavigations()
    watchLoads()
    watchPainting()
    denyWhatNoLoginNeeds()
  }

  /// The view as a part of a window.
  var widget: Widget { pointer.cast() }

  func tell(_ event: Event) { handle(self, event) }

  /// Answers whether a navigation may be made. What is a callback is told and not made.
  func judge(_ navigation: Navigation, _ answer: PolicyAnswer) {
    if address == nil, !isProtected() { return }
    if navigation.isMainFrame != false {
      wantsPassword = false
      // What may be a frame's takes the place of the page's form only if it goes there as well.
      if navigation.sendsForm {
        formTarget = navigation.uri
      } else if navigation.isMainFrame == true || navigation.uri == formTarget {
        formTarget = nil
      }
    }
    // The user could not be told whose page that is.
    if navigation.uri.lacksHost { return answer.give(false) }
    // There was an empty page before the first one, and nobody wants to go back to that.
    if navigation.isBack, navigation.uri == Array(Self.emptyPage.utf8) { return answer.give(false) }
    switch policy.decision(for: navigation.uri) {
    case .allow, .errorPage:
      guard navigation.isMainFrame != false, let refusal = policy.nearMiss(navigation.uri) else {
        // WebKit does not say so of what it loads again after the end of its process. There is no page then that could
        // send anything.
        let isAgain = navigation.resendsForm || end != nil && navigation.sendsForm && !navigation.isRedirect
        return isAgain ? tell(.wantsToResend(answer)) : allow(navigation, answer)
      }
      refuse(navigation, refusal, answer)
    case .ignore where navigation.isWeb:
      if navigation.isMainFrame != false { refuse(navigation, policy.refusal(of: navigation.uri), answer) }
    // Nothing can be loaded there, and WebKit tells of that if it was the page itself that wanted to go.
    case .ignore where navigation.isEngines: break
    case .ignore where !navigation.callsProgram && policy.mayBeMeant(navigation.uri):
      allow(navigation, answer)
    case .ignore: tell(.calledProgram)
    case .callback:
      // A page that was opened, or is to be, may be anybody's, as a frame may: the user sees the page that opened it.
      if isOpened || navigation.opensWindow { return report(navigation.uri, mainFrame: false) }
      // Of a redirect WebKit tells whose it is. A script, a link or a form says nothing, so it is let go where
      // nothing can be loaded. What else tells nothing either: the frame's name, the kind of navigation, the
      // address and the progress of the view, and the header fields, in which a frame's may be the page's.
      let comesToNothing = navigation.isWeb ? !navigation.isRedirect && filter.isInPlace : true
      // What is too long for an answer is none, and WebKit would take its time and much memory to fail it.
      guard comesToNothing, !navigation.uri.isTooLong else {
        return report(navigation.uri, mainFrame: navigation.isMainFrame)
      }
      // The first of several counts. WebKit would give one up for the next and tell of the last one alone.
      if candidates.isEmpty {
        letGo(navigation.uri, answer)
      } else {
        waiting.append((navigation.uri, answer))
      }
    }
  }

  /// Lets a navigation be made, with which the page is left, unless it is a frame's or leads to a place in the page.
  private func allow(_ navigation: Navigation, _ answer: PolicyAnswer) {
    let isOutside = !navigation.opensWindow && !navigation.isInside(Array(uri.utf8))
    if navigation.isMainFrame != false, isOutside { mayLeave() }
    answer.give(true)
  }

  /// Does not go to a wrong address, of which the user is told if it was the page itself that wanted to. Where WebKit
  /// does not say whose navigation it is, it is let go as soon as nothing can be loaded there.
  private func refuse(_ navigation: Navigation, _ refusal: PageRefusal, _ answer: PolicyAnswer) {
    if navigation.isMainFrame == true { return tell(.failed(FailedLoad(fault: .refused(refusal)))) }
    if refused[navigation.uri] == nil {
      if refusedCount == Self.maximumRefused { return }
      refusedCount += 1
    }
    GLibActor.task { [weak self] in
      guard let self else { return }
      if refused[navigation.uri] == nil, await !filter.block(navigation.uri) {
        return tell(.failed(FailedLoad(fault: .refused(refusal))))
      }
      refused[navigation.uri] = refusal
      if navigation.isRedirect { refusedRedirect = refusal }
      allow(navigation, answer)
    }
  }

  /// A load has failed: of the page itself, since WebKit does not tell of frames. Where the rules have kept it from being
  /// loaded after a redirect, WebKit tells of the address that led there.
  func loadFailed(_ uri: [UInt8], _ fault: PageFault?, isBlocked: Bool = false) {
    switch policy.decision(for: uri) {
    case .callback:
      let isAwaited = candidates.contains { $0.value.uri == uri }
      candidates = candidates.filter { $0.value.uri != uri }
      // WebKit also tells that it was interrupted where we have just told it not to go. What took it too long was not
      // a frame's after all.
      let isNews = isAwaited || uri != reported?.uri || reported?.mainFrame == false && !isOpened
      if isNews { report(uri, mainFrame: !isOpened) }
      awaitNext()
    case .errorPage(let page): tell(.errorPage(uri: page, body: nil))
    case .allow, .ignore:
      if let refusal = refused[uri] ?? (isBlocked ? refusedRedirect : nil) {
        return tell(.failed(FailedLoad(fault: .refused(refusal))))
      }
      guard let fault else { return }
      if case .refused = fault { return tell(.failed(FailedLoad(fault: fault))) }
      tell(
        .failed(
          FailedLoad(
            fault: fault, uri: String(decoding: uri, as: UTF8.self), isOfForm: uri == formTarget)))
    }
  }

  /// Loads a page once more whose connection was lost to WebKit itself; false if that has come to nothing before, or would
  /// send a form.
  ///
  /// WebKit connects to a host before it asks for the page, which takes that connection over. If it fails then, as it
  /// does where the certificate is not to be trusted, on a busy machine the one may be cancelled with the other before
  /// anybody has said why.
  func loadsOnceMore(_ uri: [UInt8]) -> Bool {
    guard lost != uri, uri != formTarget, refused[uri] == nil, case .allow = policy.decision(for: uri) else {
      return false
    }
    lost = uri
    load(String(decoding: uri, as: UTF8.self))
    return true
  }

  /// Whether there is a sandbox around the page. Asked before anything is sent, and again when a page is there, since
  /// WebKit may have another process draw it.
  private func isProtected() -> Bool {
    guard let breach = Sandbox.breach else { return true }
    tell(.unprotected(breach))
    return false
  }

  /// WebKit has begun to load something.
  func began() {
    (isAsked, coming, hasBegun) = (false, nil, false)
    leaves()
  }

  /// A server wants a password before it sends something, for which there is no dialog. WebKit's process for the network
  /// says so, and that for the page that it has begun: which of them is heard first is open.
  func askedForPassword() { wantsPassword = true }

  /// Whether an answer may become the page. What it is instead is told.
  func accepts(_ answer: PageAnswer) -> Bool {
    let isErrorPage = if case .errorPage = policy.decision(for: Array(uri.utf8)) { true } else { false }
    if !isErrorPage, let refusal = answer.refusal {
      tell(.failed(FailedLoad(fault: .refused(refusal))))
      return false
    }
    coming = answer
    return true
  }

  /// Another page has taken the place of the one before.
  func arrived() {
    guard isProtected() else { return }
    let resource = webkit_web_view_get_main_resource(pointer)
    let uri = isAsked ? resource.map { String(cString: webkit_web_resource_get_uri($0)) } ?? "" : uri
    // The empty page that a view begins with is no page, unless another has opened it and may have written it.
    let isPage = isOpened || address != nil || uri != Self.emptyPage
    address = isPage ? PageAddress(uri, from: address) : nil
    (hasBegun, missed, end, silence, departure, lost) = (true, nil, nil, nil, nil, nil)
    firstPaint.pageArrived()
    answer = coming
    tell(.committed)
  }

  /// The process that drew the page has gone, and the page with it.
  func ended(_ end: PageFault.ViewEnd) {
    (address, silence) = (nil, nil)
    let load = FailedLoad(fault: .viewEnded(end), uri: uri, isOfForm: Array(uri.utf8) == formTarget)
    self.end = load
    tell(end == .silence ? .hung(load, wish) : .failed(load))
  }

  /// Lets a navigation go that comes to nothing, to see whether WebKit tells of that.
  private func letGo(_ uri: [UInt8], _ answer: PolicyAnswer) {
    candidateCount += 1
    let number = candidateCount
    let timer = Source.timer(every: Self.patience) { [weak self] in
      guard let self, let (uri, _) = candidates.removeValue(forKey: number) else { return }
      report(uri, mainFrame: false)
      awaitNext()
    }
    candidates[number] = (uri, timer)
    mayLeave()
    answer.give(true)
  }

  /// Lets those go that have waited for the ones before them.
  private func awaitNext() {
    guard candidates.isEmpty else { return }
    let next = waiting
    waiting = []
    for (uri, answer) in next { letGo(uri, answer) }
  }

  private func report(_ uri: [UInt8], mainFrame: Bool?) {
    reported = (uri, mainFrame)
    tell(.callback(uri: String(decoding: uri, as: UTF8.self), mainFrame: mainFrame))
  }
}
