import CWebKitGTK
import GLibSupport
import Language
import LoginCore
import WindowProtocol

/// The GTK window around one page at a time: title bar, address bar, progress and messages.
@GLibActor
final class WindowFrame {
  private let addressBar: AddressBar
  let titleBar: TitleBar
  let offerBar: OfferBar
  let deadlineBar: DeadlineBar
  /// The same button beside the address and, where there is none, in the title bar.
  private let infos: (title: InfoButton, address: InfoButton)
  /// The window's sizer, or nil if the window is always as large as its content.
  private(set) var sizer: WindowSizer?
  /// True while another window covers a part of this one. Our own tooltips do not count.
  private var isObscured = false
  private var escapeKey: EscapeKey?
  /// The view that is shown, if one is.
  weak var view: WebView?
  /// The page that can be seen, unless it is one of ours.
  private var address: PageAddress?
  /// The host of the last page of another server, once there was one.
  private var lastHost: String?
  private let window: Widget
  private let pages: Widget
  private let progress: Widget
  private let baseTitle: String
  private let requester: Requester?
  /// Keeps what is meant for another window out of this one.
  private var answerGuard: AnswerGuard?
  private var hasParent = false
  private var focusTimer: Source?

  /// A window that appears has the keyboard by then, if it gets it at all.
  private static let focusDelay = Duration.seconds(1)

  /// `userHasResized` is called with a size that the user has given the window.
  init(
    _ opening: WindowOpening, _ act: @escaping ActionHandler,
    userHasResized: @escaping @GLibActor (WindowSize) -> Void
  ) {
    let title = opening.options.title?.forDisplay(limit: 100) ?? WindowWords.title.text
    infos = (InfoButton(opening, act), InfoButton(opening, act))
    titleBar = TitleBar(title: title, opening, infos.title, act)
    addressBar = AddressBar(infos.address)
    offerBar = OfferBar(opening, act)
    window = gtk_window_new(GTK_WINDOW_TOPLEVEL)
    deadlineBar = DeadlineBar(in: window, act)
    (baseTitle, requester) = (title, opening.options.requester)
    pages = gtk_stack_new()
    progress = gtk_progress_bar_new()
    gtk_window_set_title(window.cast(), title)
    gtk_window_set_titlebar(window.cast(), titleBar.widget)
    if opening.showsPages {
      sizer = WindowSizer(of: window, opening, userHasResized)
    } else {
      gtk_window_set_resizable(window.cast(), 0)  // makes it as large as its content
      atk_object_set_role(gtk_widget_get_accessible(window), ATK_ROLE_DIALOG)
    }
    if opening.options.isQuiet { gtk_window_set_focus_on_map(window.cast(), 0) }
    gtk_window_set_position(window.cast(), GTK_WIN_POS_CENTER)
    gtk_window_set_type_hint(window.cast(), GDK_WINDOW_TYPE_HINT_DIALOG)
    gtk_window_set_icon_name(window.cast(), Self.icon)
    Self.applyStyle()
    arrange(aroundPages: opening.showsPages)
    watch(act)
    for info in [infos.title, infos.address] {
      info.page = { [weak self] in
        guard let self, let address, let view else { return nil }
        // WebKit's address may already be that of another server's page, which has not arrived yet.
        let uri = PageAddress(view.uri).origin == address.origin ? view.uri : address.origin
        return (address, uri, view.isLoading)
      }
    }
  }

  isolated deinit { gtk_widget_destroy(window) }

  /// Our own icon if it is installed.
  private static var icon: String {
    let name = WindowProcess.applicationID
    return gtk_icon_theme_has_icon(gtk_icon_theme_get_default(), name) != 0 ? name : "dialog-password"
  }

  private func arrange(aroundPages: Bool) {
    let overlay: Widget = gtk_overlay_new()
    gtk_container_add(overlay.cast(), pages)
    // The bar lies over the page, which would otherwise move under the pointer of a user who is about to click.
    gtk_widget_set_valign(offerBar.widget, GTK_ALIGN_START)
    gtk_overlay_add_overlay(overlay.cast(), offerBar.widget)
    progress.addClass("osd")
    gtk_widget_set_valign(progress, GTK_ALIGN_START)
    atk_object_set_name(gtk_widget_get_accessible(progress), WindowWords.loading.text)
    // As a progress bar, it would make a screen reader say "100 percent" at every page.
    atk_object_set_role(gtk_widget_get_accessible(progress), ATK_ROLE_FILLER)
    gtk_overlay_add_overlay(overlay.cast(), progress)
    gtk_overlay_set_overlay_pass_through(overlay.cast(), progress, 1)
    let lines = [addressBar.widget, deadlineBar.widget]
    let all = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 0, lines)
    if aroundPages { all.addClass("tokentry-around") }
    gtk_box_pack_start(all.cast(), overlay, 1, 1, 0)
    gtk_container_add(window.cast(), all)
    gtk_widget_show_all(all)
    progress.setVisible(false)
    offerBar.hide()
    deadlineBar.hide()
    showNoAddress()
  }

  private func watch(_ act: @escaping ActionHandler) {
    connect(
      window, "delete-event",
      answering: { _ in
        act(.close)
        return true
      })
    UserAction.addShortcuts(to: window, act)
    escapeKey = EscapeKey(
      in: window, view: { [weak self] in self?.view }, leave: { act(.leave) }, ask: { act(.leaveSilentPage) })
    gtk_widget_add_events(window, gint(bitPattern: GDK_VISIBILITY_NOTIFY_MASK.rawValue))
    connect(
      window, "visibility-notify-event",
      answering: { [weak self] event in
        guard let event, Widget.tooltip == nil else { return false }
        let state = UnsafePointer<GdkEventVisibility>(event).pointee.state
        self?.isObscured = state != GDK_VISIBILITY_UNOBSCURED
        return false
      })
  }

  /// Shows a page in front of the one before, which stays underneath.
  func show(_ page: Widget) {
    if gtk_widget_get_parent(page) == nil {
      gtk_container_add(pages.cast(), page)
    } else if gtk_stack_get_visible_child(pages.cast()) == page {
      return
    }
    gtk_stack_set_visible_child(pages.cast(), page)
    gtk_widget_grab_focus(page)
  }

  /// The height of the part of the page that the bar or a tooltip covers. nil while another window covers this one.
  var coveredHeight: gint? {
    if isObscured { return nil }
    let tooltip = Widget.tooltip?.edges.bottom ?? .min
    return max(offerBar.height, view.map { max(tooltip, $0.widget.edges.top) - $0.widget.edges.top } ?? 0)
  }

  func isShowing(_ page: Widget) -> Bool { gtk_stack_get_visible_child(pages.cast()) == page }

  /// Gives a page its size before the window appears, and makes it visible and focused for its own scripts: they choose
  /// a layout, and judge who is there, when they start. WebKit takes a view that is mapped for visible, even in a
  /// window that is not.
  func layOut(_ page: Widget) {
    if isVisible { return }
    show(page)
    gtk_widget_realize(window)
    gtk_widget_map(page)
    tell(page, hasFocus: true)
  }

  /// Tells a page whether it has the keyboard, as GTK does. GTK itself knows better: it does not believe in the focus
  /// of a window that is hidden.
  private func tell(_ page: Widget, hasFocus: Bool) {
    for widget in [window, page] {
      guard let event = gdk_event_new(GDK_FOCUS_CHANGE) else { return }
      event.pointee.focus_change.window = gtk_widget_get_window(widget)
      if let surface = event.pointee.focus_change.window { g_object_ref(UnsafeMutableRawPointer(surface)) }
      event.pointee.focus_change.send_event = 1
      event.pointee.focus_change.in = hasFocus ? 1 : 0
      gtk_widget_send_focus_change(widget, event)
      gdk_event_free(event)
    }
  }

  /// Shows the address of the page that can be seen.
  func show(_ address: PageAddress) {
    addressBar.show(address)
    describe(address)
  }

  /// Shows the address of the page that is on its way.
  func showConnecting(to address: PageAddress) {
    addressBar.showConnecting(to: address)
    describe(nil)
  }

  /// Hides the address, for a page of our own.
  func showNoAddress() {
    addressBar.hide()
    describe(nil)
  }

  /// Puts the host into the window's title, which tells several logins apart, and for screen readers also the
  /// application and the connection. A screen reader is told when the host changes while it reads a page.
  private func describe(_ address: PageAddress?) {
    self.address = address
    let host = address.map(\.host) ?? ""
    // Without UTF-8, GTK would leave a title with a dash out of the property that older programs read.
    let dash = g_get_charset(nil) != 0 ? "–" : "-"
    let title = host.isEmpty ? baseTitle : "\(baseTitle) \(dash) \(host)"
    // GTK itself would also show this title in the title bar, and has only one for both.
    if let surface = gtk_widget_get_window(window) { gdk_window_set_title(surface, title) }
    let page = address.map { [host, $0.text.explanation.text] } ?? []
    let accessible = gtk_widget_get_accessible(window)
    atk_object_set_name(accessible, title)
    let words = [requester?.sentence.text].compactMap(\.self) + page.filter { !$0.isEmpty }
    atk_object_set_description(accessible, words.joined(separator: ". "))
    infos.address.update(isWanted: addressBar.isVisible)
    infos.title.update(isWanted: !addressBar.isVisible)
    guard let address, !host.isEmpty, host != lastHost else { return }
    if lastHost != nil { announce(address.announcement.text) }
    lastHost = host
  }

  /// Has a screen reader say something. ATK before 2.46 cannot.
  private func announce(_ text: String) {
    guard let accessible = gtk_widget_get_accessible(window) else { return }
    let signal = g_signal_lookup("announcement", atk_object_get_type())
    if signal != 0 { gtk_announce(accessible, signal, text) }
  }

  /// Shows how much of a page has arrived, or hides the progress bar for nil.
  func show(progress fraction: Double?) {
    progress.setVisible(fraction != nil)
    if let fraction { gtk_progress_bar_set_fraction(progress.cast(), fraction) }
  }

  /// Puts the window in front of one of the caller's. Call before it is shown. Returns the reason if that is
  /// not possible. `hasGone` is called when the caller closes its window.
  func belong(to parent: ParentWindow, hasGone: @escaping @GLibActor () -> Void) -> Message? {
    let objection = parent.adopt(window, hasGone)
    hasParent = objection == nil
    return objection
  }

  /// Opens what the button beside the address says.
  func openInfo() { _ = infos.address.open() || infos.title.open() }

  /// Calls `opened` when this window takes answers.
  func guardAnswers(_ opened: @escaping @GLibActor () -> Void) {
    answerGuard = AnswerGuard(of: window, isLasting: true, opened)
  }

  /// False while a key or click, or the end of the window, may have been meant for another one.
  var takesAnswers: Bool { answerGuard?.isOpen != false }

  var isGuarded: Bool { answerGuard != nil }

  /// Makes the window visible, or brings it to the front.
  func present() {
    if !isVisible { respectOthers() }
    gtk_window_present(window.cast())
    focusTimer = .after(Self.focusDelay) { [weak self] in
      guard let self else { return }
      focusTimer = nil
      if let view, !hasFocus { tell(view.widget, hasFocus: false) }
    }
  }

  /// Keeps the user's next key out of this window if another sign-in is in use, and does not lie exactly above it.
  private func respectOthers() {
    let others = OtherWindows()
    if others.areInUse, answerGuard == nil {
      gtk_window_set_focus_on_map(window.cast(), 0)
      answerGuard = AnswerGuard(of: window, isLasting: false) {}
    }
    var (width, height) = (gint(0), gint(0))
    gtk_window_get_size(window.cast(), &width, &height)
    guard !hasParent, let place = others.cascade(width: width, height: height) else { return }
    gtk_window_set_position(window.cast(), GTK_WIN_POS_NONE)
    gtk_window_move(window.cast(), place.x, place.y)
  }

  var isVisible: Bool { gtk_widget_get_visible(window) != 0 }

  /// True while the window has the keyboard.
  var hasFocus: Bool { gtk_window_is_active(window.cast()) != 0 }

  var title: String { String(cString: gtk_window_get_title(window.cast())) }

  func hide() { window.setVisible(false) }

  /// Puts a text on the clipboard.
  func copy(_ text: String) {
    gtk_clipboard_set_text(gtk_widget_get_clipboard(window, gdk_atom_intern("CLIPBOARD", 0)), text, -1)
  }
}

extension WindowFrame {
  /// The additions of our widgets to the user's theme.
  private static let css = """
    .tokentry-address { padding: 0 0 1px 0; border-bottom: 1px solid @borders; }
    .tokentry-address, .tokentry-around { background-color: shade(@theme_bg_color, 0.9); color: @theme_fg_color; }
    .tokentry-address button { min-height: 22px; min-width: 22px; padding: 0; }
    .tokentry-host { font-weight: bold; }
    .tokentry-warning { color: mix(@warning_color, @theme_fg_color, 0.6); opacity: 1; }
    .tokentry-error { color: mix(@error_color, @theme_fg_color, 0.4); font-weight: bold; }
    .tokentry-title { font-size: 150%; font-weight: bold; }
    .tokentry-detail { font-size: 88%; }
    .tokentry-card { border: 1px solid @borders; border-radius: 8px; }
    .tokentry-card > separator { background-color: @borders; }
    .tokentry-code { font-size: 220%; font-weight: bold; letter-spacing: 4px; }
    .tokentry-long-code { font-size: 120%; font-weight: bold; letter-spacing: 2px; }
    infobar entry selection { background-color: @theme_selected_bg_color; color: @theme_selected_fg_color; }
    button { outline: 2px solid @theme_selected_bg_color; outline-offset: -3px; }
    button.suggested-action { outline-color: @theme_selected_fg_color; }
    """

  private static func applyStyle() {
    let provider = gtk_css_provider_new()
    gtk_css_provider_load_from_data(provider, css, -1, nil)
    gtk_style_context_add_provider_for_screen(
      gdk_screen_get_default(), OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    g_object_unref(provider)
  }
}
