import CWebKitGTK
import GLibSupport
import Language
import LoginCore

/// A GTK widget. The container that it is in owns it.
typealias Widget = UnsafeMutablePointer<GtkWidget>

@GLibActor
extension UnsafeMutablePointer<GtkWidget> {
  /// Returns a label that wraps at the width of its place. Pango adds no hyphen where it breaks a word, because the user would
  /// take it for a part of a host or an address.
  static func label(_ text: String, classes: String...) -> Widget {
    let label: Widget = gtk_label_new(text)
    gtk_label_set_line_wrap(label.cast(), 1)
    gtk_label_set_line_wrap_mode(label.cast(), PANGO_WRAP_WORD_CHAR)
    gtk_label_set_justify(label.cast(), GTK_JUSTIFY_CENTER)
    for name in classes { label.addClass(name) }
    label.setAttributes(text)
    return label
  }

  /// Keeps a label's lines from breaking in the name of an option such as --trust, and in a label of a host name. Makes
  /// parts of the text, as bytes in UTF-8, bold.
  private func setAttributes(_ text: String, bold: [Range<Int>] = []) {
    let list = pango_attr_list_new()
    pango_attr_list_insert(list, pango_attr_insert_hyphens_new(0))
    let whole = text.optionNames + text.hostLabels
    // The list takes the attributes over.
    let parts =
      whole.map { ($0, pango_attr_allow_breaks_new(0)) }
      + bold.map { ($0, pango_attr_weight_new(PANGO_WEIGHT_BOLD)) }
    for (range, attribute) in parts {
      guard let attribute else { continue }
      attribute.pointee.start_index = guint(range.lowerBound)
      attribute.pointee.end_index = guint(range.upperBound)
      pango_attr_list_insert(list, attribute)
    }
    gtk_label_set_attributes(cast(), list)
    pango_attr_list_unref(list)
  }

  /// Returns the heading of one of our own pages.
  static func heading(_ text: String) -> Widget {
    let heading = label(text, classes: "tokentry-title")
    atk_object_set_role(gtk_widget_get_accessible(heading), ATK_ROLE_HEADING)
    return heading
  }

  /// Returns a paragraph of one of our own pages.
  static func sentence(_ text: String, _ classes: String...) -> Widget {
    let sentence = label(text)
    for name in classes { sentence.addClass(name) }
    gtk_label_set_max_width_chars(sentence.cast(), 44)
    return sentence
  }

  /// Returns a paragraph in which the values between the characters of ``Isolate`` are bold, so that no value passes for our
  /// own words. Other control characters are left out.
  static func sentence(emphasizingValuesIn text: String) -> Widget {
    let text = text.shown
    let sentence = sentence(text)
    var values: [Range<Int>] = []
    var (offset, start) = (0, 0)
    for scalar in text.unicodeScalars {
      if scalar == Isolate.end { values.append(start..<offset) }
      offset += UTF8.width(scalar)
      if scalar == Isolate.start { start = offset }
    }
    sentence.setAttributes(text, bold: values)
    return sentence
  }

  /// Returns the large icon at the top of one of our own pages. It is decoration: the words say the same.
  static func emblem(_ icon: String) -> Widget {
    let emblem: Widget = gtk_image_new_from_icon_name(icon, GTK_ICON_SIZE_DIALOG)
    gtk_image_set_pixel_size(emblem.cast(), 64)
    emblem.addClass("dim-label")
    return emblem
  }

  /// Returns an icon for a button or a line.
  static func icon(_ name: String) -> Widget { gtk_image_new_from_icon_name(name, GTK_ICON_SIZE_BUTTON) }

  /// Returns a button with a label. An underscore precedes the letter that presses it together with Alt.
  static func button(_ text: String, _ press: @escaping @GLibActor () -> Void) -> Widget {
    let button: Widget = gtk_button_new_with_mnemonic(text)
    connect(button, "clicked", press)
    return button
  }

  /// Returns a button with an icon. The name is its tooltip, and is read by screen readers.
  static func button(
    icon: String, _ name: String, _ press: @escaping @GLibActor () -> Void
  ) -> Widget {
    let button: Widget = gtk_button_new_from_icon_name(icon, GTK_ICON_SIZE_BUTTON)
    button.setName(name)
    connect(button, "clicked", press)
    return button
  }

  static func box(_ orientation: GtkOrientation, spacing: Int32, _ children: [Widget]) -> Widget {
    let box: Widget = gtk_box_new(orientation, spacing)
    for child in children { gtk_box_pack_start(box.cast(), child, 0, 0, 0) }
    return box
  }

  /// Returns a container that scrolls to the widget with the focus. It is as large as its child, up to the
  /// size of the screen without the part below it.
  static func scroller(_ child: Widget, above footer: Widget? = nil) -> Widget {
    let scroller: Widget = gtk_scrolled_window_new(nil, nil)
    gtk_scrolled_window_set_policy(scroller.cast(), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
    gtk_scrolled_window_set_propagate_natural_height(scroller.cast(), 1)
    gtk_scrolled_window_set_propagate_natural_width(scroller.cast(), 1)
    gtk_container_add(scroller.cast(), child)
    let adjustment = gtk_scrolled_window_get_vadjustment(scroller.cast())
    gtk_container_set_focus_vadjustment(child.cast(), adjustment)
    // Without anything to scroll, it would be one more stop of the Tab key.
    gtk_widget_set_can_focus(scroller, 0)
    if let adjustment {
      connect(adjustment, "changed") {
        let isLong = gtk_adjustment_get_upper(adjustment) > gtk_adjustment_get_page_size(adjustment)
        gtk_widget_set_can_focus(scroller, isLong ? 1 : 0)
      }
    }
    if let area = WorkArea.current {
      var footerHeight: gint = 0
      if let footer { gtk_widget_get_preferred_height(footer, &footerHeight, nil) }
      gtk_scrolled_window_set_max_content_height(
        scroller.cast(), max(200, area.height - WorkArea.edges - footerHeight))
    }
    return scroller
  }

  /// The tooltip that is shown, if there is one.
  static var tooltip: Widget? {
    let windows = gtk_window_list_toplevels()
    defer { g_list_free(windows) }
    return sequence(first: windows, next: { $0?.pointee.next }).prefix { $0 != nil }.lazy
      .compactMap { $0?.pointee.data?.assumingMemoryBound(to: GtkWidget.self) }
      .first {
        gtk_window_get_type_hint($0.cast()) == GDK_WINDOW_TYPE_HINT_TOOLTIP && gtk_widget_get_visible($0) != 0
      }
  }

  /// The upper and the lower edge on the screen of a widget with a surface of its own.
  var edges: (top: gint, bottom: gint) {
    var top: gint = 0
    gdk_window_get_origin(gtk_widget_get_window(self), nil, &top)
    return (top, top + gtk_widget_get_allocated_height(self))
  }

  /// Sets the words that a screen reader reads after the name.
  func describe(_ words: String) { atk_object_set_description(gtk_widget_get_accessible(self), words) }

  /// Sets the tooltip, which is also the name for screen readers.
  func setName(_ name: String) {
    gtk_widget_set_tooltip_text(self, name)
    atk_object_set_name(gtk_widget_get_accessible(self), name)
  }

  func addClass(_ name: String) { gtk_style_context_add_class(gtk_widget_get_style_context(self), name) }

  func removeClass(_ name: String) {
    gtk_style_context_remove_class(gtk_widget_get_style_context(self), name)
  }

  func setVisible(_ isVisible: Bool) { gtk_widget_set_visible(self, isVisible ? 1 : 0) }
}

extension String {
  /// A text of our caller in one line, as `forDisplay` makes it, but with the characters of ``Isolate``.
  var shown: String {
    var shown = ""
    for scalar in unicodeScalars.prefix(2_000) {
      let isKept = [" ", Isolate.start, Isolate.end].contains(scalar)
      let cleaned = scalar.isControl ? " " : String(scalar).forDisplay(limit: 1)
      shown += isKept ? String(scalar) : cleaned
    }
    return shown
  }

  /// The same for a screen reader, without those characters.
  var spoken: String { forDisplay(limit: 2_000) }
}

extension UnsafeMutablePointer {
  /// Casts a GObject to one of its superclasses or subclasses, like C's macros, without a check.
  func cast<Object>(to type: Object.Type = Object.self) -> UnsafeMutablePointer<Object> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: type)
  }
}

/// For a `GdkDisplay`, which Swift imports as an opaque pointer.
extension OpaquePointer {
  var isX11: Bool { isKind(gdk_x11_display_get_type()) }
  var isWayland: Bool { isKind(gdk_wayland_display_get_type()) }

  private func isKind(_ type: GType) -> Bool {
    let object = UnsafeMutableRawPointer(self).assumingMemoryBound(to: GTypeInstance.self)
    return g_type_check_instance_is_a(object, type) != 0
  }
}
