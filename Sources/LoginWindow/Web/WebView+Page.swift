import CWebKitGTK
import GLibSupport

/// What is asked about a view.
extension WebView {
  /// The address of its page, which is that of the next one as soon as that is on its way. One that is cut off before it
  /// has named its host has none.
  var uri: String {
    guard let uri = webkit_web_view_get_uri(pointer).map(Array.init(address:)), !uri.lacksHost else {
      return ""
    }
    return String(decoding: uri, as: UTF8.self)
  }

  /// How much of the page is there, from 0 to 1.
  var progress: Double { webkit_web_view_get_estimated_load_progress(pointer) }

  /// Whether a page is on its way.
  var isLoading: Bool { webkit_web_view_is_loading(pointer) != 0 }

  /// The page without anything in it.
  static let emptyPage = "about:blank"

  /// Whether what was loaded last, or is being loaded, is the empty page.
  var isEmpty: Bool {
    guard let resource = webkit_web_view_get_main_resource(pointer) else { return uri == Self.emptyPage }
    return String(cString: webkit_web_resource_get_uri(resource)) == Self.emptyPage
  }

  /// Whether there is a page before this one; the empty one that it began with is none.
  var canGoBack: Bool {
    let list = webkit_web_view_get_back_forward_list(pointer)
    guard let item = webkit_back_forward_list_get_back_item(list) else { return false }
    return String(cString: webkit_back_forward_list_item_get_uri(item)) != Self.emptyPage
  }

  /// How large pages are shown, in percent of their own size.
  var zoom: Int {
    get { Int((webkit_web_view_get_zoom_level(pointer) * 100).rounded()) }
    set { webkit_web_view_set_zoom_level(pointer, Double(newValue) / 100) }
  }

  /// Waits until whatever the page wants to do next has had its turn. It may never have.
  func rest() async {
    let turn = """
      const channel = new MessageChannel()
      await new Promise(ready => { channel.port1.onmessage = ready; channel.port2.postMessage(0) })
      """
    await evaluate(turn) { _ in }
  }

  /// Waits until this time has passed for the page's own timers, which come late where the page, or the whole machine,
  /// is busy. False if it has none, or has gone; one that is busy for ever never says.
  func spend(_ time: Duration) async -> Bool {
    let steps = """
      for (let step = 0; step < 10; step++) await new Promise(next => setTimeout(next, \(time / .milliseconds(10))))
      return true
      """
    return await evaluate(steps) { jsc_value_to_boolean($0) != 0 } ?? false
  }

  /// By how much the page is larger than its place; nothing if it does not say.
  var lack: (width: Int, height: Int)? {
    get async {
      let script = """
        const page = document.documentElement
        return `${page.scrollWidth - page.clientWidth}x${page.scrollHeight - page.clientHeight}`
        """
      let text = await evaluate(script) { value in
        guard let text = jsc_value_to_string(value) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
      }
      let numbers = (text ?? "").split(separator: "x").compactMap { Int32($0) }.map { Int($0) * zoom / 100 }
      return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
    }
  }

  /// Asks whether the page shows a dialog or something else that Esc closes, and keeps an eye on it from then on. It may
  /// never answer.
  ///
  /// The page is asked before whatever it is sent next: were that the key, and the question left to a task, a page that
  /// has closed its dialog in between would say that it had none.
  func findOpen(_ answer: @escaping @GLibActor (Bool) -> Void) {
    ask(
      """
      globalThis.eye?.disconnect()
      globalThis.hasChanged = false
      globalThis.eye = new MutationObserver(() => { hasChanged = true })
      eye.observe(document.body ?? document, { subtree: true, childList: true, attributes: true, characterData: true })
      !!document.querySelector(':modal, :popover-open')
      """, answer)
  }

  /// Asks whether anything in the page has changed since it was asked what is open.
  func findChange(_ answer: @escaping @GLibActor (Bool) -> Void) {
    ask(
      """
      const isOther = !globalThis.eye || hasChanged || eye.takeRecords().length > 0
      globalThis.eye?.disconnect()
      isOther
      """, answer)
  }

  /// Asks the page at once; one that cannot answer says no.
  private func ask(_ question: String, _ answer: @escaping @GLibActor (Bool) -> Void) {
    typealias Answer = Handler<@GLibActor (Bool) -> Void>
    let ready: @GLibActor @convention(c) (gpointer, OpaquePointer, gpointer) -> Void = { view, result, data in
      defer { Answer.release(data) }
      let value = webkit_web_view_evaluate_javascript_finish(
        view.assumingMemoryBound(to: WebKitWebView.self), result, nil)
      Answer.body(data)(value.map { jsc_value_to_boolean($0) != 0 } ?? false)
      if let value { g_object_unref(value) }
    }
    webkit_web_view_evaluate_javascript(
      pointer, "{ \(question) }", -1, PageScript.world, nil, nil,
      unsafeBitCast(ready, to: GAsyncReadyCallback.self), Answer.retained(answer))
  }

  /// What the body of a function comes to in a world of its own, where the page has changed nothing; nothing if it fails.
  @discardableResult
  private func evaluate<Value>(_ script: String, _ read: (UnsafeMutablePointer<JSCValue>) -> Value) async
    -> Value?
  {
    let cancellable = Cancellable()
    let view = pointer
    g_object_ref(view)
    defer { g_object_unref(view) }
    let result = await asyncCall(cancellable) { ready, data in
      webkit_web_view_call_async_javascript_function(
        view, script, -1, nil, PageScript.world, nil, cancellable.pointer, ready, data)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(result.pointer)) }
    guard let value = webkit_web_view_call_async_javascript_function_finish(view, result.pointer, nil) else {
      return nil
    }
    defer { g_object_unref(value) }
    return read(value)
  }

  func load(_ uri: String) {
    isAsked = true
    webkit_web_view_load_uri(pointer, uri)
  }

  func goBack() {
    endIfSilent(.back)
    webkit_web_view_go_back(pointer)
  }

  /// Loads the page again, for which the user is asked if that sends a form once more.
  func reload() {
    endIfSilent(.reload)
    webkit_web_view_reload(pointer)
  }

  func stop() {
    endIfSilent(.stop)
    webkit_web_view_stop_loading(pointer)
  }

  /// Loads the page again whose process has ended, as it was. There is none if the process ended before the page came.
  func comeBack(to uri: String) -> Bool {
    let list = webkit_web_view_get_back_forward_list(pointer)
    guard let item = webkit_back_forward_list_get_current_item(list),
      String(cString: webkit_back_forward_list_item_get_uri(item)) == uri
    else { return false }
    webkit_web_view_go_to_back_forward_list_item(pointer, item)
    return true
  }

  /// Ends the process that draws the page if the page does not answer, since nothing would come of the wish. WebKit itself
  /// calls such a process responsive.
  private func endIfSilent(_ wish: Wish) {
    self.wish = wish
    if silence != nil { return }
    silence = .timer(every: Self.maximumSilence) { [weak self] in
      guard let self else { return }
      silence = nil
      webkit_web_view_terminate_web_process(pointer)
    }
    ask("true") { [weak self] _ in self?.silence = nil }
  }

  /// A page that is only busy answers by then.
  private static let maximumSilence = Duration.seconds(3)
}
