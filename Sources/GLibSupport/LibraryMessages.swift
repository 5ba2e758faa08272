import CGLib

/// What GLib and the libraries on it say of themselves, which they would write on standard error in a form of their own.
public enum LibraryMessages {
  private typealias Taker = Handler<Takers>

  private struct Takers: Sendable {
    let take: @Sendable (String) -> Void
    let end: @Sendable () -> Void
  }

  /// Hands their warnings to `take` from now on; to be called once. What somebody has asked for with
  /// `G_MESSAGES_DEBUG` stays as it is, and so does what ends the program, behind which `end` is called: GLib would
  /// raise a signal, which its own threads have blocked and no handler hears of.
  public static func hand(
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
