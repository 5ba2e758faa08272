import CWebKitGTK
import GLibSupport
import Language
import LoginCore
import WindowProtocol

/// An address and a code below each other, each with a button that copies it.
@GLibActor
struct CodeCard {
  let widget: Widget
  /// The button that copies the code.
  var focus: Widget { copyButtons[1].widget }
  private let copyButtons: [CopyButton]
  private let labels: [Widget]

  init(_ address: String, _ code: String, _ copy: @escaping @GLibActor (String) -> Void) {
    copyButtons = [
      CopyButton(WindowWords.copyAddress.text) { copy(address) },
      CopyButton(WindowWords.copyCode.text) { copy(code) },
    ]
    let addressLabel = Self.selectable(address, "tokentry-host")
    gtk_label_set_max_width_chars(addressLabel.cast(), 34)
    // A longer address is not typed but copied, and the button copies all of it.
    gtk_label_set_lines(addressLabel.cast(), 3)
    gtk_label_set_ellipsize(addressLabel.cast(), PANGO_ELLIPSIZE_END)
    let length = code.unicodeScalars.count
    let codeLabel = Self.selectable(
      code.forDisplay(limit: 100), length <= 12 ? "tokentry-code" : "tokentry-long-code")
    gtk_label_set_max_width_chars(codeLabel.cast(), 34)
    if length <= 24 { gtk_label_set_line_wrap(codeLabel.cast(), 0) }
    labels = [addressLabel, codeLabel]
    widget = .box(
      GTK_ORIENTATION_VERTICAL, spacing: 0,
      [
        Self.row(addressLabel, copyButtons[0].widget), gtk_separator_new(GTK_ORIENTATION_HORIZONTAL),
        Self.row(codeLabel, copyButtons[1].widget),
      ])
    widget.addClass("tokentry-card")
    // A code in large text breaks rather than leave a narrow screen.
    gtk_widget_show_all(widget)
    var needed: gint = 0
    gtk_widget_get_preferred_width(widget, &needed, nil)
    if needed > QuestionPage.room { gtk_label_set_line_wrap(codeLabel.cast(), 1) }
  }

  /// Takes back the selection of a text that GTK has given the keyboard.
  func deselect() { for label in labels { gtk_label_select_region(label.cast(), 0, 0) } }

  private static func row(_ label: Widget, _ button: Widget) -> Widget {
    let row = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, [])
    gtk_box_set_center_widget(row.cast(), label)
    gtk_box_pack_end(row.cast(), button, 0, 0, 0)
    gtk_container_set_border_width(row.cast(), 6)
    return row
  }

  /// Returns a label whose text can be selected, and reads from left to right in every language.
  private static func selectable(_ text: String, _ name: String) -> Widget {
    let label = Widget.label(text, classes: name)
    gtk_label_set_selectable(label.cast(), 1)
    gtk_widget_set_direction(label, GTK_TEXT_DIR_LTR)
    return label
  }
}

/// A button that copies something, and shows for a moment that it has.
@GLibActor
private final class CopyButton {
  let widget: Widget
  private let name: String
  private var resetTimer: Source?

  private static let confirmationTime = Duration.seconds(2)

  init(_ name: String, _ copy: @escaping @GLibActor () -> Void) {
    self.name = name
    let button: Widget = gtk_button_new_from_icon_name("edit-copy-symbolic", GTK_ICON_SIZE_BUTTON)
    widget = button
    gtk_button_set_relief(button.cast(), GTK_RELIEF_NONE)
    gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
    button.setName(name)
    connect(button, "clicked") { [weak self] in
      copy()
      self?.show(WindowWords.copied.text, "object-select-symbolic")
      self?.resetTimer = .after(Self.confirmationTime) { [weak self] in
        self?.show(name, "edit-copy-symbolic")
      }
    }
  }

  private func show(_ name: String, _ icon: String) {
    widget.setName(name)
    gtk_image_set_from_icon_name(gtk_button_get_image(widget.cast()).cast(), icon, GTK_ICON_SIZE_BUTTON)
  }
}

/// A QR code on the screen. It is dark on light in every theme, because cameras need that.
@GLibActor
enum QRCodeImage {
  /// The margin in modules that ISO/IEC 18004 requires.
  private static let quietZone = 4
  /// The size in pixels, about that of a telephone's back: a camera can read it from where the user sits.
  private static let edge = 200

  static func make(_ picture: CodePicture, named name: String) -> Widget {
    let modules = picture.size + 2 * quietZone
    let scale = max(2, edge / modules)
    let area: Widget = gtk_drawing_area_new()
    gtk_widget_set_size_request(area, gint(modules * scale), gint(modules * scale))
    gtk_widget_set_halign(area, GTK_ALIGN_CENTER)
    let accessible = gtk_widget_get_accessible(area)
    atk_object_set_role(accessible, ATK_ROLE_IMAGE)
    atk_object_set_name(accessible, name)
    connect(
      area, "draw",
      answering: { context in
        if let context { draw(picture, scale, on: context) }
        return true
      })
    return area
  }

  private static func draw(_ picture: CodePicture, _ scale: Int, on context: OpaquePointer) {
    cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE)
    cairo_set_source_rgb(context, 1, 1, 1)
    cairo_paint(context)
    cairo_set_source_rgb(context, 0, 0, 0)
    for row in 0..<picture.size {
      for column in 0..<picture.size where picture.isDark(row: row, column: column) {
        cairo_rectangle(
          context, Double((column + quietZone) * scale), Double((row + quietZone) * scale), Double(scale),
          Double(scale))
      }
    }
    cairo_fill(context)
  }
}
