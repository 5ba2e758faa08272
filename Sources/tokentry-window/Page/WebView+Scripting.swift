import CWebKitGTK
import GLibSupport

/// Questions to the page, which scripts answer in a world of their own that the page cannot change.
extension WebView {
  /// Waits until the tasks that the page has already queued have run. May never return.
  func waitForQueuedTasks() async {
    let turn = """
      const channel = new MessageChannel()
      await new Promise(ready => { channel.port1.onmessage = ready; channel.port2.postMessage(0) })
      """
    await evaluate(turn) { _ in }
  }

  /// Waits until this time has passed for the page's own timers, which fire late if the page or the machine
  /// is busy. Returns false if the page has no timers or has gone; never returns while the page is in an
  /// endless loop.
  func waitInPage(for time: Duration) async -> Bool {
    let steps = """
      for (let step = 0; step < 10; step++) await new Promise(next => setTimeout(next, \(time / .milliseconds(10))))
      return true
      """
    return await evaluate(steps) { jsc_value_to_boolean($0) != 0 } ?? false
  }

  /// The size by which the page is larger than the view, or nil if the page does not answer.
  var overflow: (width: Int, height: Int)? {
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

  /// Asks whether the page has a dialog or popover open, and records changes to the page from then on. The
  /// page may never answer.
  ///
  /// WebKit delivers the question before the key that follows it. A question from a task could come after the
  /// key, and a page that has just closed its dialog would answer no.
  func findOpenDialog(_ answer: @escaping @GLibActor (Bool) -> Void) {
    ask(
      """
      globalThis.eye?.disconnect()
      globalThis.hasChanged = false
      globalThis.eye = new MutationObserver(() => { hasChanged = true })
      eye.observe(document.body ?? document, { subtree: true, childList: true, attributes: true, characterData: true })
      !!document.querySelector(':modal, :popover-open')
      """, answer)
  }

  /// Asks whether anything in the page has changed since ``findOpenDialog(_:)``.
  func findChange(_ answer: @escaping @GLibActor (Bool) -> Void) {
    ask(
      """
      const isOther = !globalThis.eye || hasChanged || eye.takeRecords().length > 0
      globalThis.eye?.disconnect()
      isOther
      """, answer)
  }

  /// Focuses the page's first stop, or its last, when Tab comes from the header. WebKit itself goes on where Tab has left the
  /// page, so that the first Tab would show no focus and the second one leave the page again.
  func watchTab() {
    typealias Body = @GLibActor (GtkDirectionType) -> Void
    let call: @GLibActor @convention(c) (gpointer, GtkDirectionType, gpointer) -> gboolean = {
      _, direction, data in
      Handler<Body>.body(data)(direction)
      return 0
    }
    let body: Body = { [weak self] direction in
      guard let self, gtk_widget_is_focus(widget) == 0 else { return }
      if direction == GTK_DIR_TAB_FORWARD { focusStop(at: 0) }
      if direction == GTK_DIR_TAB_BACKWARD { focusStop(at: -1) }
    }
    connect(widget, "focus", call, body)
  }

  private func focusStop(at index: Int) {
    ask(
      """
      if (document.activeElement === document.body) {
        const place = stop => stop.tabIndex || 1e9
        const isStop = stop => stop.tabIndex >= 0 && !stop.disabled && stop.getClientRects().length
          && getComputedStyle(stop).visibility === 'visible'
        const stops = [...(document.querySelector(':modal') ?? document).querySelectorAll('a[href], area[href], \
      input, select, textarea, button, summary, iframe, [tabindex], [contenteditable]')]
        stops.filter(isStop).sort((a, b) => place(a) - place(b)).at(\(index))?.focus()
      }
      true
      """
    ) { _ in }
  }

  /// Sends a question to the page at once. The answer is false if the script fails.
  func ask(_ question: String, _ answer: @escaping @GLibActor (Bool) -> Void) {
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

  /// Runs the body of an async function. Returns its result unless it fails.
  @discardableResult
  private func evaluate<Value>(_ script: String, _ read: (UnsafeMutablePointer<JSCValue>) -> Value)
    async
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
}
