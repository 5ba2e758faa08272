import CWebKitGTK
import GLibSupport
import Language

extension WebView {
  /// Denies permissions that no login needs, such as the camera. The bar says that the window cannot do this. A dialog
  /// would let a page imitate this window, or keep the user from cancelling.
  func denyPermissions() {
    connect(
      pointer, "permission-request",
      answering: { request in
        webkit_permission_request_deny(request)
        return true
      })
    connect(
      pointer, "authenticate",
      answering: { [weak self] request in
        guard let self, let request else { return true }
        let pointer = UnsafeMutablePointer<WebKitAuthenticationRequest>(request)
        let dropped: @GLibActor () -> Void = { [weak self] in self?.hasLostCertificateRequest = true }
        if let certificate = CertificateRequest(pointer, dropped: dropped) {
          tell(.wantsCertificate(certificate))
          return true
        }
        // This may come before or after the news that the page has begun: two processes of WebKit send them.
        wantsPassword = true
        webkit_authentication_request_cancel(pointer)
        return true
      })
    connect(
      pointer, "run-file-chooser",
      answering: { [weak self] request in
        if let request { webkit_file_chooser_request_cancel(UnsafeMutablePointer(request)) }
        self?.tell(.lacked(.uploads))
        return true
      })
    connect(
      pointer, "script-dialog",
      answering: { [weak self] dialog in
        guard let self, let dialog else { return true }
        if let dialog = ScriptDialog(dialog, of: pointer) { tell(.said(dialog)) }
        return true
      })
    connect(
      pointer, "print",
      answering: { [weak self] _ in
        self?.tell(.lacked(.printing))
        return true
      })
    for signal in ["show-notification", "run-color-chooser"] {
      connect(pointer, signal, answering: { _ in true })
    }
    denyFullScreen()
    denyTooltips()
    PagePopups.keepInside()
    refuseListsOutside()
    reduceContextMenu()
  }

  /// A page's tooltip could cover the address bar, since WebKit does not tell how long it is.
  private func denyTooltips() {
    typealias Call =
      @GLibActor @convention(c) (gpointer, gint, gint, gboolean, OpaquePointer, gpointer) -> gboolean
    let call: Call = { view, _, _, _, _, _ in
      g_signal_stop_emission_by_name(view, "query-tooltip")
      return 0
    }
    connect(pointer, "query-tooltip", call, ())
  }

  /// Opens no list of a `<select>` that is not inside the view. The page chooses where its element is.
  private func refuseListsOutside() {
    typealias Call =
      @GLibActor @convention(c) (
        gpointer, OpaquePointer?, OpaquePointer?, UnsafePointer<GdkRectangle>, gpointer
      ) -> gboolean
    let call: Call = { view, _, _, place, _ in
      PagePopups.isInside(place.pointee, of: view.assumingMemoryBound(to: GtkWidget.self)) ? 0 : 1
    }
    connect(pointer, "show-option-menu", call, ())
  }

  /// A page that fills the screen could imitate this window.
  private func denyFullScreen() {
    let deny: @GLibActor @convention(c) (gpointer, gpointer) -> gboolean = { _, _ in 1 }
    connect(pointer, "enter-fullscreen", deny, ())
  }

  /// Leaves only cut, copy and paste in the context menu, and lets the user copy a link and select all text.
  private func reduceContextMenu() {
    typealias Call =
      @GLibActor @convention(c) (
        gpointer, UnsafeMutablePointer<WebKitContextMenu>, gpointer?, gpointer?, gpointer
      ) -> gboolean
    let call: Call = { _, menu, _, _, _ in
      let kept = [
        WEBKIT_CONTEXT_MENU_ACTION_CUT, WEBKIT_CONTEXT_MENU_ACTION_COPY, WEBKIT_CONTEXT_MENU_ACTION_PASTE,
      ]
      // WebKit offers to select all text only in a field.
      var added = [(WEBKIT_CONTEXT_MENU_ACTION_SELECT_ALL, WindowWords.selectAll)]
      for position in (0..<webkit_context_menu_get_n_items(menu)).reversed() {
        guard let item = webkit_context_menu_get_item_at_position(menu, position) else { continue }
        let action = webkit_context_menu_item_get_stock_action(item)
        if action == WEBKIT_CONTEXT_MENU_ACTION_COPY_LINK_TO_CLIPBOARD {
          added.insert((action, WindowWords.copyLink), at: 0)
        }
        if !kept.contains(action) { webkit_context_menu_remove(menu, item) }
      }
      for (action, label) in added {
        webkit_context_menu_append(
          menu, webkit_context_menu_item_new_from_stock_action_with_label(action, label.text))
      }
      return 0
    }
    connect(pointer, "context-menu", call, ())
  }
}
