import CGLib

/// What GLib and the libraries on it say of themselves, which they would write on standard error in a form of their own.
public enum LibraryMessages {
  private typealias Taker = Handler<@Sendable (String) -> Void>

  /// Hands their warnings to `take` from now on; to be called once. What somebody has asked for with
  /// `G_MESSAGES_DEBUG`, and what ends the program, stays as it is.
  public static func hand(to take: @escaping @Sendable (String) -> Void) {
    g_log_set_writer_func(
      { level, fields, count, data in
        let warnings =
          G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_WARNING.rawValue | G_LOG_LEVEL_MESSAGE.rawValue
        guard level.rawValue & warnings != 0, level.rawValue & G_LOG_FLAG_FATAL.rawValue == 0, let fields,
          let data
        else { return g_log_writer_default(level, fields, count, nil) }
        var parts: [String: String] = [:]
        for field in UnsafeBufferPointer(start: fields, count: Int(count)) where field.length < 0 {
          let name = String(cString: field.key)
          guard name == "GLIB_DOMAIN" || name == "MESSAGE", let value = field.value else { continue }
          parts[name] = String(cString: value.assumingMemoryBound(to: CChar.self))
        }
        let domain = parts["GLIB_DOMAIN"].map { "\($0): " } ?? ""
        Taker.body(data)(domain + (parts["MESSAGE"] ?? ""))
        return G_LOG_WRITER_HANDLED
      }, Taker.retained(take), nil)
  }
}
