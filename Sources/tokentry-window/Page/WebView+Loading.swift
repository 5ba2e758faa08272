import CWebKitGTK
import GLibSupport
import LoginCore
import WindowProtocol

/// Reports how loads go.
extension WebView {
  func watchLoads() {
    typealias Body = @GLibActor (WebKitLoadEvent) -> Void
    let call: @GLibActor @convention(c) (gpointer, WebKitLoadEvent, gpointer) -> Void = { _, event, data in
      Handler<Body>.body(data)(event)
    }
    let body: Body = { [weak self] in self?.loadChanged($0) }
    connect(pointer, "load-changed", call, body)
    for property in ["estimated-load-progress", "is-loading"] {
      connect(pointer, changeOf: property) { [weak self] in self?.tell(.progressed) }
    }
    watchFailures()
    watchCertificates()
    watchProcess()
  }

  private func loadChanged(_ event: WebKitLoadEvent) {
    if event == WEBKIT_LOAD_STARTED { loadStarted() }
    if event == WEBKIT_LOAD_COMMITTED { pageArrived() }
    guard event == WEBKIT_LOAD_FINISHED else { return }
    pageCompleted()
    if case .errorPage(let page) = policy.decision(for: Array(uri.utf8)) {
      readText { [weak self] in self?.tell(.errorPage(uri: page, body: $0)) }
    } else {
      tell(.loaded)
      findRefusal()
    }
  }

  private func watchFailures() {
    typealias Body = @GLibActor ([UInt8], GError) -> Void
    typealias Call =
      @GLibActor @convention(c) (
        gpointer, WebKitLoadEvent, UnsafePointer<CChar>, UnsafePointer<GError>, gpointer
      ) -> gboolean
    let call: Call = { _, _, uri, error, data in
      Handler<Body>.body(data)(Array(address: uri), error.pointee)
      return 1  // otherwise WebKit shows an error page of its own under that address
    }
    let body: Body = { [weak self] uri, error in
      guard let self else { return }
      // WebKit stops a load that gets no password. Once the page has begun, it was something else that asked
      // for one.
      let host = PageAddress(String(decoding: uri, as: UTF8.self)).host
      let refusal = wantsPassword && !hasBegun ? PageFault.refused(.password(host: host)) : nil
      if error.isStop, hasLostCertificateRequest { return loadDropped(uri, host, error) }
      if !hasBegun, let hostWithoutCertificate, PageAddress.bareHost(host) == hostWithoutCertificate {
        return loadFailed(uri, .refused(.certificate(host: hostWithoutCertificate)))
      }
      if refusal == nil, error.isCancellation, retries(uri) { return }
      loadFailed(uri, PageFault(error, loading: uri, policy) ?? refusal, isBlocked: error.isBlockedByRules)
    }
    connect(pointer, "load-failed", call, body)
  }

  private func watchCertificates() {
    typealias Body = @GLibActor ([UInt8], PageFault, UnsafeMutablePointer<GTlsCertificate>) -> Void
    typealias Call =
      @GLibActor @convention(c) (
        gpointer, UnsafePointer<CChar>, UnsafeMutablePointer<GTlsCertificate>, GTlsCertificateFlags, gpointer
      ) -> gboolean
    let call: Call = { _, uri, certificate, flags, data in
      let uri = Array(address: uri)
      Handler<Body>.body(data)(
        uri, PageFault(certificate, flags, loading: String(decoding: uri, as: UTF8.self)), certificate)
      return 1
    }
    let body: Body = { [weak self] uri, fault, certificate in
      guard let self else { return }
      // A form is not sent again, although the server has not got it.
      let address = String(decoding: uri, as: UTF8.self)
      if uri != formTarget, case .tls(_, _, let fingerprint, _) = fault,
        context.accepts(certificate, with: fingerprint, of: address)
      {
        return load(address)
      }
      loadFailed(uri, fault)
    }
    connect(pointer, "load-failed-with-tls-errors", call, body)
  }

  private func watchProcess() {
    typealias Body = @GLibActor (WebKitWebProcessTerminationReason) -> Void
    let call: @GLibActor @convention(c) (gpointer, WebKitWebProcessTerminationReason, gpointer) -> Void = {
      _, reason, data in Handler<Body>.body(data)(reason)
    }
    let body: Body = { [weak self] reason in
      switch reason {
      case WEBKIT_WEB_PROCESS_EXCEEDED_MEMORY_LIMIT: self?.processEnded(.memory)
      case WEBKIT_WEB_PROCESS_TERMINATED_BY_API: self?.processEnded(.silence)
      default: self?.processEnded(.crash)
      }
    }
    connect(pointer, "web-process-terminated", call, body)
  }

  /// The load of the page itself has failed; WebKit does not report those of frames. If a rule has blocked it
  /// after a redirect, WebKit reports the address that redirected.
  private func loadFailed(_ uri: [UInt8], _ fault: PageFault?, isBlocked: Bool = false) {
    switch policy.decision(for: uri) {
    case .callback: callbackFailed(uri)
    case .errorPage(let page): tell(.errorPage(uri: page, body: nil))
    case .allow, .ignore:
      if let refusal = blocked[uri] ?? (isBlocked ? blockedRedirect : nil) {
        return tell(.failed(FailedLoad(fault: .refused(refusal))))
      }
      guard let fault else { return }
      if case .refused = fault { return tell(.failed(FailedLoad(fault: fault))) }
      tell(
        .failed(
          FailedLoad(fault: fault, uri: String(decoding: uri, as: UTF8.self), isOfForm: uri == formTarget)))
    }
  }

  private func loadDropped(_ uri: [UInt8], _ host: String, _ error: GError) {
    hasLostCertificateRequest = false
    let fault = PageFault.connection(
      host: host, reason: String(cString: error.message).forDisplay(limit: 200))
    droppedLoad = FailedLoad(
      fault: fault, uri: String(decoding: uri, as: UTF8.self), isOfForm: uri == formTarget)
    tell(.dropped)
  }

  /// Loads a page again, once, whose connection WebKit itself has cancelled. Returns false if that has failed
  /// before, or would send a form.
  ///
  /// WebKit connects to a host before it requests the page, and the request then takes that connection over.
  /// If the connection fails, for example because of its certificate, a busy machine may cancel the request
  /// together with the connection before the reason is reported.
  private func retries(_ uri: [UInt8]) -> Bool {
    guard retriedURI != uri, uri != formTarget, blocked[uri] == nil, case .allow = policy.decision(for: uri)
    else { return false }
    retriedURI = uri
    load(String(decoding: uri, as: UTF8.self))
    return true
  }

  /// Reports a refusal that a server has sent in place of a page.
  private func findRefusal() {
    guard let response, response.mayBeOAuthError || response.asksForPassword else { return }
    let resource = webkit_web_view_get_main_resource(pointer)
    readText { [weak self] text in
      guard let self, resource == webkit_web_view_get_main_resource(pointer),
        let refusal = response.refusal(in: text)
      else { return }
      tell(.failed(FailedLoad(fault: .refused(refusal), isPageItself: true)))
    }
  }

  /// Reads the text of the page, without running anything in it.
  private func readText(_ take: @escaping @GLibActor (String?) -> Void) {
    // The view may have another page by the time the task runs, so the resource is taken now.
    let resource = webkit_web_view_get_main_resource(pointer)
    if let resource { g_object_ref(resource) }
    GLibActor.task {
      defer { if let resource { g_object_unref(resource) } }
      var text: String?
      if let resource { text = await Self.text(of: resource) }
      take(text)
    }
  }

  /// Returns the text of a page, or nil if it is longer than any error, or takes too long.
  private static func text(of resource: UnsafeMutablePointer<WebKitWebResource>) async -> String? {
    let cancellable = Cancellable()
    let deadline = Source.after(.seconds(2)) { cancellable.cancel() }
    defer { _ = deadline }
    let result = await asyncCall(cancellable) { ready, data in
      webkit_web_resource_get_data(resource, cancellable.pointer, ready, data)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(result.pointer)) }
    var length: gsize = 0
    let bytes = webkit_web_resource_get_data_finish(resource, result.pointer, &length, nil)
    defer { g_free(bytes) }
    guard let bytes, length <= 64 * 1_024 else { return nil }
    return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(length)), as: UTF8.self)
  }
}

/// Painting: a page that is about to be left is not painted, since the window would only wait for it.
extension WebView {
  /// WebKit begins to load the page's next page within some milliseconds. A navigation that has had no effect
  /// after this time was a frame's.
  private static let leaveTimeout = Duration.milliseconds(500)

  func watchPainting() {
    // Nor is a view painted that has no page yet.
    connect(
      widget, "draw",
      answering: { [weak self] _ in self.map { $0.address == nil || !$0.firstPaint.mayPaint() } ?? false })
  }

  /// A navigation is allowed that may replace the page.
  func pageMayLeave() {
    guard firstPaint.navigationAllowed() else { return }
    leaveTimer = .after(Self.leaveTimeout) { [weak self] in
      guard let self else { return }
      leaveTimer = nil
      if firstPaint.nothingCame() { gtk_widget_queue_draw(widget) }
      tell(.stayed)
    }
  }

  /// The next page is on its way.
  func pageLeaves() {
    leaveTimer = nil
    firstPaint.pageLeaves()
  }

  private func pageCompleted() {
    leaveTimer = nil
    if firstPaint.pageCompleted() { gtk_widget_queue_draw(widget) }
  }
}

/// Beginning with a form.
extension WebView {
  /// Sends a form to an address. WebKit has no other way to begin with one than a page that does so.
  func send(_ form: [Parameter], to uri: String) {
    isLoadRequested = true
    let fields = form.map { "<input type=hidden name=\"\($0.name.escaped)\" value=\"\($0.value.escaped)\">" }
    webkit_web_view_load_html(
      pointer,
      """
      <!doctype html><meta charset=utf-8><form method=post action="\(uri.escaped)">\(fields.joined())</form>
      <script>HTMLFormElement.prototype.submit.call(document.forms[0])</script>
      """, Self.emptyPage)
  }
}

extension String {
  /// The text in an attribute with double quotes.
  fileprivate var escaped: String {
    replacingAll("&", with: "&amp;").replacingAll("\"", with: "&quot;").replacingAll("<", with: "&lt;")
  }
}
