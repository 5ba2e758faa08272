import CWebKitGTK
import GLibSupport
import LoginWays
import Wording

/// Says for whom somebody signs in, above whatever page is there: a window that comes up unasked cannot pass for
/// another program's.
@GLibActor
enum RequesterLine {
  static func widget(_ requester: Requester) -> Widget {
    let labels = requester.lines.map { text in
      let label = Widget.label(text.text)
      gtk_label_set_max_width_chars(label.cast(), 44)
      return label
    }
    let box = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 0, labels)
    box.addClass("tokentry-requester")
    return box
  }
}
