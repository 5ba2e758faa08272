import CWebKitGTK
import GLibSupport
import LoginWays
import Wording

/// A page of ours in place of one that is not there: a plain sentence, and the ways on.
@GLibActor
final class FailurePage: OwnPage {
  /// `ways` are what the user can do here, the most obvious first.
  init(_ fault: PageFault, ways: [TitleBar.Request], _ ask: @escaping @GLibActor (TitleBar.Request) -> Void) {
    let buttons: [Widget] = ways.map { way in .button(way.words) { ask(way) } }
    buttons.first?.addClass("suggested-action")
    let text = FailureText(fault)
    if let first = buttons.first {
      atk_object_set_description(gtk_widget_get_accessible(first), text.sentence.text)
    }
    super.init(Self.parts(fault, text, buttons: buttons), focus: buttons.first) { accessible in
      // Nobody who does not see the window would learn otherwise that there is something else in it now.
      atk_object_set_role(accessible, ATK_ROLE_ALERT)
      atk_object_set_name(accessible, text.title.text)
      atk_object_set_description(accessible, text.sentence.text)
    }
  }

  private static func parts(_ fault: PageFault, _ text: FailureText, buttons: [Widget]) -> [Widget] {
    let icon = Widget.emblem(fault.icon)
    gtk_widget_set_margin_bottom(icon, 6)
    let details = text.details.map { detail in
      let label = Widget.label(detail.text, classes: "tokentry-detail")
      gtk_label_set_selectable(label.cast(), 1)
      gtk_widget_set_can_focus(label, 0)
      gtk_label_set_max_width_chars(label.cast(), 44)
      return label
    }
    let row = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 6, buttons)
    gtk_widget_set_halign(row, GTK_ALIGN_CENTER)
    gtk_widget_set_margin_top(row, 12)
    return [icon, .heading(text.title.text), .sentence(text.sentence.text)] + details + [row]
  }
}

extension PageFault {
  /// The picture above the words.
  fileprivate var icon: String {
    switch self {
    case .offline: "network-offline-symbolic"
    case .unknownHost, .connection: "network-error-symbolic"
    case .tls: "channel-insecure-symbolic"
    case .viewEnded, .refused: "dialog-warning-symbolic"
    }
  }
}
