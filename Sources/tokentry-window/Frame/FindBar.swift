import CWebKitGTK
import GLibSupport
import Language

/// The bar that finds a text in the page. Ctrl+F opens it, and Esc closes it.
@GLibActor
final class FindBar {
  let widget: Widget
  /// Returns the view to search.
  var view: (@GLibActor () -> WebView?)?
  private let entry: Widget
  private let note: Widget

  init() {
    entry = gtk_search_entry_new()
    note = gtk_label_new(nil)
    widget = .box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, [])
    g_object_ref_sink(widget)
    widget.addClass("tokentry-find")
    note.addClass("dim-label")
    atk_object_set_name(gtk_widget_get_accessible(entry), WindowWords.findText.text)
    let buttons: [Widget] = [
      .button(icon: "go-up-symbolic", WindowWords.findPrevious.text) { [weak self] in self?.go(forward: false)
      },
      .button(icon: "go-down-symbolic", WindowWords.findNext.text) { [weak self] in self?.go(forward: true) },
      .button(icon: "window-close-symbolic", WindowWords.findEnd.text) { [weak self] in self?.close() },
    ]
    gtk_box_pack_start(widget.cast(), entry, 1, 1, 0)
    for part in [note] + buttons { gtk_box_pack_start(widget.cast(), part, 0, 0, 0) }
    connect(entry, "search-changed") { [weak self] in self?.search() }
    connect(entry, "activate") { [weak self] in self?.go(forward: true) }
    connect(entry, "next-match") { [weak self] in self?.go(forward: true) }
    connect(entry, "previous-match") { [weak self] in self?.go(forward: false) }
    connect(entry, "stop-search") { [weak self] in self?.close() }
    gtk_widget_show_all(widget)
  }

  isolated deinit { g_object_unref(widget) }

  func open() {
    guard view?() != nil else { return }
    widget.setVisible(true)
    gtk_widget_grab_focus(entry)
    search()
  }

  /// Hides the bar, for another page.
  func hide() {
    if let view = view?() { webkit_find_controller_search_finish(view.finder) }
    widget.setVisible(false)
  }

  /// Gives the page the keyboard back.
  private func close() {
    hide()
    if let view = view?() { gtk_widget_grab_focus(view.widget) }
  }

  private func search() {
    guard let view = view?(), gtk_widget_get_visible(widget) != 0 else { return }
    let text = String(cString: gtk_entry_get_text(entry.cast()))
    show(isFound: true)
    if text.isEmpty { return webkit_find_controller_search_finish(view.finder) }
    let options = WEBKIT_FIND_OPTIONS_CASE_INSENSITIVE.rawValue | WEBKIT_FIND_OPTIONS_WRAP_AROUND.rawValue
    webkit_find_controller_search(view.finder, text, options, guint(G_MAXINT))
  }

  private func go(forward isForward: Bool) {
    guard let view = view?(), String(cString: gtk_entry_get_text(entry.cast())) != "" else { return }
    if isForward {
      webkit_find_controller_search_next(view.finder)
    } else {
      webkit_find_controller_search_previous(view.finder)
    }
  }

  /// Shows a note if the text was not found.
  func show(isFound: Bool) {
    let text = isFound ? "" : WindowWords.notFound.text
    gtk_label_set_text(note.cast(), text)
    atk_object_set_description(gtk_widget_get_accessible(entry), text)
    if isFound { entry.removeClass("error") } else { entry.addClass("error") }
  }
}

extension WebView {
  fileprivate var finder: UnsafeMutablePointer<WebKitFindController>? {
    webkit_web_view_get_find_controller(pointer)
  }

  /// Reports the results of searches.
  func watchFinds() {
    guard let finder else { return }
    connect(finder, "failed-to-find-text") { [weak self] in self?.tell(.searched(isFound: false)) }
    connect(finder, argumentOf: "found-text") { [weak self] _ in self?.tell(.searched(isFound: true)) }
  }
}
