import Glibc
import LoginCore

/// Dates as the user reads them.
extension UTCDate {
  /// The day in the format of the user's country, or else `2026-11-21`.
  package var day: String { day(in: Self.usersFormat) }

  /// The year has two digits in the format of the C locale, so that it is not used.
  func day(in format: String?) -> String {
    let fit = format == "%m/%d/%y" ? nil : format
    return text(fit ?? Self.standardFormat) { gmtime_r(&$0, &$1) != nil }
  }

  /// The date and time in the zone of the user's machine, such as `2026-11-21 08:14`.
  package var inUsersZone: String {
    text("\(Self.standardFormat) %H:%M") { localtime_r(&$0, &$1) != nil }
  }

  private static let standardFormat = "%Y-%m-%d"

  /// The user's format for a day.
  private static let usersFormat: String? = {
    guard let locale = newlocale(LC_TIME_MASK, "", nil) else { return nil }
    defer { freelocale(locale) }
    return nl_langinfo_l(nl_item(D_FMT), locale).map { String(cString: $0) }
  }()

  private func text(_ format: String, _ split: (inout time_t, inout tm) -> Bool) -> String {
    var (seconds, parts) = (time_t(secondsSince1970), tm())
    var text = [CChar](repeating: 0, count: 40)
    guard split(&seconds, &parts), strftime(&text, text.count, format, &parts) > 0 else { return description }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
