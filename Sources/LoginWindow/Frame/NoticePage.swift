import CWebKitGTK
import GLibSupport
import Wording

/// A page that says that something is over, with one way on: a code has expired, or a login has failed.
@GLibActor
final class NoticePage: NativePage {
  /// `reason` is for experts, and may be empty.
  init(
    _ title: String, _ sentence: String, reason: String = "", then action: UserAction,
    _ act: @escaping ActionHandler
  ) {
    let button = Widget.button(action.label) { act(action) }
    button.addClass("suggested-action")
    gtk_widget_set_halign(button, GTK_ALIGN_CENTER)
    atk_object_set_description(gtk_widget_get_accessible(button), sentence)
    let details = Widget.label(reason, classes: "tokentry-detail")
    gtk_label_set_max_width_chars(details.cast(), 44)
    super.init(
      [.emblem("dialog-warning-symbolic"), .heading(title), .sentence(sentence)]
        + (reason.isEmpty ? [] : [details])
        + [button], focus: button
    ) { accessible in
      atk_object_set_role(accessible, ATK_ROLE_ALERT)
      atk_object_set_name(accessible, title)
      atk_object_set_description(accessible, sentence)
    }
  }
}
