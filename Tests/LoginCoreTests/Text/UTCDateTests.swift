import Testing

@testable import LoginCore

@Suite("UTCDate")
struct UTCDateTests {
  private static let known: [(String, Int64)] = [
    ("0001-01-01T00:00:00Z", -62_135_596_800),
    ("0001-12-31T23:59:59Z", -62_104_060_801),
    ("0004-02-29T00:00:00Z", -62_035_891_200),
    ("1582-10-15T00:00:00Z", -12_219_292_800),
    ("1600-02-29T00:00:00Z", -11_670_998_400),
    ("1900-02-28T23:59:59Z", -2_203_891_201),
    ("1900-03-01T00:00:00Z", -2_203_891_200),
    ("1969-12-31T23:59:59Z", -1),
    ("1970-01-01T00:00:00Z", 0),
    ("1985-04-12T23:20:50Z", 482_196_050),  // RFC 3339 section 5.8, without the fraction
    ("1996-12-20T00:39:57Z", 851_042_397),  // RFC 3339 section 5.8
    ("2000-02-29T12:00:00Z", 951_825_600),
    ("2000-03-01T00:00:00Z", 951_868_800),
    ("2024-02-29T23:59:59Z", 1_709_251_199),
    ("2026-11-21T07:14:00Z", 1_795_245_240),
    ("2038-01-19T03:14:07Z", 2_147_483_647),
    ("2100-02-28T23:59:59Z", 4_107_542_399),
    ("2100-03-01T00:00:00Z", 4_107_542_400),
    ("2400-02-29T00:00:00Z", 13_574_563_200),
    ("9999-12-31T23:59:59Z", 253_402_300_799),
  ]

  @Test("A date is written as in RFC 3339", arguments: known)
  func writing(text: String, seconds: Int64) {
    #expect(UTCDate(secondsSince1970: seconds)?.description == text)
  }

  @Test("A date is read as its second", arguments: known)
  func reading(text: String, seconds: Int64) {
    #expect(UTCDate(text)?.secondsSince1970 == seconds)
  }

  @Test(
    "A second outside the years 1 to 9999 is not a date",
    arguments: [-62_135_596_801, 253_402_300_800, Int64.min, Int64.max])
  func bounds(seconds: Int64) {
    #expect(UTCDate(secondsSince1970: seconds) == nil)
  }

  @Test(
    "Any other spelling of a date is refused",
    arguments: [
      "", "2026", "2026-11-21", "2026-11-21T07:14:00", "2026-11-21T07:14:00z", "2026-11-21t07:14:00Z",
      "2026-11-21 07:14:00Z", "2026-11-21T07:14:00+00:00", "2026-11-21T07:14:00.5Z", "2026-11-21T07:14Z",
      " 2026-11-21T07:14:00Z", "2026-11-21T07:14:00Z ", "2026-11-21T07:14:00Z\n", "2026/11/21T07:14:00Z",
      "2026-11-21T07.14.00Z", "+026-11-21T07:14:00Z", "-026-11-21T07:14:00Z", "2026-+1-21T07:14:00Z",
      "12026-11-21T07:14:00Z", "20261-1-21T07:14:00Z", "２026-11-21T7:4:0Z", "2026-1１-1T07:14:00Z",
    ])
  func malformed(text: String) {
    #expect(UTCDate(text) == nil)
  }

  @Test(
    "A date that the calendar does not have is refused",
    arguments: [
      "2026-00-21T07:14:00Z", "2026-13-21T07:14:00Z", "2026-11-00T07:14:00Z", "2026-11-31T07:14:00Z",
      "2026-01-32T07:14:00Z", "2026-04-31T07:14:00Z", "2026-02-29T07:14:00Z", "2024-02-30T07:14:00Z",
      "1900-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T07:60:00Z",
      "2026-11-21T07:14:60Z", "0000-01-01T00:00:00Z", "0000-12-31T23:59:59Z", "9999-99-99T99:99:99Z",
    ])
  func impossible(text: String) {
    #expect(UTCDate(text) == nil)
  }

  @Test("Every date can be read back")
  func roundTrip() throws {
    // A prime step visits all times of the day and, over these years, all days of the year.
    let failed = stride(from: Int64(-62_135_596_800), through: 253_402_300_799, by: 31_556_957).filter {
      second in
      let date = UTCDate(secondsSince1970: second)
      return date == nil || date.flatMap { UTCDate($0.description) } != date
    }
    #expect(failed.isEmpty)
  }

  @Test("The days of a leap cycle follow each other")
  func successiveDays() throws {
    var previous = "1999-12-31T00:00:00Z"
    var wrong: [String] = []
    for day in 0..<Int64(1_461) {
      let text = try #require(UTCDate(secondsSince1970: 946_684_800 + day * 86_400)).description
      if text <= previous || UTCDate(text) == nil { wrong.append(text) }
      previous = text
    }
    #expect(wrong.isEmpty)
    #expect(previous == "2003-12-31T00:00:00Z")
  }

  @Test("Seconds are added across the end of a year")
  func adding() throws {
    let date = try #require(UTCDate("2026-12-31T23:59:59Z"))
    #expect(date.adding(seconds: 1)?.description == "2027-01-01T00:00:00Z")
    #expect(date.adding(seconds: -86_400)?.description == "2026-12-30T23:59:59Z")
    #expect(date.adding(seconds: 0) == date)
  }

  @Test("A sum beyond the calendar or beyond the integers is nil", arguments: [1, Int64.max])
  func addingTooMuch(seconds: Int64) throws {
    let last = try #require(UTCDate("9999-12-31T23:59:59Z"))
    #expect(last.adding(seconds: seconds) == nil)
    let first = try #require(UTCDate("0001-01-01T00:00:00Z"))
    #expect(first.adding(seconds: -seconds) == nil)
    #expect(first.adding(seconds: Int64.min) == nil)
  }

  @Test("Dates are ordered by time, and the distance between two has a sign")
  func order() throws {
    let early = try #require(UTCDate("1969-12-31T23:59:00Z")),
      late = try #require(UTCDate("1970-01-01T00:01:00Z"))
    #expect(early < late)
    #expect(!(late < early))
    #expect(late.seconds(since: early) == 120)
    #expect(early.seconds(since: late) == -120)
  }
}
