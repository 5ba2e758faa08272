import CWebKitGTK
import GLibSupport
import Language
import LoginCore
import WindowProtocol

/// The button that says more about the window: who wants the user to sign in and which program the system sees behind that
/// name, whose page it is and how it came here, and the whole address. In a window for web pages it also copies the
/// address, opens the page in a browser, and reloads it.
@GLibActor
final class InfoButton {
  let widget: Widget
  /// Returns the page that can be seen, and its whole address.
  var page: (@GLibActor () -> (address: PageAddress, uri: String, isLoading: Bool)?)?
  private let requester: Requester?
  private let popover: Widget
  private let connection: Widget
  private let icon = Widget.icon("help-about-symbolic")
  private let explanation = InfoButton.line()
  private let address = InfoButton.line()
  private let reload: Widget
  private let hasPages: Bool

  /// Longer addresses are copied rather than read.
  private static let longestAddress = 600

  init(_ opening: WindowOpening, _ act: @escaping ActionHandler) {
    (requester, hasPages) = (opening.options.requester, opening.showsPages)
    widget = gtk_menu_button_new()
    let popover: Widget = gtk_popover_new(widget)
    self.popover = popover
    let button = { (label: String, action: UserAction) -> Widget in
      .button(label) {
        gtk_popover_popdown(popover.cast())
        act(action)
      }
    }
    reload = button(WindowWords.reload.text, .reloadOrStop)
    let browser =
      opening.offersBrowser ? [button(WindowWords.openInBrowser.text, .openInBrowser)] : []
    let buttons =
      hasPages ? browser + [button(WindowWords.copyPageAddress.text, .copyLink), reload] : []
    connection = .box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, [icon, explanation])
    gtk_button_set_image(widget.cast(), .icon("help-about-symbolic"))
    widget.setName(WindowWords.about.text)
    gtk_label_set_selectable(address.cast(), 1)
    gtk_widget_set_direction(address, GTK_TEXT_DIR_LTR)
    address.addClass("tokentry-detail")
    let list = Widget.box(
      GTK_ORIENTATION_VERTICAL, spacing: 6, requesterLines() + [connection, address] + buttons)
    gtk_container_set_border_width(list.cast(), 12)
    gtk_widget_show_all(list)
    gtk_container_add(popover.cast(), list)
    gtk_popover_set_constrain_to(popover.cast(), GTK_POPOVER_CONSTRAINT_WINDOW)
    gtk_menu_button_set_popover(widget.cast(), popover)
    connect(popover, "show") { [weak self] in self?.fill() }
  }

  private func requesterLines() -> [Widget] {
    guard let requester else { return [] }
    let (sentence, origin) = (Self.line(requester.sentence.text), Self.line(requester.origin.text))
    sentence.addClass("tokentry-host")
    origin.addClass("tokentry-detail")
    return [sentence, origin]
  }

  /// Returns a line that wraps.
  private static func line(_ text: String = "") -> Widget {
    let line = Widget.label(text)
    gtk_label_set_xalign(line.cast(), 0)
    gtk_label_set_justify(line.cast(), GTK_JUSTIFY_LEFT)
    gtk_label_set_max_width_chars(line.cast(), 36)
    return line
  }

  /// Shows the button where it `isWanted`, unless its popover would be empty.
  func update(isWanted: Bool) {
    widget.setVisible(isWanted && (requester != nil || hasPages))
    if gtk_widget_get_visible(popover) != 0 { fill() }
  }

  /// Opens the popover. Returns false if the button is not visible.
  func open() -> Bool {
    if gtk_widget_get_visible(widget) == 0 { return false }
    gtk_button_clicked(widget.cast())
    return true
  }

  private func fill() {
    let page = page?()
    let words = page?.address.text.explanation.text ?? ""
    let uri = page?.uri.forDisplay(limit: Self.longestAddress) ?? ""
    gtk_label_set_text(explanation.cast(), words)
    gtk_label_set_text(address.cast(), uri)
    if let name = page?.address.connection.icon {
      gtk_image_set_from_icon_name(icon.cast(), name, GTK_ICON_SIZE_BUTTON)
    }
    gtk_button_set_label(
      reload.cast(), page?.isLoading == true ? WindowWords.stop.text : WindowWords.reload.text)
    reload.setVisible(page != nil)
    connection.setVisible(!words.isEmpty)
    address.setVisible(!uri.isEmpty)
    // A screen reader reads this when the popover opens.
    let lines = [requester?.sentence.text, requester?.origin.text, words, uri].compactMap(\.self)
    atk_object_set_name(
      gtk_widget_get_accessible(popover), lines.filter { !$0.isEmpty }.joined(separator: ". "))
  }
}
