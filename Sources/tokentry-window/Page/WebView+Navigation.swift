import CWebKitGTK
import GLibSupport
import LoginCore
import WindowProtocol

/// Decides where a page may go. WebKit asks before every request; callbacks are reported and not requested.
extension WebView {
  /// WebKit takes some milliseconds to fail a load that cannot succeed. If it has not reported that by
  /// then, a frame made the navigation.
  private static let probeTimeout = Duration.milliseconds(500)

  /// The number of wrong addresses of one page that are reported. More are refused silently.
  private static let maximumBlocked = 20

  func watchNavigations() {
    typealias Body = @GLibActor (Navigation, PendingDecision) -> Void
    typealias Call =
      @GLibActor @convention(c) (
        gpointer, UnsafeMutablePointer<WebKitPolicyDecision>, WebKitPolicyDecisionType, gpointer
      ) -> gboolean
    let call: Call = { _, decision, type, data in
      guard let navigation = Navigation(decision, type) else { return 0 }
      Handler<Body>.body(data)(navigation, PendingDecision(decision))
      return 1
    }
    let body: Body = { [weak self] in self?.decide($0, $1) }
    connect(pointer, "decide-policy", call, body)
    watchResponses()
    watchWindows()
  }

  /// Allows or refuses a navigation. A callback is reported instead.
  private func decide(_ navigation: Navigation, _ decision: PendingDecision) {
    if address == nil, !isSandboxed() { return }
    if navigation.isMainFrame != false {
      (wantsPassword, hostWithoutCertificate) = (false, nil)
      // A navigation that may be a frame's replaces the form's target only if it goes there as well.
      if navigation.sendsForm {
        formTarget = navigation.uri
      } else if navigation.isMainFrame == true || navigation.uri == formTarget {
        formTarget = nil
      }
    }
    // The window could not show the user where the page comes from.
    if navigation.uri.lacksHost { return decision.refuse() }
    // The user does not mean the empty page that the view started with.
    if navigation.isBack, navigation.uri == Array(Self.emptyPage.utf8) { return decision.refuse() }
    switch policy.decision(for: navigation.uri) {
    case .allow, .errorPage:
      guard navigation.isMainFrame != false, let refusal = policy.nearMiss(navigation.uri) else {
        // WebKit does not mark a form as sent again when it loads a page whose process has ended. Then there
        // is no page that could send a new form.
        let isAgain =
          navigation.resendsForm || processEnd != nil && navigation.sendsForm && !navigation.isRedirect
        return isAgain ? tell(.wantsToResend(decision)) : allow(navigation, decision)
      }
      refuse(navigation, refusal, decision)
    case .ignore where navigation.isWeb:
      if navigation.isMainFrame != false { refuse(navigation, policy.refusal(of: navigation.uri), decision) }
    case .ignore where navigation.savesFile: tell(.lacked(.saving))
    case .ignore where navigation.isHandledByWebKit: break
    // WebKit cannot load this, and reports that if the page itself wanted to go there.
    case .ignore where !navigation.callsProgram && policy.mayBeMeant(navigation.uri):
      allow(navigation, decision)
    case .ignore: tell(.calledProgram)
    case .callback: handleCallback(navigation, decision)
    }
  }

  /// Reports a callback: at once if WebKit says that the page itself or a frame made it, else after a probe.
  ///
  /// WebKit says so for redirects only. A navigation by a script, a link or a form is therefore let through
  /// to where it cannot load: WebKit reports the failed load if it was the page's. Other sources do not tell
  /// either: the frame's name, the kind of navigation, the address and progress of the view, and the headers,
  /// which a frame may share with the page.
  private func handleCallback(_ navigation: Navigation, _ decision: PendingDecision) {
    // An opened page may belong to anyone, like a frame, and the user looks at the page that opened it.
    if isOpened || navigation.opensWindow { return report(navigation.uri, mainFrame: false) }
    let cannotLoad = navigation.isWeb ? !navigation.isRedirect && filter.isInPlace : true
    // An address that is too long is not a valid answer, and WebKit would take much time and memory to fail
    // it.
    guard cannotLoad, !navigation.uri.isTooLong else {
      return report(navigation.uri, mainFrame: navigation.isMainFrame)
    }
    // One at a time: WebKit would give up the first load for the second, and report only the last.
    if probes.isEmpty {
      probe(navigation.uri, decision)
    } else {
      waitingProbes.append((navigation.uri, decision))
    }
  }

  private func probe(_ uri: [UInt8], _ decision: PendingDecision) {
    probeCount += 1
    let number = probeCount
    let timer = Source.after(Self.probeTimeout) { [weak self] in
      guard let self, let (uri, _) = probes.removeValue(forKey: number) else { return }
      report(uri, mainFrame: false)
      probeNext()
    }
    probes[number] = (uri, timer)
    pageMayLeave()
    decision.allow()
  }

  private func probeNext() {
    guard probes.isEmpty else { return }
    let next = waitingProbes
    waitingProbes = []
    for (uri, decision) in next { probe(uri, decision) }
  }

  /// A load of a redirect URI has failed, so the page itself made the navigation.
  func callbackFailed(_ uri: [UInt8]) {
    let isProbed = probes.contains { $0.value.uri == uri }
    probes = probes.filter { $0.value.uri != uri }
    // WebKit also reports a load that was just refused and reported. It is news only if the probe had ended
    // too early and the callback was taken for a frame's.
    let isNews = isProbed || uri != lastReported?.uri || lastReported?.mainFrame == false && !isOpened
    if isNews { report(uri, mainFrame: !isOpened) }
    probeNext()
  }

  private func report(_ uri: [UInt8], mainFrame: Bool?) {
    lastReported = (uri, mainFrame)
    tell(.callback(uri: String(decoding: uri, as: UTF8.self), mainFrame: mainFrame))
  }

  private func allow(_ navigation: Navigation, _ decision: PendingDecision) {
    let isOutside = !navigation.opensWindow && !navigation.isInside(Array(uri.utf8))
    if navigation.isMainFrame != false, isOutside { pageMayLeave() }
    decision.allow()
  }

  /// Does not load a wrong address, and reports it if the page itself made the navigation. Where WebKit does
  /// not tell, the address is blocked by a filter and then let through, so that a failed load tells.
  private func refuse(_ navigation: Navigation, _ refusal: PageRefusal, _ decision: PendingDecision) {
    if navigation.isMainFrame == true { return tell(.failed(FailedLoad(fault: .refused(refusal)))) }
    if blocked[navigation.uri] == nil {
      if blockedCount == Self.maximumBlocked { return }
      blockedCount += 1
    }
    GLibActor.task { [weak self] in
      guard let self else { return }
      if blocked[navigation.uri] == nil, await !filter.block(navigation.uri) {
        return tell(.failed(FailedLoad(fault: .refused(refusal))))
      }
      blocked[navigation.uri] = refusal
      if navigation.isRedirect { blockedRedirect = refusal }
      allow(navigation, decision)
    }
  }
}

/// Responses and opened views.
extension WebView {
  private func watchResponses() {
    typealias Body = @GLibActor (UnsafeMutablePointer<WebKitResponsePolicyDecision>) -> Bool
    typealias Call =
      @GLibActor @convention(c) (
        gpointer, UnsafeMutablePointer<WebKitPolicyDecision>, WebKitPolicyDecisionType, gpointer
      ) -> gboolean
    let call: Call = { _, decision, type, data in
      guard type == WEBKIT_POLICY_DECISION_TYPE_RESPONSE else { return 0 }
      if Handler<Body>.body(data)(decision.cast()) { return 0 }
      webkit_policy_decision_ignore(decision)
      return 1
    }
    let body: Body = { [weak self] decision in
      let response = PageResponse(decision, keeping: self?.keptFields ?? [])
      if response.isOfPage { return self?.accepts(response) ?? false }
      // WebKit would download content that it cannot show.
      if !response.isShowable { self?.tell(.lacked(.saving)) }
      return response.isShowable
    }
    connect(pointer, "decide-policy", call, body)
  }

  /// Returns true if a response may become the page. Reports the reason if not.
  private func accepts(_ response: PageResponse) -> Bool {
    let isErrorPage = if case .errorPage = policy.decision(for: Array(uri.utf8)) { true } else { false }
    if !isErrorPage, let refusal = response.refusal {
      tell(.failed(FailedLoad(fault: .refused(refusal))))
      return false
    }
    nextResponse = response
    // GLib undoes unnecessary escapes in the address of a request.
    let target = formTarget.map { PercentEncoding.normalize($0) }
    nextResponse?.answersForm = PercentEncoding.normalize(Array(response.uri.utf8)) == target
    return true
  }

  /// Gives a page that opens another one a view with the same handlers.
  private func watchWindows() {
    typealias Body = @GLibActor () -> Widget?
    let call: @GLibActor @convention(c) (gpointer, OpaquePointer, gpointer) -> Widget? = { _, _, data in
      Handler<Body>.body(data)()
    }
    let body: Body = { [weak self] in self?.openView().widget }
    connect(pointer, "create", call, body)
    connect(pointer, "close") { [weak self] in self?.tell(.closed) }
  }

  /// Makes a view for a page that this one opens. WebKit crashes if the view is shown before it is ready.
  private func openView() -> WebView {
    let view = WebView(openedBy: self)
    connect(view.pointer, "ready-to-show") { [weak self, weak view] in
      guard let self, let view else { return }
      unshownViews.removeAll { $0 === view }
      tell(.opened(view))
    }
    unshownViews.append(view)
    return view
  }
}
