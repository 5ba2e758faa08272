import CWebKitGTK
import GLibSupport
import LoginCore
import LoginWays
import Wording

/// A page of ours that says which code is typed in where on another device, and how long that can be done
/// (RFC 8628 section 3.3).
@GLibActor
final class DevicePage: OwnPage {
  private let copies: [CopyButton]
  private var countdown: Countdown?

  init(
    _ instruction: DeviceInstruction, in opening: WindowOpening,
    _ ask: @escaping @GLibActor (TitleBar.Request) -> Void, _ copy: @escaping @GLibActor (String) -> Void
  ) {
    let text = DeviceText(instruction)
    let offersBrowser = opening.offersBrowser && !instruction.lacksBrowser
    let browser = Widget.button(TitleBar.Request.openInBrowser.words) { ask(.openInBrowser) }
    browser.addClass("suggested-action")
    gtk_widget_set_halign(browser, GTK_ALIGN_CENTER)
    copies = [
      CopyButton(DeviceText.copyAddress.text) { copy(instruction.verificationURI) },
      CopyButton(DeviceText.copyCode.text) { copy(instruction.userCode) },
    ]
    let time = Widget.label("")
    let top =
      instruction.picture.map { CodeImage.make($0, named: DeviceText.picture.text) }
      ?? .emblem("phone-symbolic")
    let words = [
      top, .heading(text.title.text), .sentence(text.sentence.text), Self.makeCard(instruction, copies),
    ]
    let rest =
      (instruction.secondsLeft == nil ? [] : [time]) + (text.problem.map { [.sentence($0.text)] } ?? [])
    super.init(
      words + rest + (offersBrowser ? [browser] : []), focus: offersBrowser ? browser : copies[1].widget)
    countdown = instruction.secondsLeft.map { seconds in
      Countdown(from: seconds) { left in gtk_label_set_text(time.cast(), DeviceText.time(left: left).text) }
    }
  }

  /// The address and the code below each other, each with what copies it.
  private static func makeCard(_ instruction: DeviceInstruction, _ copies: [CopyButton]) -> Widget {
    let address = selectable(instruction.verificationURI, "tokentry-host")
    gtk_label_set_max_width_chars(address.cast(), 34)
    // Nobody types in more than that, and the whole address is copied.
    gtk_label_set_lines(address.cast(), 3)
    gtk_label_set_ellipsize(address.cast(), PANGO_ELLIPSIZE_END)
    let code = selectable(instruction.userCode.forDisplay(limit: 100), codeClass(instruction.userCode))
    gtk_label_set_max_width_chars(code.cast(), 34)
    if instruction.userCode.unicodeScalars.count <= 24 { gtk_label_set_line_wrap(code.cast(), 0) }
    let card = Widget.box(
      GTK_ORIENTATION_VERTICAL, spacing: 0,
      [
        row(address, copies[0].widget), gtk_separator_new(GTK_ORIENTATION_HORIZONTAL),
        row(code, copies[1].widget),
      ])
    card.addClass("tokentry-card")
    return card
  }

  /// As large as its length allows.
  private static func codeClass(_ code: String) -> String {
    code.unicodeScalars.count <= 12 ? "tokentry-code" : "tokentry-long-code"
  }

  /// A text in the middle, and a button at the end.
  private static func row(_ label: Widget, _ button: Widget) -> Widget {
    let row = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, [])
    gtk_box_set_center_widget(row.cast(), label)
    gtk_box_pack_end(row.cast(), button, 0, 0, 0)
    gtk_container_set_border_width(row.cast(), 6)
    return row
  }

  /// A text that can be marked and copied, and that reads from left to right in every language.
  private static func selectable(_ text: String, _ name: String) -> Widget {
    let label = Widget.label(text, classes: name)
    gtk_label_set_selectable(label.cast(), 1)
    gtk_widget_set_direction(label, GTK_TEXT_DIR_LTR)
    // Where Pango breaks a word it would add a hyphen, which somebody would type in.
    let attributes = pango_attr_list_new()
    pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
    gtk_label_set_attributes(label.cast(), attributes)
    pango_attr_list_unref(attributes)
    return label
  }
}
