import CWebKitGTK
import GLibSupport
import Language
import LoginCore
import WindowProtocol

/// A page of our own in place of a web page. It is made of GTK's widgets, so that it looks different from any
/// web page and works when WebKit does not. See `FailurePage` and `QuestionPage`.
@GLibActor
class NativePage {
  /// The scrollable content.
  let widget: Widget
  private let focus: Widget?

  /// Puts the parts below each other in the middle of the window. `focus` is the widget that gets the
  /// keyboard: Return presses it, or typing fills it in. The `footer` stays in sight at the bottom while the
  /// parts scroll. `accessible` sets up the page as a whole for screen readers.
  init(
    _ parts: [Widget], footer: Widget? = nil, focus: Widget?,
    accessible: (UnsafeMutablePointer<AtkObject>?) -> Void = { _ in }
  ) {
    let box = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 12, parts)
    let scroller = Widget.scroller(box, above: footer)
    self.focus = focus
    gtk_widget_set_valign(box, GTK_ALIGN_CENTER)
    gtk_widget_set_halign(box, GTK_ALIGN_CENTER)
    gtk_container_set_border_width(box.cast(), 24)
    if let footer {
      widget = .box(GTK_ORIENTATION_VERTICAL, spacing: 0, [])
      gtk_box_pack_start(widget.cast(), scroller, 1, 1, 0)
      gtk_box_pack_end(widget.cast(), footer, 0, 0, 0)
    } else {
      widget = scroller
    }
    // A window that is as large as its page keeps its width from one page to the next.
    let room = (WorkArea.current?.width ?? 640) - WorkArea.edges / 4
    gtk_widget_set_size_request(box, min(410, room), -1)
    accessible(gtk_widget_get_accessible(footer == nil ? box : widget))
    g_object_ref_sink(widget)
    gtk_widget_show_all(widget)
  }

  isolated deinit {
    gtk_widget_destroy(widget)
    g_object_unref(widget)
  }

  /// Returns buttons below each other, for the footer of a page.
  static func column(of buttons: [Widget]) -> Widget {
    // Large text would make the window wider than the screen of a phone.
    for label in buttons.compactMap({ gtk_bin_get_child($0.cast()) }) {
      gtk_label_set_line_wrap(label.cast(), 1)
      gtk_label_set_justify(label.cast(), GTK_JUSTIFY_CENTER)
    }
    let column = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 6, buttons)
    gtk_widget_set_halign(column, GTK_ALIGN_CENTER)
    gtk_container_set_border_width(column.cast(), 12)
    return column
  }

  func takeFocus() { if let focus { gtk_widget_grab_focus(focus) } }
}

/// Says why a web page could not be shown, and offers ways on.
@GLibActor
final class FailurePage: NativePage {
  /// The text that the user can copy for others.
  let report: String

  /// `actions` are the buttons, the recommended first.
  init(_ fault: PageFault, for requester: Requester?, actions: [UserAction], _ act: @escaping ActionHandler) {
    let buttons: [Widget] = actions.map { action in .button(action.label) { act(action) } }
    buttons.first?.addClass("suggested-action")
    let text = FailureText(fault, for: requester)
    report = text.report
    if let first = buttons.first {
      atk_object_set_description(gtk_widget_get_accessible(first), text.sentence.text)
    }
    let copy = Widget.button(UserAction.copyDetails.label) { act(.copyDetails) }
    gtk_widget_set_halign(copy, GTK_ALIGN_CENTER)
    connect(copy, "clicked") { gtk_button_set_label(copy.cast(), WindowWords.copied.text) }
    super.init(
      Self.parts(fault, text) + [copy], footer: Self.column(of: buttons), focus: buttons.first
    ) { accessible in
      // Without this, users of a screen reader would not learn that the content of the window has changed.
      atk_object_set_role(accessible, ATK_ROLE_ALERT)
      atk_object_set_name(accessible, text.title.text)
      atk_object_set_description(accessible, text.sentence.text)
    }
  }

  private static func parts(_ fault: PageFault, _ text: FailureText) -> [Widget] {
    let icon = Widget.emblem(icon(for: fault))
    gtk_widget_set_margin_bottom(icon, 6)
    let details = text.details.map { detail in
      let label = Widget.label(detail.text, classes: "tokentry-detail")
      gtk_label_set_selectable(label.cast(), 1)
      gtk_widget_set_can_focus(label, 0)
      gtk_label_set_max_width_chars(label.cast(), 44)
      return label
    }
    let words = [icon, .heading(text.title.text), .sentence(text.sentence.text)]
    return words + (text.hidesDetails && !details.isEmpty ? [fold(details)] : details)
  }

  /// Returns a line that shows the details when it is pressed.
  private static func fold(_ details: [Widget]) -> Widget {
    let fold: Widget = gtk_expander_new_with_mnemonic(WindowWords.details.text)
    let box = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 6, details)
    gtk_widget_set_margin_top(box, 6)
    gtk_container_add(fold.cast(), box)
    return fold
  }

  private static func icon(for fault: PageFault) -> String {
    switch fault {
    case .offline: "network-offline-symbolic"
    case .unknownHost, .connection: "network-error-symbolic"
    case .tls: "channel-insecure-symbolic"
    case .viewEnded, .refused: "dialog-warning-symbolic"
    }
  }
}
