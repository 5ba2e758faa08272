import CWebKitGTK
import GLibSupport

/// A widget of GTK. The container it is in owns it.
typealias Widget = UnsafeMutablePointer<GtkWidget>

@GLibActor
extension UnsafeMutablePointer<GtkWidget> {
  /// A text in lines as wide as their place.
  static func label(_ text: String, classes: String...) -> Widget {
    let label: Widget = gtk_label_new(text)
    gtk_label_set_line_wrap(label.cast(), 1)
    gtk_label_set_line_wrap_mode(label.cast(), PANGO_WRAP_WORD_CHAR)
    gtk_label_set_justify(label.cast(), GTK_JUSTIFY_CENTER)
    for name in classes { label.addClass(name) }
    return label
  }

  /// The words above a page of ours.
  static func heading(_ text: String) -> Widget {
    let heading = label(text, classes: "tokentry-title")
    atk_object_set_role(gtk_widget_get_accessible(heading), ATK_ROLE_HEADING)
    return heading
  }

  /// A sentence on a page of ours.
  static func sentence(_ text: String) -> Widget {
    let sentence = label(text)
    gtk_label_set_max_width_chars(sentence.cast(), 44)
    return sentence
  }

  /// A large picture above a page of ours, which says nothing that the words do not.
  static func emblem(_ icon: String) -> Widget {
    let emblem: Widget = gtk_image_new_from_icon_name(icon, GTK_ICON_SIZE_DIALOG)
    gtk_image_set_pixel_size(emblem.cast(), 64)
    emblem.addClass("dim-label")
    return emblem
  }

  /// A button with a word on it. An underline marks the letter that presses it together with Alt.
  static func button(_ text: String, _ press: @escaping @GLibActor () -> Void) -> Widget {
    let button: Widget = gtk_button_new_with_mnemonic(text)
    connect(button, "clicked", press)
    return button
  }

  /// A button with a picture on it, and the words for those who do not see it.
  static func button(
    icon: String, _ name: String, _ press: @escaping @GLibActor () -> Void
  ) -> Widget {
    let button: Widget = gtk_button_new_from_icon_name(icon, GTK_ICON_SIZE_BUTTON)
    button.setName(name)
    connect(button, "clicked", press)
    return button
  }

  /// A box with its children below or beside each other.
  static func box(_ orientation: GtkOrientation, spacing: Int32, _ children: [Widget]) -> Widget {
    let box: Widget = gtk_box_new(orientation, spacing)
    for child in children { gtk_box_pack_start(box.cast(), child, 0, 0, 0) }
    return box
  }

  /// A place that scrolls to what has the focus, and is as large as what is in it unless that is larger than the screen.
  static func scroller(_ child: Widget) -> Widget {
    let scroller: Widget = gtk_scrolled_window_new(nil, nil)
    gtk_scrolled_window_set_policy(scroller.cast(), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
    gtk_scrolled_window_set_propagate_natural_height(scroller.cast(), 1)
    gtk_scrolled_window_set_propagate_natural_width(scroller.cast(), 1)
    gtk_container_add(scroller.cast(), child)
    gtk_container_set_focus_vadjustment(child.cast(), gtk_scrolled_window_get_vadjustment(scroller.cast()))
    if let area = WorkArea.current {
      gtk_scrolled_window_set_max_content_height(scroller.cast(), max(200, area.height - WorkArea.edges))
    }
    return scroller
  }

  /// What it is called, for a pointer that rests on it and for a screen reader.
  func setName(_ name: String) {
    gtk_widget_set_tooltip_text(self, name)
    atk_object_set_name(gtk_widget_get_accessible(self), name)
  }

  func addClass(_ name: String) { gtk_style_context_add_class(gtk_widget_get_style_context(self), name) }

  func removeClass(_ name: String) {
    gtk_style_context_remove_class(gtk_widget_get_style_context(self), name)
  }

  /// Whether it can be seen.
  func setVisible(_ isVisible: Bool) { gtk_widget_set_visible(self, isVisible ? 1 : 0) }
}

/// What of the screen windows may take.
@GLibActor
enum WorkArea {
  /// What a window needs besides its page: the title bar, and what a theme draws around it.
  static let edges: gint = 80

  static var current: GdkRectangle? {
    let display = gdk_display_get_default()
    guard let monitor = gdk_display_get_primary_monitor(display) ?? gdk_display_get_monitor(display, 0) else {
      return nil
    }
    var area = GdkRectangle()
    gdk_monitor_get_workarea(monitor, &area)
    return area
  }
}
