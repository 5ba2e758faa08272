import CWebKitGTK
import GLibSupport
import Language
import LoginCore
import WindowProtocol

/// Shows the code to enter on another device, the address to enter it at, and the time that is left
/// (RFC 8628 section 3.3).
@GLibActor
final class DevicePage: NativePage {
  private let copyButtons: [CopyButton]
  private var countdown: Countdown?

  init(
    _ instruction: DeviceInstruction, in opening: WindowOpening, _ act: @escaping ActionHandler,
    _ copy: @escaping @GLibActor (String) -> Void
  ) {
    let text = DeviceText(instruction)
    let offersBrowser = opening.offersBrowser && !instruction.lacksBrowser
    let browser = Widget.button(UserAction.openInBrowser.label) { act(.openInBrowser) }
    browser.addClass("suggested-action")
    gtk_widget_set_halign(browser, GTK_ALIGN_CENTER)
    copyButtons = [
      CopyButton(DeviceText.copyAddress.text) { copy(instruction.verificationURI) },
      CopyButton(DeviceText.copyCode.text) { copy(instruction.userCode) },
    ]
    let time = Widget.label("")
    let top =
      instruction.picture.map { QRCodeImage.make($0, named: DeviceText.picture.text) }
      ?? .emblem("phone-symbolic")
    let words = [
      top, .heading(text.title.text), .sentence(text.sentence.text), Self.makeCard(instruction, copyButtons),
    ]
    let rest =
      (instruction.secondsLeft == nil ? [] : [time]) + (text.problem.map { [.sentence($0.text)] } ?? [])
    super.init(
      words + rest + (offersBrowser ? [browser] : []), focus: offersBrowser ? browser : copyButtons[1].widget)
    countdown = instruction.secondsLeft.map { seconds in
      Countdown(from: seconds) { left in gtk_label_set_text(time.cast(), DeviceText.time(left: left).text) }
    }
  }

  /// Returns the address and the code below each other, each with its copy button.
  private static func makeCard(_ instruction: DeviceInstruction, _ copyButtons: [CopyButton]) -> Widget {
    let address = selectable(instruction.verificationURI, "tokentry-host")
    gtk_label_set_max_width_chars(address.cast(), 34)
    // A longer address is not typed but copied, and the button copies all of it.
    gtk_label_set_lines(address.cast(), 3)
    gtk_label_set_ellipsize(address.cast(), PANGO_ELLIPSIZE_END)
    let code = selectable(instruction.userCode.forDisplay(limit: 100), codeClass(instruction.userCode))
    gtk_label_set_max_width_chars(code.cast(), 34)
    if instruction.userCode.unicodeScalars.count <= 24 { gtk_label_set_line_wrap(code.cast(), 0) }
    let card = Widget.box(
      GTK_ORIENTATION_VERTICAL, spacing: 0,
      [
        row(address, copyButtons[0].widget), gtk_separator_new(GTK_ORIENTATION_HORIZONTAL),
        row(code, copyButtons[1].widget),
      ])
    card.addClass("tokentry-card")
    return card
  }

  private static func codeClass(_ code: String) -> String {
    code.unicodeScalars.count <= 12 ? "tokentry-code" : "tokentry-long-code"
  }

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
      self?.resetTimer = .timer(every: Self.confirmationTime) { [weak self] in
        self?.resetTimer = nil
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
private enum QRCodeImage {
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
