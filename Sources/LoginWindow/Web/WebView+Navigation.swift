import CWebKitGTK
import GLibSupport

extension WebView {
  /// Asks about every navigation before it is made.
  func watchNavigations() {
    typealias Body = @GLibActor (Navigation, PolicyAnswer) -> Void
    typealias Call =
      @GLibActor @convention(c) (
        gpointer, UnsafeMutablePointer<WebKitPolicyDecision>, WebKitPolicyDecisionType, gpointer
      ) -> gboolean
    let call: Call = { _, decision, type, data in
      guard let navigation = Navigation(decision, type) else {
        return WebView.answer(response: decision, type)
      }
      Handler<Body>.body(data)(navigation, PolicyAnswer(decision))
      return 1
    }
    let body: Body = { [weak self] in self?.judge($0, $1) }
    connect(pointer, "decide-policy", call, body)
    watchWindows()
  }

  /// What WebKit cannot show would be downloaded.
  private static func answer(
    response decision: UnsafeMutablePointer<WebKitPolicyDecision>, _ type: WebKitPolicyDecisionType
  ) -> gboolean {
    guard type == WEBKIT_POLICY_DECISION_TYPE_RESPONSE,
      webkit_response_policy_decision_is_mime_type_supported(decision.cast()) == 0
    else { return 0 }
    webkit_policy_decision_ignore(decision)
    return 1
  }

  /// A view for a page that this one opens. WebKit crashes if it is shown before it says so.
  private func open() -> WebView {
    let view = WebView(openedBy: self)
    connect(view.pointer, "ready-to-show") { [weak self, weak view] in
      guard let self, let view else { return }
      opening.removeAll { $0 === view }
      tell(.opened(view))
    }
    opening.append(view)
    return view
  }

  /// A page that opens another one gets a view with the same handlers.
  private func watchWindows() {
    typealias Body = @GLibActor () -> Widget?
    let call: @GLibActor @convention(c) (gpointer, OpaquePointer, gpointer) -> Widget? = { _, _, data in
      Handler<Body>.body(data)()
    }
    let body: Body = { [weak self] in
      guard let self else { return nil }
      return open().widget
    }
    connect(pointer, "create", call, body)
    connect(pointer, "close") { [weak self] in self?.tell(.closed) }
  }
}
