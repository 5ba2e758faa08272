import CWebKitGTK
import GLibSupport
import Wording

/// A button that copies something, and says for a moment that it has.
@GLibActor
final class CopyButton {
  let widget: Widget
  private let name: String
  private var afterwards: Source?

  private static let moment = Duration.seconds(2)

  init(_ name: String, _ copy: @escaping @GLibActor () -> Void) {
    self.name = name
    let button: Widget = gtk_button_new_from_icon_name("edit-copy-symbolic", GTK_ICON_SIZE_BUTTON)
    widget = button
    gtk_button_set_relief(button.cast(), GTK_RELIEF_NONE)
    gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
    button.setName(name)
    connect(button, "clicked") { [weak self] in
      copy()
      self?.say(WindowWords.copied.text, "object-select-symbolic")
      self?.afterwards = .timer(every: Self.moment) { [weak self] in
        self?.afterwards = nil
        self?.say(name, "edit-copy-symbolic")
      }
    }
  }

  private func say(_ text: String, _ icon: String) {
    widget.setName(text)
    gtk_image_set_from_icon_name(gtk_button_get_image(widget.cast()).cast(), icon, GTK_ICON_SIZE_BUTTON)
  }
}
