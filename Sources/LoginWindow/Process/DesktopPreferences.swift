import CLinux
import CWebKitGTK
import GLibSupport
import Glibc

/// How the user wants all windows to look, as the desktop's settings portal tells, and tells again when that changes
/// (org.freedesktop.portal.Settings).
///
/// The portal answers nobody into whose process it cannot look, and into this one nobody can. So it is asked by a child
/// that is made before that, and that never has anything to do with a page. Changes it tells everybody.
@GLibActor
final class DesktopPreferences {
  private var reader: DescriptorReader?
  private var bus: OpaquePointer?
  private var subscription: guint = 0
  private var isDark = false
  private var hasContrast = false

  private nonisolated static let name = "org.freedesktop.portal.Desktop"
  private nonisolated static let interface = "org.freedesktop.portal.Settings"
  private nonisolated static let path = "/org/freedesktop/portal/desktop"
  /// The names under which the portal keeps them.
  private nonisolated static let spaces = [
    "org.freedesktop.appearance", "org.gnome.desktop.interface", "org.gnome.desktop.a11y.interface",
  ]

  /// The child that asks, and where its answers come from, a line each.
  struct Question: Sendable {
    fileprivate let process: pid_t
    fileprivate let answers: Int32
  }

  /// Reads what the child has been told, and listens for changes.
  init(_ question: Question?) {
    guard let question else { return }
    let reader = DescriptorReader(descriptor: question.answers)
    self.reader = reader
    GLibActor.task { [weak self] in
      while let line = try? await reader.line(keeping: 200) {
        let words = String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
        if words.count == 2 { self?.take(words[0], words[1]) }
      }
      close(question.answers)
      waitpid(question.process, nil, 0)  // it has ended, or ends now
      await self?.listen()
    }
  }

  isolated deinit {
    guard let bus else { return }
    g_dbus_connection_signal_unsubscribe(bus, subscription)
    g_object_unref(UnsafeMutableRawPointer(bus))
  }

  private func listen() async {
    guard MessageBus.isNamed else { return }
    let cancellable = Cancellable()
    let result = await asyncCall(cancellable) { ready, data in
      g_bus_get(G_BUS_TYPE_SESSION, cancellable.pointer, ready, data)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(result.pointer)) }
    guard let bus = g_bus_get_finish(result.pointer, nil) else { return }
    g_dbus_connection_set_exit_on_close(bus, 0)
    self.bus = bus
    typealias Body = @GLibActor (String, String) -> Void
    typealias Call =
      @GLibActor @convention(c) (
        OpaquePointer, UnsafePointer<gchar>?, UnsafePointer<gchar>, UnsafePointer<gchar>,
        UnsafePointer<gchar>,
        OpaquePointer, gpointer
      ) -> Void
    let call: Call = { _, _, _, _, _, parameters, data in
      if let (key, value) = DesktopPreferences.change(parameters) { Handler<Body>.body(data)(key, value) }
    }
    let body: Body = { [weak self] in self?.take($0, $1) }
    subscription = g_dbus_connection_signal_subscribe(
      bus, Self.name, Self.interface, "SettingChanged", Self.path, nil, G_DBUS_SIGNAL_FLAGS_NONE,
      unsafeBitCast(call, to: GDBusSignalCallback.self), Handler<Body>.retained(body), Handler<Body>.release)
  }

  /// What a signal says: the space, the key, and in a box the value.
  private nonisolated static func change(_ parameters: OpaquePointer) -> (key: String, value: String)? {
    guard g_variant_is_of_type(parameters, g_variant_type_checked_("(ssv)")) != 0 else { return nil }
    let parts = (0..<3).map { g_variant_get_child_value(parameters, gsize($0)) }
    defer { parts.forEach { g_variant_unref($0) } }
    guard let space = parts[0].map({ String(cString: g_variant_get_string($0, nil)) }),
      spaces.contains(space),
      let key = parts[1].map({ String(cString: g_variant_get_string($0, nil)) })
    else { return nil }
    return text(of: parts[2]).map { (key, $0) }
  }

  /// A number or a truth, out of as many boxes as it is in.
  private nonisolated static func text(of value: OpaquePointer?) -> String? {
    switch g_variant_classify(value) {
    case G_VARIANT_CLASS_VARIANT:
      let inner = g_variant_get_variant(value)
      defer { g_variant_unref(inner) }
      return text(of: inner)
    case G_VARIANT_CLASS_UINT32: return "\(g_variant_get_uint32(value))"
    case G_VARIANT_CLASS_BOOLEAN: return "\(g_variant_get_boolean(value))"
    case G_VARIANT_CLASS_DOUBLE: return "\(g_variant_get_double(value))"
    default: return nil
    }
  }
}

/// What they change.
extension DesktopPreferences {
  private func take(_ key: String, _ value: String) {
    switch key {
    case "color-scheme":
      isDark = value == "1"
      set("gtk-application-prefer-dark-theme", ["1": 1, "2": 0][value])
      setTheme()
    case "contrast", "high-contrast":
      hasContrast = value == "1"
      setTheme()
    case "reduced-motion": set("gtk-enable-animations", value == "1" ? 0 : nil)
    case "enable-animations": set("gtk-enable-animations", value == "0" ? 0 : nil)
    case "text-scaling-factor":
      guard let factor = Double(value), (0.5...4).contains(factor) else { return }
      // 1024 is one dot an inch, and 96 of those are the usual.
      set("gtk-xft-dpi", factor == 1 ? nil : gint(factor * 96 * 1_024))
    default: break
    }
  }

  /// The themes with much contrast come with GTK, the dark one under a name of its own.
  private func setTheme() {
    set("gtk-theme-name", "gchararray", hasContrast) { value in
      g_value_set_string(value, isDark ? "HighContrastInverse" : "HighContrast")
    }
  }

  private func set(_ name: String, _ number: gint?) {
    let type = name == "gtk-xft-dpi" ? "gint" : "gboolean"
    set(name, type, number != nil) { value in
      guard let number else { return }
      if type == "gint" { g_value_set_int(value, number) } else { g_value_set_boolean(value, number) }
    }
  }

  /// Sets one of GTK's settings, or leaves it to the theme and the display.
  private func set(
    _ name: String, _ type: String, _ isSet: Bool, _ fill: (UnsafeMutablePointer<GValue>) -> Void
  ) {
    let settings = gtk_settings_get_default()
    guard isSet else { return gtk_settings_reset_property(settings, name) }
    var value = GValue()
    g_value_init(&value, g_type_from_name(type))
    fill(&value)
    g_object_set_property(settings?.cast(), name, &value)
    g_value_unset(&value)
  }
}

/// The child that asks.
extension DesktopPreferences {
  /// It may take that long, in seconds, and the window does not wait for it.
  private nonisolated static let patience: guint = 3

  /// Asks, before there is another thread.
  nonisolated static func ask() -> Question? {
    guard let pipe = try? PipeEnds() else { return nil }
    let process = linux_fork()
    guard process == 0 else {
      let answers = pipe.keepReading()
      if process > 0 { return Question(process: process, answers: answers) }
      close(answers)
      return nil
    }
    alarm(patience)
    // The caller waits for the end of what this process writes, and would wait for the child.
    dup2(pipe.keepWriting(), 3)
    closefrom(4)
    tell(to: 3)
    _exit(0)
  }

  private nonisolated static func tell(to output: Int32) {
    guard MessageBus.isNamed, !MessageBus.settle(), let bus = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil)
    else { return }
    var names: [OpaquePointer?] = spaces.map { g_variant_new_string($0) }
    var arguments = [g_variant_new_array(nil, &names, gsize(names.count))]
    // A desktop without a portal is not given one for this.
    let reply = g_dbus_connection_call_sync(
      bus, name, path, interface, "ReadAll", g_variant_new_tuple(&arguments, 1), nil,
      G_DBUS_CALL_FLAGS_NO_AUTO_START, gint(patience) * 1_000, nil, nil)
    guard let reply else { return }
    var lines = ""
    for space in children(of: g_variant_get_child_value(reply, 0)) {
      for entry in children(of: g_variant_get_child_value(space, 1)) {
        guard let key = g_variant_get_child_value(entry, 0),
          let value = text(of: g_variant_get_child_value(entry, 1))
        else { continue }
        lines += "\(String(cString: g_variant_get_string(key, nil))) \(value)\n"
      }
    }
    _ = write(output, lines, lines.utf8.count)
  }

  private nonisolated static func children(of value: OpaquePointer?) -> [OpaquePointer?] {
    (0..<g_variant_n_children(value)).map { g_variant_get_child_value(value, $0) }
  }
}
