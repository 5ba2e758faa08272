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
    super.init(Self.parts(fault, buttons: buttons), focus: buttons.first)
  }

  private static func parts(_ fault: PageFault, buttons: [Widget]) -> [Widget] {
    let text = FailureText(fault)
    let icon = Widget.emblem(fault.icon)
    gtk_widget_set_margin_bottom(icon, 6)
    let details = text.details.map { detail in
      let label = Widget.label(detail, classes: "tokentry-detail")
      gtk_label_set_selectable(label.cast(), 1)
      gtk_widget_set_can_focus(label, 0)
      gtk_label_set_max_width_chars(label.cast(), 44)
      return label
    }
    let row = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 6, buttons)
    gtk_widget_set_halign(row, GTK_ALIGN_CENTER)
    gtk_widget_set_margin_top(row, 12)
    return [icon, .heading(text.title), .sentence(text.sentence)] + details + [row]
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
