import CWebKitGTK
import GLibSupport
import LoginCore
import LoginWays
import Wording

/// The title, and what can be done with the window and its page.
@GLibActor
final class TitleBar {
  /// What the user can ask for.
  enum Request: CaseIterable {
    /// `close` is to cancel by what the desktop draws around windows, `leave` is that if it loses nothing, `goElsewhere` to
    /// take the link along.
    case cancel, close, leave, stay, back, reloadOrStop, resend, holdBack, openMenu, openInBrowser,
      openSafely, copyLink, goElsewhere, zoomIn, zoomOut, zoomNormal, stillHere
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
    back = .button(icon: "go-previous-symbolic", WindowWords.back.text) { ask(.back) }
    reload = .button(icon: "view-refresh-symbolic", WindowWords.reload.text) { ask(.reloadOrStop) }
    menu = Self.menuButton(offersBrowser: opening.offersBrowser, ask)
    g_object_ref_sink(bar)
    atk_object_set_name(gtk_widget_get_accessible(bar), title)
    gtk_header_bar_set_title(bar.cast(), title)
    gtk_header_bar_set_has_subtitle(bar.cast(), 0)
    if !opening.hasNoClose {
      let cancel = Widget.button(WindowWords.cancel.text) { ask(.cancel) }
      gtk_widget_set_tooltip_text(cancel, WindowWords.cancelName.text)
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
    reload.setName(isLoading ? WindowWords.stop.text : WindowWords.reload.text)
    gtk_image_set_from_icon_name(
      gtk_button_get_image(reload.cast()).cast(),
      isLoading ? "process-stop-symbolic" : "view-refresh-symbolic", GTK_ICON_SIZE_BUTTON)
  }

  /// There is no page any more to go back from or to load again.
  func leavePages() { for tool in [back, reload] { tool.setVisible(false) } }

  /// Opens the menu, in which keys choose.
  func openMenu() { if hasPages { gtk_button_clicked(menu.cast()) } }

  /// A menu that stays inside of the window, and says which keys do the same.
  private static func menuButton(
    offersBrowser: Bool, _ ask: @escaping @GLibActor (Request) -> Void
  ) -> Widget {
    let button: Widget = gtk_menu_button_new()
    let popover: Widget = gtk_popover_new(button)
    let list = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 0, [])
    let entries: [(String, Request)] = [
      (WindowWords.openInBrowser.text, .openInBrowser), (WindowWords.copyLink.text, .copyLink),
      (WindowWords.zoomIn.text, .zoomIn), (WindowWords.zoomOut.text, .zoomOut),
      (WindowWords.zoomNormal.text, .zoomNormal),
    ]
    for (text, request) in entries where offersBrowser || request != .openInBrowser {
      let item = menuItem(text, request.shortcut) {
        gtk_popover_popdown(popover.cast())
        ask(request)
      }
      gtk_box_pack_start(list.cast(), item, 0, 0, 0)
      if request == .copyLink {
        gtk_box_pack_start(list.cast(), gtk_separator_new(GTK_ORIENTATION_HORIZONTAL), 0, 0, 3)
      }
    }
    gtk_container_set_border_width(list.cast(), 6)
    atk_object_set_role(gtk_widget_get_accessible(list), ATK_ROLE_MENU)
    gtk_widget_show_all(list)
    gtk_container_add(popover.cast(), list)
    gtk_popover_set_constrain_to(popover.cast(), GTK_POPOVER_CONSTRAINT_WINDOW)
    gtk_button_set_image(
      button.cast(), gtk_image_new_from_icon_name("open-menu-symbolic", GTK_ICON_SIZE_BUTTON))
    gtk_menu_button_set_popover(button.cast(), popover)
    button.setName(WindowWords.menu.text)
    return button
  }

  /// A line of the menu: what it does, and at its end the key.
  private static func menuItem(
    _ text: String, _ shortcut: String?, _ press: @escaping @GLibActor () -> Void
  ) -> Widget {
    let item: Widget = gtk_button_new()
    let words: Widget = gtk_label_new_with_mnemonic(text)
    let key: Widget = gtk_label_new(shortcut)
    gtk_label_set_mnemonic_widget(words.cast(), item)
    gtk_widget_set_direction(key, GTK_TEXT_DIR_LTR)
    key.addClass("dim-label")
    let row = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 24, [words])
    gtk_box_pack_end(row.cast(), key, 0, 0, 0)
    gtk_container_add(item.cast(), row)
    gtk_button_set_relief(item.cast(), GTK_RELIEF_NONE)
    let accessible = gtk_widget_get_accessible(item)
    atk_object_set_role(accessible, ATK_ROLE_MENU_ITEM)
    atk_object_set_name(accessible, text.replacingAll("_", with: ""))
    atk_object_set_description(accessible, shortcut ?? "")
    connect(item, "clicked", press)
    return item
  }
}
