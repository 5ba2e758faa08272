import CWebKitGTK
import GLibSupport
import Language
import LoginCore
import WindowProtocol

/// The Cancel button, the title and, while the line with the address is hidden, the button that says more. The way back is
/// there while there is one.
@GLibActor
final class TitleBar {
  let widget: Widget
  private let back: Widget
  private let cancel: Widget?

  /// The width of most windows, and the part of it that another button and the gaps take.
  private static let (usualWidth, space): (gint, gint) = (480, 100)
  /// The keys that press a button.
  private static let activating = [
    GDK_KEY_space, GDK_KEY_KP_Space, GDK_KEY_Return, GDK_KEY_ISO_Enter, GDK_KEY_KP_Enter,
  ]

  init(title: String, _ opening: WindowOpening, _ info: InfoButton, _ act: @escaping ActionHandler) {
    widget = gtk_header_bar_new()
    back = .button(icon: "go-previous-symbolic", WindowWords.back.text) { act(.back) }
    g_object_ref_sink(widget)
    atk_object_set_name(gtk_widget_get_accessible(widget), title)
    gtk_header_bar_set_title(widget.cast(), title)
    // Names the application that the user signs in for, so that a window that comes up unasked cannot pass for
    // another program's.
    let requester = opening.options.requester
    gtk_header_bar_set_has_subtitle(widget.cast(), requester == nil ? 0 : 1)
    let hasCancel = !opening.options.hasNoClose && opening.explanation == nil
    cancel = hasCancel ? Widget.button(WindowWords.cancel.text) { act(.cancel) } : nil
    if let cancel {
      gtk_widget_set_tooltip_text(cancel, WindowWords.cancelName.text)
      // A key that presses the button does the same as Esc. Only the pointer or a screen reader cancels at once.
      connect(
        cancel, "mnemonic-activate",
        answering: { _ in
          act(.leave)
          return true
        })
      connect(
        cancel, "key-press-event",
        answering: { event in
          guard let event,
            Self.activating.contains(gint(UnsafeMutablePointer<GdkEvent>(event).pointee.key.keyval))
          else { return false }
          act(.leave)
          return true
        })
      gtk_header_bar_pack_start(widget.cast(), cancel)
    }
    gtk_header_bar_pack_start(widget.cast(), back)
    gtk_header_bar_pack_end(widget.cast(), info.widget)
    gtk_widget_show_all(widget)
    if let cancel { fit(cancel) }
    gtk_header_bar_set_subtitle(widget.cast(), requester.map(subtitle))
    update(canGoBack: false)
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

  /// Returns the sentence about the program that asks, or only the names in it if the sentence would be cut off.
  private func subtitle(_ requester: Requester) -> String {
    let sentence = requester.sentence.text
    guard case let names = requester.shortSentence, !names.isEmpty,
      let layout = gtk_widget_create_pango_layout(widget, sentence)
    else { return sentence }
    defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
    var (width, cancelWidth) = (gint(0), gint(0))
    pango_layout_get_pixel_size(layout, &width, nil)
    if let cancel { gtk_widget_get_preferred_width(cancel, &cancelWidth, nil) }
    let room = min(Self.usualWidth, WorkArea.current?.width ?? .max) - cancelWidth - Self.space
    return width > room ? names : sentence
  }

  func hideCancel() { cancel?.setVisible(false) }

  func update(canGoBack: Bool) { back.setVisible(canGoBack) }
}
