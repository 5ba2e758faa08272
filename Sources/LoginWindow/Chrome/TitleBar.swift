import CWebKitGTK
import GLibSupport
import LoginWays
import Wording

/// The title, and what can be done with the window and its page.
@GLibActor
final class TitleBar {
  /// What the user can ask for.
  enum Request: CaseIterable {
    /// `leave` is to cancel if that loses nothing.
    case cancel, leave, stay, back, reloadOrStop, openMenu, openInBrowser, openSafely, copyLink, zoomIn,
      zoomOut,
      zoomNormal
  }

  private let bar: Widget
  private let back: Widget
  private let reload: Widget
  private let menu: Widget
  /// Whether there are pages that can be reloaded, copied and zoomed.
  private let hasPages: Bool

  init(title: String, _ opening: WindowOpening, _ ask: @escaping @GLibActor (Request) -> Void) {
    hasPages = opening.showsPages
    bar = gtk_header_bar_new()
    back = .button(icon: "go-previous-symbolic", WindowWords.back) { ask(.back) }
    reload = .button(icon: "view-refresh-symbolic", WindowWords.reload) { ask(.reloadOrStop) }
    menu = Self.menuButton(offersBrowser: opening.offersBrowser, ask)
    g_object_ref_sink(bar)
    atk_object_set_name(gtk_widget_get_accessible(bar), title)
    gtk_header_bar_set_title(bar.cast(), title)
    gtk_header_bar_set_has_subtitle(bar.cast(), 0)
    if !opening.hasNoClose {
      let cancel = Widget.button(WindowWords.cancel) { ask(.cancel) }
      gtk_widget_set_tooltip_text(cancel, WindowWords.cancelName)
      gtk_header_bar_pack_start(bar.cast(), cancel)
    }
    gtk_header_bar_pack_start(bar.cast(), back)
    gtk_header_bar_pack_end(bar.cast(), menu)
    gtk_header_bar_pack_end(bar.cast(), reload)
    gtk_widget_show_all(bar)
    for tool in [reload, menu] { tool.setVisible(hasPages) }
    update(canGoBack: false, isLoading: true)
  }

  isolated deinit { g_object_unref(bar) }

  var widget: Widget { bar }

  /// Shows what can be done now.
  func update(canGoBack: Bool, isLoading: Bool) {
    back.setVisible(canGoBack)
    reload.setName(isLoading ? WindowWords.stop : WindowWords.reload)
    gtk_image_set_from_icon_name(
      gtk_button_get_image(reload.cast()).cast(),
      isLoading ? "process-stop-symbolic" : "view-refresh-symbolic", GTK_ICON_SIZE_BUTTON)
  }

  /// There is no page any more to go back from or to load again.
  func leavePages() { for tool in [back, reload] { tool.setVisible(false) } }

  /// Opens the menu, in which keys choose.
  func openMenu() { if hasPages { gtk_button_clicked(menu.cast()) } }

  private static func menuButton(
    offersBrowser: Bool, _ ask: @escaping @GLibActor (Request) -> Void
  ) -> Widget {
    let menu: Widget = gtk_menu_new()
    let entries: [(String, Request)] = [
      (WindowWords.openInBrowser, .openInBrowser), (WindowWords.copyLink, .copyLink),
      (WindowWords.zoomIn, .zoomIn), (WindowWords.zoomOut, .zoomOut), (WindowWords.zoomNormal, .zoomNormal),
    ]
    for (text, request) in entries where offersBrowser || request != .openInBrowser {
      let item: Widget = gtk_menu_item_new_with_mnemonic(text)
      connect(item, "activate") { ask(request) }
      gtk_menu_shell_append(menu.cast(), item)
      if request == .copyLink { gtk_menu_shell_append(menu.cast(), gtk_separator_menu_item_new()) }
    }
    gtk_widget_show_all(menu)
    let button: Widget = gtk_menu_button_new()
    gtk_button_set_image(
      button.cast(), gtk_image_new_from_icon_name("open-menu-symbolic", GTK_ICON_SIZE_BUTTON))
    gtk_menu_button_set_popup(button.cast(), menu)
    button.setName(WindowWords.menu)
    return button
  }
}
