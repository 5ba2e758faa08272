import CWebKitGTK
import GLibSupport
import Language
import LoginCore
import WindowProtocol

/// The title, and the buttons and the menu for the window and its page.
@GLibActor
final class TitleBar {
  let widget: Widget
  private let back: Widget
  private let reload: Widget
  private let menu: Widget
  let info: InfoButton
  private let hasPages: Bool
  private var pageItems: [Widget] = []

  init(title: String, _ opening: WindowOpening, _ act: @escaping ActionHandler) {
    hasPages = opening.showsPages
    widget = gtk_header_bar_new()
    back = .button(icon: "go-previous-symbolic", WindowWords.back.text) { act(.back) }
    reload = .button(icon: "view-refresh-symbolic", WindowWords.reload.text) { act(.reloadOrStop) }
    (menu, pageItems) = Self.menuButton(offersBrowser: opening.offersBrowser, act)
    info = InfoButton(opening.options.requester)
    g_object_ref_sink(widget)
    atk_object_set_name(gtk_widget_get_accessible(widget), title)
    gtk_header_bar_set_title(widget.cast(), title)
    // Names the application that the user signs in for, so that a window that comes up unasked cannot pass for
    // another program's.
    gtk_header_bar_set_subtitle(widget.cast(), opening.options.requester?.sentence.text)
    gtk_header_bar_set_has_subtitle(widget.cast(), opening.options.requester == nil ? 0 : 1)
    let hasCancel = !opening.options.hasNoClose && opening.explanation == nil
    let cancel = hasCancel ? Widget.button(WindowWords.cancel.text) { act(.cancel) } : nil
    if let cancel {
      gtk_widget_set_tooltip_text(cancel, WindowWords.cancelName.text)
      gtk_header_bar_pack_start(widget.cast(), cancel)
    }
    gtk_header_bar_pack_start(widget.cast(), back)
    gtk_header_bar_pack_end(widget.cast(), menu)
    gtk_header_bar_pack_end(widget.cast(), info.widget)
    gtk_header_bar_pack_end(widget.cast(), reload)
    gtk_widget_show_all(widget)
    menu.setVisible(hasPages)
    info.update()
    if let cancel { fit(cancel) }
    update(canGoBack: false, isLoading: true)
  }

  isolated deinit { g_object_unref(widget) }

  /// Replaces the word on the button by a cross if the bar with all its buttons would be wider than the screen, as on a
  /// phone with large text.
  private func fit(_ cancel: Widget) {
    var width: gint = 0
    gtk_widget_get_preferred_width(widget, &width, nil)
    guard let area = WorkArea.current, width > area.width else { return }
    gtk_button_set_label(cancel.cast(), nil)
    gtk_button_set_image(
      cancel.cast(), gtk_image_new_from_icon_name("window-close-symbolic", GTK_ICON_SIZE_BUTTON))
    atk_object_set_name(
      gtk_widget_get_accessible(cancel), WindowWords.cancel.text.replacingAll("_", with: ""))
  }

  func update(canGoBack: Bool, isLoading: Bool) {
    back.setVisible(canGoBack)
    reload.setVisible(hasPages)
    reload.setName(isLoading ? WindowWords.stop.text : WindowWords.reload.text)
    gtk_image_set_from_icon_name(
      gtk_button_get_image(reload.cast()).cast(),
      isLoading ? "process-stop-symbolic" : "view-refresh-symbolic", GTK_ICON_SIZE_BUTTON)
  }

  /// Shows or hides the buttons and menu items for web pages.
  func show(pages arePages: Bool) {
    for part in [reload] + pageItems { part.setVisible(arePages) }
    if !arePages { back.setVisible(false) }
  }

  func openMenu() { if hasPages { gtk_button_clicked(menu.cast()) } }

  /// Returns the menu button, and the parts of its menu that are for web pages alone. The menu stays inside the window,
  /// and shows the keyboard shortcuts.
  private static func menuButton(offersBrowser: Bool, _ act: @escaping ActionHandler) -> (
    Widget, pageItems: [Widget]
  ) {
    let button: Widget = gtk_menu_button_new()
    var pageItems: [Widget] = []
    let popover: Widget = gtk_popover_new(button)
    let list = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 0, [])
    let entries: [(String, UserAction)] = [
      (WindowWords.openInBrowser.text, .openInBrowser), (WindowWords.copyPageAddress.text, .copyLink),
      (WindowWords.zoomIn.text, .zoomIn),
      (WindowWords.zoomOut.text, .zoomOut),
      (WindowWords.zoomNormal.text, .zoomNormal),
    ]
    for (text, action) in entries where offersBrowser || action != .openInBrowser {
      let item = menuItem(text, action.shortcut) {
        gtk_popover_popdown(popover.cast())
        act(action)
      }
      gtk_box_pack_start(list.cast(), item, 0, 0, 0)
      if [.zoomIn, .zoomOut, .zoomNormal].contains(action) { pageItems.append(item) }
      if action == .copyLink, let line = gtk_separator_new(GTK_ORIENTATION_HORIZONTAL) {
        gtk_box_pack_start(list.cast(), line, 0, 0, 3)
        pageItems.append(line)
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
    return (button, pageItems)
  }

  private static func menuItem(
    _ text: String, _ shortcut: String?, _ press: @escaping @GLibActor () -> Void
  ) -> Widget {
    let item: Widget = gtk_button_new()
    let label: Widget = gtk_label_new_with_mnemonic(text)
    let key: Widget = gtk_label_new(shortcut)
    gtk_label_set_mnemonic_widget(label.cast(), item)
    gtk_widget_set_direction(key, GTK_TEXT_DIR_LTR)
    key.addClass("dim-label")
    let row = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 24, [label])
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
