import CWebKitGTK
import GLibSupport
import LoginCore
import LoginWays
import Wording

/// The window without what it is for: title bar, address, progress, and a place for one page at a time.
@GLibActor
final class WindowFrame {
  private let address = AddressLine()
  let titleBar: TitleBar
  let offerBar: OfferBar
  let deadlineBar: DeadlineBar
  /// How large the window is; nothing where it is as large as what is in it.
  private(set) var room: WindowRoom?
  /// Whether there is something in front of the window.
  private(set) var isObscured = false
  /// What is typed into the page, and the key that leaves it.
  private(set) var escape: EscapeKey?
  /// The view that is shown, if one is.
  weak var view: WebView?
  private let window: Widget
  private let pages: Widget
  /// What pages are in, with a border that belongs to the line above them: whatever a page draws is inside it.
  private let border: Widget = .box(GTK_ORIENTATION_VERTICAL, spacing: 0, [])
  private let progress: Widget

  /// `arranged` is told of the size that the user gives the window.
  init(
    _ opening: WindowOpening, _ ask: @escaping @GLibActor (TitleBar.Request) -> Void,
    arranged: @escaping @GLibActor (WindowSize) -> Void
  ) {
    let title = opening.title?.forDisplay(limit: 100) ?? WindowWords.title.text
    titleBar = TitleBar(title: title, opening, ask)
    offerBar = OfferBar(opening, ask)
    window = gtk_window_new(GTK_WINDOW_TOPLEVEL)
    deadlineBar = DeadlineBar(in: window) { ask(.stillHere) }
    pages = gtk_stack_new()
    progress = gtk_progress_bar_new()
    gtk_window_set_title(window.cast(), title)
    gtk_window_set_titlebar(window.cast(), titleBar.widget)
    if opening.showsPages {
      room = WindowRoom(of: window, opening, arranged)
    } else {
      gtk_window_set_resizable(window.cast(), 0)  // as large as what is in it
      atk_object_set_role(gtk_widget_get_accessible(window), ATK_ROLE_DIALOG)
    }
    if opening.isQuiet { gtk_window_set_focus_on_map(window.cast(), 0) }
    gtk_window_set_position(window.cast(), GTK_WIN_POS_CENTER)
    gtk_window_set_type_hint(window.cast(), GDK_WINDOW_TYPE_HINT_DIALOG)
    gtk_window_set_icon_name(window.cast(), Self.icon)
    Theme.apply()
    arrange(aroundPages: opening.showsPages, opening.requester)
    watch(ask)
  }

  isolated deinit { gtk_widget_destroy(window) }

  /// Our own where it is installed.
  private static var icon: String {
    let name = Surroundings.applicationID
    return gtk_icon_theme_has_icon(gtk_icon_theme_get_default(), name) != 0 ? name : "dialog-password"
  }

  private func arrange(aroundPages: Bool, _ requester: Requester?) {
    let overlay: Widget = gtk_overlay_new()
    gtk_container_add(overlay.cast(), pages)
    add(.box(GTK_ORIENTATION_VERTICAL, spacing: 0, []))
    progress.addClass("osd")
    gtk_widget_set_valign(progress, GTK_ALIGN_START)
    atk_object_set_name(gtk_widget_get_accessible(progress), WindowWords.loading.text)
    gtk_overlay_add_overlay(overlay.cast(), progress)
    gtk_overlay_set_overlay_pass_through(overlay.cast(), progress, 1)
    gtk_box_pack_start(border.cast(), overlay, 1, 1, 0)
    let lines = [
      requester.map(RequesterLine.widget), address.widget, deadlineBar.widget, offerBar.widget,
    ].compactMap(\.self)
    let all = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 0, lines)
    if aroundPages { all.addClass("tokentry-around") }
    gtk_box_pack_start(all.cast(), border, 1, 1, 0)
    gtk_container_add(window.cast(), all)
    gtk_widget_show_all(all)
    progress.setVisible(false)
    offerBar.hide()
    deadlineBar.hide()
    showNoAddress()
  }

  private func watch(_ ask: @escaping @GLibActor (TitleBar.Request) -> Void) {
    connect(
      window, "delete-event",
      answering: { _ in
        ask(.close)
        return true
      })
    TitleBar.Request.listen(in: window, ask)
    escape = EscapeKey(in: window, view: { [weak self] in self?.view }, leave: { ask(.leave) })
    gtk_widget_add_events(window, gint(bitPattern: GDK_VISIBILITY_NOTIFY_MASK.rawValue))
    connect(
      window, "visibility-notify-event",
      answering: { [weak self] event in
        guard let event else { return false }
        let state = UnsafePointer<GdkEventVisibility>(event).pointee.state
        self?.isObscured = state != GDK_VISIBILITY_UNOBSCURED
        return false
      })
  }

  /// Makes room for a page that is shown when there is something to see: with a view that has nothing to paint
  /// yet, WebKit would keep the whole window from being painted for half a second.
  func add(_ page: Widget) { gtk_container_add(pages.cast(), page) }

  /// Puts a page into the place of the one before it, which stays where it is underneath.
  func show(_ page: Widget) {
    if gtk_stack_get_visible_child(pages.cast()) == page { return }
    if gtk_widget_get_parent(page) == nil { add(page) }
    gtk_stack_set_visible_child(pages.cast(), page)
    gtk_widget_grab_focus(page)
  }

  /// Says whose page is shown, and puts the border around it.
  func show(_ address: PageAddress) {
    self.address.show(address)
    border.addClass("tokentry-framed")
  }

  /// Says whose page will be shown.
  func showConnecting(to address: PageAddress) {
    self.address.showConnecting(to: address)
    border.addClass("tokentry-framed")
  }

  /// There is no page of others.
  func showNoAddress() {
    address.hide()
    border.removeClass("tokentry-framed")
  }

  /// Shows how far a page is; nothing if it is complete.
  func show(progress fraction: Double?) {
    progress.setVisible(fraction != nil)
    if let fraction { gtk_progress_bar_set_fraction(progress.cast(), fraction) }
  }

  /// Puts the window in front of one of the caller's, before it is shown. Returns why that cannot be, if it cannot.
  func belong(to parent: ParentWindow) -> ParentFault? { parent.adopt(window) }

  /// Makes the window visible, or brings it to the front.
  func present() { gtk_window_present(window.cast()) }

  var isVisible: Bool { gtk_widget_get_visible(window) != 0 }

  /// Whether it has the keyboard.
  var hasAttention: Bool { gtk_window_is_active(window.cast()) != 0 }

  /// What the title bar says.
  var title: String { String(cString: gtk_window_get_title(window.cast())) }

  func hide() { window.setVisible(false) }

  /// Puts a text on the clipboard.
  func copy(_ text: String) {
    gtk_clipboard_set_text(gtk_widget_get_clipboard(window, gdk_atom_intern("CLIPBOARD", 0)), text, -1)
  }
}
