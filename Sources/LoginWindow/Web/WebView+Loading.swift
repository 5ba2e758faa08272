import CWebKitGTK
import GLibSupport
import LoginCore
import LoginWays

extension WebView {
  /// Tells how loads go.
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
    if event == WEBKIT_LOAD_STARTED { began() }
    if event == WEBKIT_LOAD_COMMITTED { arrived() }
    guard event == WEBKIT_LOAD_FINISHED else { return }
    completed()
    if case .errorPage(let page) = policy.decision(for: Array(uri.utf8)) {
      readErrorPage(page)
    } else {
      tell(.loaded)
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
      return 1  // else WebKit would show a page of its own under that address
    }
    let body: Body = { [weak self] uri, error in
      guard let self else { return }
      // What was not given a password is stopped. In a page that has begun it was something else that wanted one.
      let host = PageAddress(String(decoding: uri, as: UTF8.self)).host
      let refusal = wantsPassword && !hasBegun ? PageFault.refused(.password(host: host)) : nil
      if refusal == nil, error.isCancellation, loadsOnceMore(uri) { return }
      loadFailed(uri, PageFault(error, loading: uri, policy) ?? refusal, isBlocked: error.isOfRules)
    }
    connect(pointer, "load-failed", call, body)
  }

  private func watchCertificates() {
    typealias Body = @GLibActor ([UInt8], PageFault) -> Void
    typealias Call =
      @GLibActor @convention(c) (
        gpointer, UnsafePointer<CChar>, UnsafeMutablePointer<GTlsCertificate>, GTlsCertificateFlags, gpointer
      ) -> gboolean
    let call: Call = { _, uri, certificate, flags, data in
      let uri = Array(address: uri)
      Handler<Body>.body(data)(
        uri, PageFault(certificate, flags, loading: String(decoding: uri, as: UTF8.self)))
      return 1
    }
    let body: Body = { [weak self] in self?.loadFailed($0, $1) }
    connect(pointer, "load-failed-with-tls-errors", call, body)
  }

  private func watchProcess() {
    typealias Body = @GLibActor (WebKitWebProcessTerminationReason) -> Void
    let call: @GLibActor @convention(c) (gpointer, WebKitWebProcessTerminationReason, gpointer) -> Void = {
      _, reason, data in Handler<Body>.body(data)(reason)
    }
    let body: Body = { [weak self] reason in
      switch reason {
      case WEBKIT_WEB_PROCESS_EXCEEDED_MEMORY_LIMIT: self?.ended(.memory)
      case WEBKIT_WEB_PROCESS_TERMINATED_BY_API: self?.ended(.silence)
      default: self?.ended(.crash)
      }
    }
    connect(pointer, "web-process-terminated", call, body)
  }

  /// Reads what the provider says on its error page, without running anything in it.
  private func readErrorPage(_ page: String) {
    // It goes with the page, which may be another one before the task has its turn.
    let resource = webkit_web_view_get_main_resource(pointer)
    if let resource { g_object_ref(resource) }
    GLibActor.task { [weak self] in
      defer { if let resource { g_object_unref(resource) } }
      var body: String?
      if let resource { body = await Self.text(of: resource) }
      self?.tell(.errorPage(uri: page, body: body))
    }
  }

  /// The text of a page, if it is not longer than any error.
  private static func text(of resource: UnsafeMutablePointer<WebKitWebResource>) async -> String? {
    let cancellable = Cancellable()
    let deadline = Source.timer(every: .seconds(2)) { cancellable.cancel() }
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
