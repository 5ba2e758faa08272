import CWebKitGTK
import GLibSupport
import LoginCore
import WindowProtocol

/// A view of one page. It asks the policy about every navigation and reports what happens.
@GLibActor
final class WebView {
  enum Event {
    /// A navigation to a redirect URI was requested, and not made.
    case callback(uri: String, mainFrame: Bool?)
    /// The provider shows an error on its own error page.
    case errorPage(uri: String, body: String?)
    /// Another page has begun to arrive.
    case committed
    /// A page is complete.
    case loaded
    /// A navigation away from the page had no effect.
    case stayed
    /// The progress of the page has changed, or the way back.
    case progressed
    /// The page could not be shown.
    case failed(FailedLoad)
    /// The page was ended because it did not respond to an action of the user.
    case hung(FailedLoad, Action)
    /// A form that was sent before would be sent again.
    case wantsToResend(PendingDecision)
    /// The page has opened another view.
    case opened(WebView)
    /// The page has closed itself.
    case closed
    /// The page, or one that it has opened, asks for passkeys.
    case askedForPasskey
    /// The user has entered something into the page, or into one that it has opened.
    case typed
    /// The user has clicked in the page, or in one that it has opened, or pressed Return.
    case clicked
    /// The page, or a frame in it, calls another program.
    case calledProgram
    /// A script of the page shows a message or asks a question.
    case said(ScriptDialog)
    /// The page, or a frame in it, wants something that this window cannot do.
    case lacked(Feature)
    /// A server asks for the client's certificate, or the certificate's token for its PIN.
    case wantsCertificate(CertificateRequest)
    /// WebKit has dropped a load together with the server's request for a certificate.
    case dropped
    /// The page's process is not in a sandbox, for this reason.
    case unsandboxed(String)
  }

  /// A feature of browsers that this window does not have.
  enum Feature { case printing, uploads, saving }

  /// An action of the user to which a hung page does not respond.
  enum Action { case stop, reload, back }

  let pointer: UnsafeMutablePointer<WebKitWebView>
  let context: WebContext
  let policy: NavigationPolicy
  let filter: RedirectFilter
  private let handle: @GLibActor (WebView, Event) -> Void
  /// True if another page has opened this view.
  let isOpened: Bool
  /// Views that the page has opened and that are not ready to be shown yet.
  var unshownViews: [WebView] = []

  /// The address of the page that can be seen here. It changes only when the next
  /// page arrives, while WebKit's own address of the view changes earlier.
  private(set) var address: PageAddress?
  /// The server's response for the page, or nil for a page from WebKit's cache.
  private(set) var response: PageResponse?
  /// The server's response for the next page.
  var nextResponse: PageResponse?
  /// The names of the fields that are kept of a page's response.
  var keptFields: [String] = []
  /// The address at which the page arrived. A script may have given the page another one since.
  private(set) var arrivedURI = ""
  /// A failure that came while another view was in front of this one.
  var missedFailure: FailedLoad?
  /// The failure that replaced the page when its process ended.
  private(set) var processEnd: FailedLoad?
  /// True once a part of the page that is being loaded has arrived.
  private(set) var hasBegun = false
  /// True until WebKit starts the load that it was told to make. Until then its address of the view is
  /// already the new one.
  var isLoadRequested = false

  // Navigations to a redirect URI: see WebView+Navigation.swift.

  /// Callbacks that are let through, to learn whether the page itself or a frame made them.
  var probes: [Int: (uri: [UInt8], timer: Source)] = [:]
  var probeCount = 0
  /// Callbacks that came while others were being probed.
  var waitingProbes: [(uri: [UInt8], decision: PendingDecision)] = []
  /// The last callback that was reported. WebKit may report it a second time, as a failed load.
  var lastReported: (uri: [UInt8], mainFrame: Bool?)?

  // Addresses that are not loaded: see WebView+Navigation.swift.

  /// Wrong addresses that the filter blocks, each with the reason.
  var blocked: [[UInt8]: PageRefusal] = [:]
  /// The refusal of the last blocked address that a server redirected to.
  var blockedRedirect: PageRefusal?
  /// The number of blocked addresses, including those whose filter is not in place yet.
  var blockedCount = 0
  /// The address to which the page has last sent a form, if it has made no other navigation since.
  var formTarget: [UInt8]?

  // Loads: see WebView+Loading.swift.

  /// The address that was loaded again because WebKit lost its connection, until a page arrives.
  var retriedURI: [UInt8]?
  /// True if a server has asked for a password since the last navigation.
  var wantsPassword = false
  /// The host that has asked for a certificate since the last navigation, and got none.
  var hostWithoutCertificate: String?
  /// True if WebKit has cancelled a request for a certificate, and with it the load, until that fails or the page arrives.
  /// WebKit cancels any request when a load starts. If the server's request comes before the news of the start, which
  /// another process of WebKit sends, it is that of the load itself.
  var hasLostCertificateRequest = false
  /// The load that has failed for this reason.
  var droppedLoad: FailedLoad?
  /// The state of painting, and the timer for a navigation that may have no effect.
  var firstPaint = FirstPaint()
  var leaveTimer: Source?

  /// The user's last action, and the timer for a page that may not respond.
  private var action = Action.stop
  private var hangTimer: Source?

  /// A page that is only busy responds within this time.
  private static let hangTimeout = Duration.seconds(3)

  static let emptyPage = "about:blank"

  /// Makes a view without a page.
  init(_ context: WebContext, policy: NavigationPolicy, handle: @escaping @GLibActor (WebView, Event) -> Void)
  {
    self.context = context
    pointer = context.makeView().cast()
    self.policy = policy
    self.handle = handle
    isOpened = false
    filter = RedirectFilter(policy, of: pointer)
    prepare()
    // Views that this one opens share these scripts.
    PasskeyDetector.watch(pointer) { [weak self] in self?.tell(.askedForPasskey) }
    InputDetector.watch(
      pointer, typing: { [weak self] in self?.tell(.typed) },
      clicking: { [weak self] in self?.tell(.clicked) })
  }

  /// Makes a view that another one opens. The page knows its opener and shares a process with it.
  init(openedBy opener: WebView) {
    context = opener.context
    pointer = webkit_web_view_new_with_related_view(opener.pointer).cast()
    policy = opener.policy
    filter = opener.filter  // WebKit shares the opener's filters with the view
    handle = opener.handle
    isOpened = true
    // It starts with an empty page, into which the opener can write.
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
    watchTab()
    denyPermissions()
  }

  var widget: Widget { pointer.cast() }

  func tell(_ event: Event) { handle(self, event) }

  /// Checks that the page's process is in a sandbox. Called before anything is sent, and again when a page
  /// arrives, since WebKit may use another process for it.
  func isSandboxed() -> Bool {
    guard let breach = Sandbox.breach else { return true }
    tell(.unsandboxed(breach))
    return false
  }

  /// WebKit has begun to load something.
  func loadStarted() {
    (isLoadRequested, nextResponse, hasBegun, droppedLoad) = (false, nil, false, nil)
    pageLeaves()
  }

  /// Another page has replaced the one before.
  func pageArrived() {
    guard isSandboxed() else { return }
    let resource = webkit_web_view_get_main_resource(pointer)
    let uri = isLoadRequested ? resource.map { String(cString: webkit_web_resource_get_uri($0)) } ?? "" : uri
    // The empty page that a view starts with does not count, unless an opener may have written into it.
    let isPage = isOpened || address != nil || uri != Self.emptyPage
    address = isPage ? PageAddress(uri, from: address) : nil
    arrivedURI = uri
    (hasBegun, missedFailure, processEnd, hangTimer, leaveTimer, retriedURI) = (true, nil, nil, nil, nil, nil)
    hasLostCertificateRequest = false
    firstPaint.pageArrived()
    response = nextResponse
    tell(.committed)
  }

  /// The page's process has ended, and the page with it.
  func processEnded(_ end: PageFault.ViewEnd) {
    (address, hangTimer) = (nil, nil)
    let load = FailedLoad(fault: .viewEnded(end), uri: uri, isOfForm: Array(uri.utf8) == formTarget)
    processEnd = load
    tell(end == .silence ? .hung(load, action) : .failed(load))
  }
}

extension WebView {
  /// WebKit's address of the view, which becomes that of the next page as soon as that is on its way. Empty
  /// if it was cut off before its host.
  var uri: String {
    guard let uri = webkit_web_view_get_uri(pointer).map(Array.init(address:)), !uri.lacksHost else {
      return ""
    }
    return String(decoding: uri, as: UTF8.self)
  }

  /// The part of the page that has arrived, from 0 to 1.
  var progress: Double { webkit_web_view_get_estimated_load_progress(pointer) }

  var isLoading: Bool { webkit_web_view_is_loading(pointer) != 0 }

  /// True if the empty page was loaded last, or is being loaded.
  var isEmpty: Bool {
    guard let resource = webkit_web_view_get_main_resource(pointer) else { return uri == Self.emptyPage }
    return String(cString: webkit_web_resource_get_uri(resource)) == Self.emptyPage
  }

  /// True if there is a page before this one, other than the empty page that the view started with.
  var canGoBack: Bool {
    let list = webkit_web_view_get_back_forward_list(pointer)
    guard let item = webkit_back_forward_list_get_back_item(list) else { return false }
    return String(cString: webkit_back_forward_list_item_get_uri(item)) != Self.emptyPage
  }

  /// The zoom of pages in percent.
  var zoom: Int {
    get { Int((webkit_web_view_get_zoom_level(pointer) * 100).rounded()) }
    set { webkit_web_view_set_zoom_level(pointer, Double(newValue) / 100) }
  }

  func load(_ uri: String) {
    isLoadRequested = true
    webkit_web_view_load_uri(pointer, uri)
  }

  func goBack() {
    endIfHung(.back)
    webkit_web_view_go_back(pointer)
  }

  /// Loads the page again. The user is asked first if that sends a form again.
  func reload() {
    endIfHung(.reload)
    webkit_web_view_reload(pointer)
  }

  func stop() {
    endIfHung(.stop)
    webkit_web_view_stop_loading(pointer)
  }

  /// Loads the page of a process that has ended, from WebKit's history. Returns false if the process ended
  /// before the page arrived, so that it is not in the history.
  func comeBack(to uri: String) -> Bool {
    let list = webkit_web_view_get_back_forward_list(pointer)
    guard let item = webkit_back_forward_list_get_current_item(list),
      String(cString: webkit_back_forward_list_item_get_uri(item)) == uri
    else { return false }
    webkit_web_view_go_to_back_forward_list_item(pointer, item)
    return true
  }

  /// Ends the page's process if the page does not respond, since the action would have no effect. WebKit
  /// itself calls such a process responsive.
  private func endIfHung(_ action: Action) {
    self.action = action
    if hangTimer != nil { return }
    hangTimer = .after(Self.hangTimeout) { [weak self] in
      guard let self else { return }
      hangTimer = nil
      webkit_web_view_terminate_web_process(pointer)
    }
    ask("true") { [weak self] _ in self?.hangTimer = nil }
  }
}
