import CWebKitGTK

extension TitleBar.Request {
  /// What a key asks for, whatever the page would do with it.
  init?(_ event: UnsafePointer<GdkEvent>) {
    var key: guint = 0
    var state = GdkModifierType(rawValue: 0)
    gdk_event_get_keyval(event, &key)
    gdk_event_get_state(event, &state)
    let held = state.rawValue & gtk_accelerator_get_default_mod_mask().rawValue
    switch (held, Int32(bitPattern: key)) {
    case (0, GDK_KEY_Escape): self = .cancel
    case (0, GDK_KEY_F5), (GDK_CONTROL_MASK.rawValue, GDK_KEY_r): self = .reloadOrStop
    case (GDK_CONTROL_MASK.rawValue, GDK_KEY_b): self = .openInBrowser
    case (GDK_MOD1_MASK.rawValue, GDK_KEY_Left): self = .back
    case (GDK_CONTROL_MASK.rawValue, GDK_KEY_plus), (GDK_CONTROL_MASK.rawValue, GDK_KEY_equal): self = .zoomIn
    case (GDK_CONTROL_MASK.rawValue, GDK_KEY_minus): self = .zoomOut
    case (GDK_CONTROL_MASK.rawValue, GDK_KEY_0): self = .zoomNormal
    default: return nil
    }
  }
}
