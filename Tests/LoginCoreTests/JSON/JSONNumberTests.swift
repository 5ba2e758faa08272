import Testing

@testable import LoginCore

/// Numbers keep their digits, and become integers without a trap.
@Suite("JSONNumber")
struct JSONNumberTests {
  @Test(
    "a number is handed on as it was written",
    arguments: [
      "0", "-0", "1", "-1", "1.10", "1e2", "1E2", "1e+2", "1E-2", "-0.0", "0e1", "0.000", "1.5e300", "1e400",
      "-1e-400",
      "12345678901234567890", "-9223372036854775809", "100000000000000000000000000000000000000000",
      "3.141592653589793238462643",
    ])
  func literals(literal: String) throws {
    let value = try JSONReader.read(Array("[\(literal)]".utf8))
    #expect(value == [.number(JSONNumber(literal: literal))])
    #expect(value.text == "[\(literal)]")
  }

  @Test("numbers are equal if they are written alike")
  func equality() {
    #expect(JSONNumber(literal: "1.0") != JSONNumber(literal: "1"))
    #expect(JSONNumber(literal: "100") == JSONNumber(100))
  }

  @Test(
    "a number is rounded towards zero",
    arguments: [
      ("0", 0), ("-0", 0), ("86400", 86_400), ("3599.99", 3_599), ("-1.9", -1), ("0.9", 0), ("1e3", 1_000),
      ("1.5E1", 15),
      ("12e-1", 1), ("1e-400", 0), ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
      ("9.1e18", 9_100_000_000_000_000_000),
      ("1.", 1),
    ])
  func truncated(literal: String, value: Int64) {
    #expect(JSONNumber(literal: literal).truncated == value)
  }

  @Test(
    "a number that does not fit, or is none, becomes nothing",
    arguments: [
      "9223372036854775808", "-9223372036854775809", "1e19", "-1e19", "1e400", "-1e400", "9.3e18",
      "99999999999999999999999999999999", "", ".", "-", "1.2.3", "nan", "inf", "-infinity",
    ])
  func notTruncated(literal: String) {
    #expect(JSONNumber(literal: literal).truncated == nil)
  }

  @Test(
    "an integer is written in its digits",
    arguments: [(0, "0"), (-1, "-1"), (Int64.min, "-9223372036854775808")])
  func integers(value: Int64, literal: String) {
    #expect(JSONNumber(value).literal == literal)
  }
}
