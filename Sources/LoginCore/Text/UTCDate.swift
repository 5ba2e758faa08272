/// A point in time in UTC, to the second, from year 1 to 9999. Written as in RFC 3339: `2026-11-21T07:14:00Z`.
///
/// Foundation's date is `Date(timeIntervalSince1970: Double(date.secondsSince1970))`.
public struct UTCDate: Sendable, Hashable, Comparable {
  /// The seconds since 1970-01-01T00:00:00Z, not counting leap seconds.
  public let secondsSince1970: Int64

  private static let earliest: Int64 = -62_135_596_800
  private static let latest: Int64 = 253_402_300_799

  /// Returns nil if the year would not be between 1 and 9999.
  public init?(secondsSince1970 seconds: Int64) {
    guard seconds >= Self.earliest, seconds <= Self.latest else { return nil }
    secondsSince1970 = seconds
  }

  private init(known seconds: Int64) { secondsSince1970 = seconds }

  /// The start of 1970.
  static let epoch = UTCDate(known: 0)

  /// Returns the date `seconds` later, or nil if that is after the year 9999.
  package func adding(seconds: Int64) -> UTCDate? {
    let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
    return overflow ? nil : UTCDate(secondsSince1970: sum)
  }

  /// Returns the seconds from `earlier` to this date.
  package func seconds(since earlier: UTCDate) -> Int64 {
    secondsSince1970 - earlier.secondsSince1970
  }

  public static func < (left: UTCDate, right: UTCDate) -> Bool {
    left.secondsSince1970 < right.secondsSince1970
  }
}

extension UTCDate: CustomStringConvertible {
  /// Reads only the exact form that ``description`` writes.
  package init?(_ text: some StringProtocol) {
    let text = String(text)
    let numbers = text.utf8.split { !$0.isDigit }.compactMap { Int64(Substring($0)) }
    // Numbers this short cannot overflow.
    guard text.utf8.count == 20, numbers.count == 6 else { return nil }
    let days = Self.days(year: numbers[0], month: numbers[1], day: numbers[2])
    self.init(secondsSince1970: days * 86_400 + numbers[3] * 3_600 + numbers[4] * 60 + numbers[5])
    // Refuses dates that do not exist, such as April 31, and other spellings.
    guard description.isIdentical(to: text) else { return nil }
  }

  /// Reads the date of a header field, such as `Sat, 21 Nov 2026 07:14:00 GMT` (RFC 9110 section 5.6.7). The two obsolete
  /// forms are not read.
  init?(http text: String) {
    let words = text.parts(at: " ")
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    guard words.count == 6, words[5] == "GMT", let index = months.firstIndex(of: words[2]) else { return nil }
    let month = index < 9 ? "0\(index + 1)" : "\(index + 1)"
    self.init("\(words[3])-\(month)-\(words[1])T\(words[4])Z")
  }

  public var description: String {
    let days = secondsSince1970.flooredDivision(by: 86_400)
    let second = secondsSince1970 - days * 86_400
    let (year, month, day) = Self.civil(days: days)
    func padded(_ value: Int64, _ width: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: width - digits.utf8.count) + digits
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
      + "T\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))Z"
  }
}

/// The proleptic Gregorian calendar. Years are counted from March, so that the leap day comes last.
extension UTCDate {
  private static let daysPer400Years: Int64 = 146_097
  /// The days from 0000-03-01 to 1970-01-01.
  private static let daysBefore1970: Int64 = 719_468

  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let marchYear = month > 2 ? year : year - 1
    let marchMonth = month > 2 ? month - 3 : month + 9
    let cycle = marchYear.flooredDivision(by: 400)
    let yearOfCycle = marchYear - cycle * 400
    let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
    let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
    return cycle * daysPer400Years + dayOfCycle - daysBefore1970
  }

  private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + daysBefore1970
    let cycle = shifted.flooredDivision(by: daysPer400Years)
    let dayOfCycle = shifted - cycle * daysPer400Years
    let yearOfCycle =
      (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}

extension Int64 {
  /// Returns the quotient, rounded towards negative infinity.
  fileprivate func flooredDivision(by divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
  }
}
