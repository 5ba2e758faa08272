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
      guard let navigation = Navigation(decision, type) else { return 0 }
      Handler<Body>.body(data)(navigation, PolicyAnswer(decision))
      return 1
    }
    let body: Body = { [weak self] in self?.judge($0, $1) }
    connect(pointer, "decide-policy", call, body)
    watchAnswers()
    watchWindows()
  }

  /// Looks at every answer before it becomes a page.
  private func watchAnswers() {
    typealias Body = @GLibActor (PageAnswer) -> Bool
    typealias Call =
      @GLibActor @convention(c) (
        gpointer, UnsafeMutablePointer<WebKitPolicyDecision>, WebKitPolicyDecisionType, gpointer
      ) -> gboolean
    let call: Call = { _, decision, type, data in
      guard type == WEBKIT_POLICY_DECISION_TYPE_RESPONSE else { return 0 }
      let answer = PageAnswer(decision.cast())
      // What WebKit cannot show would be downloaded.
      let isAccepted = answer.isOfPage ? Handler<Body>.body(data)(answer) : answer.isShowable
      if isAccepted { return 0 }
      webkit_policy_decision_ignore(decision)
      return 1
    }
    let body: Body = { [weak self] in self?.accepts($0) ?? false }
    connect(pointer, "decide-policy", call, body)
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
