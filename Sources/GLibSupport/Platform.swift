import CGLib

/// The sandbox of a Flatpak.
package enum Flatpak {
  /// The file that exists in every Flatpak.
  package static let sign = "/.flatpak-info"

  /// True if this process runs in a Flatpak. The file must name an application: WebKit can leave an empty one behind on a
  /// system that is not a Flatpak.
  package static var isAround: Bool {
    if g_file_test(sign, G_FILE_TEST_EXISTS) == 0 { return false }
    let file = g_key_file_new()
    defer { g_key_file_free(file) }
    return g_key_file_load_from_file(file, sign, G_KEY_FILE_NONE, nil) != 0
      && ["Application", "Runtime", "Instance"].contains { (name: String) in
        g_key_file_has_group(file, name) != 0
      }
  }
}

/// The message bus of the user's session, as far as the environment names one.
package enum KnownSessionBus {
  /// True if there is a bus to connect to. Check this first: without a bus, GLib might start one.
  package static var isThere: Bool {
    let folder = g_getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
    let hasSocket = folder.map { g_file_test("\($0)/bus", G_FILE_TEST_EXISTS) != 0 } ?? false
    return hasSocket || g_getenv("DBUS_SESSION_BUS_ADDRESS").map { $0.pointee != 0 } ?? false
  }
}

/// Log messages of GLib and the libraries on top of it, which they would write to standard error in their own format.
package enum LibraryMessages {
  private typealias Taker = Handler<Takers>

  private struct Takers: Sendable {
    let take: @Sendable (String) -> Void
    let end: @Sendable () -> Void
  }

  /// Passes their warnings to `take` from now on. Call it once.
  ///
  /// Debug messages that the user requested with `G_MESSAGES_DEBUG` stay as they are, and so do fatal ones. After a fatal
  /// message, `end` is called: GLib would raise a signal, which its own threads block and no handler notices.
  package static func hand(
    to take: @escaping @Sendable (String) -> Void, end: @escaping @Sendable () -> Void
  ) {
    g_log_set_writer_func(
      { level, fields, count, data in
        let warnings =
          G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_WARNING.rawValue | G_LOG_LEVEL_MESSAGE.rawValue
        let fatal = G_LOG_LEVEL_ERROR.rawValue | G_LOG_FLAG_FATAL.rawValue
        guard level.rawValue & warnings != 0, level.rawValue & fatal == 0, let fields, let data else {
          let result = g_log_writer_default(level, fields, count, nil)
          if level.rawValue & fatal != 0, let data { Taker.body(data).end() }
          return result
        }
        var parts: [String: String] = [:]
        for field in UnsafeBufferPointer(start: fields, count: Int(count)) where field.length < 0 {
          let name = String(cString: field.key)
          guard name == "GLIB_DOMAIN" || name == "MESSAGE", let value = field.value else { continue }
          parts[name] = String(cString: value.assumingMemoryBound(to: CChar.self))
        }
        let domain = parts["GLIB_DOMAIN"].map { "\($0): " } ?? ""
        Taker.body(data).take(domain + (parts["MESSAGE"] ?? ""))
        return G_LOG_WRITER_HANDLED
      }, Taker.retained(Takers(take: take, end: end)), nil)
  }
}
