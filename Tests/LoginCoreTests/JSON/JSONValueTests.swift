import Testing

@testable import LoginCore

@Suite("JSONValue")
struct JSONValueTests {
  private static let values: [JSONValue] = [.null, true, 1, "a", [1], ["a": 1]]

  @Test("A value is of one kind only")
  func kinds() {
    #expect(Self.values.map { $0.string != nil } == [false, false, false, true, false, false])
    #expect(Self.values.map { $0.object != nil } == [false, false, false, false, false, true])
    #expect(Self.values.map { $0.array != nil } == [false, false, false, false, true, false])
    #expect(Self.values.map { $0.bool != nil } == [false, true, false, false, false, false])
  }

  @Test("Values of different kinds are never equal")
  func equality() {
    for (i, first) in Self.values.enumerated() {
      for (j, second) in Self.values.enumerated() { #expect((first == second) == (i == j)) }
    }
    #expect(JSONValue.string("1") != 1)
    #expect(JSONValue.bool(false) != 0)
    #expect(JSONValue.null != false)
  }

  @Test("Strings are equal if their bytes are")
  func stringEquality() {
    #expect(JSONValue.string("\u{E9}") != "e\u{301}")
    #expect(JSONValue.array(["\u{E9}"]) != ["e\u{301}"])
    #expect(JSONValue.string("\u{E9}") == "\u{E9}")
  }
}

@Suite("JSONNumber")
struct JSONNumberTests {
  @Test(
    "A number is passed on as it was written",
    arguments: [
      "0", "-0", "1", "-1", "1.10", "1e2", "1E2", "1e+2", "1E-2", "-0.0", "0e1", "0.000", "1.5e300", "1e400",
      "-1e-400",
      "12345678901234567890", "-9223372036854775809", "100000000000000000000000000000000000000000",
      "3.141592653589793238462643",
    ])
  func literals(literal: String) throws {
    let value = try JSONReader.read(Array("[\(literal)]".utf8))
    #expect(value == [.number(JSONNumber(literal: literal))])
    #expect(value.array?.first?.number?.double == Double(literal))
    #expect(value.text == "[\(literal)]")
  }

  @Test("Numbers are equal if they are written alike")
  func equality() {
    #expect(JSONNumber(literal: "1.0") != JSONNumber(literal: "1"))
    #expect(JSONNumber(literal: "100") == JSONNumber(100))
  }

  @Test(
    "A number is rounded towards zero",
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
    "A number that does not fit becomes nil",
    arguments: [
      "9223372036854775808", "-9223372036854775809", "1e19", "-1e19", "1e400", "-1e400", "9.3e18",
      "99999999999999999999999999999999", "", ".", "-", "1.2.3", "nan", "inf", "-infinity",
    ])
  func notTruncated(literal: String) {
    #expect(JSONNumber(literal: literal).truncated == nil)
  }

  @Test(
    "An integer is written in its digits",
    arguments: [(0, "0"), (-1, "-1"), (Int64.min, "-9223372036854775808")])
  func integers(value: Int64, literal: String) {
    #expect(JSONNumber(value).literal == literal)
  }
}

@Suite("JSONObject")
struct JSONObjectTests {
  @Test("A new member goes to the end, a changed one keeps its place, a removed one leaves no gap")
  func changing() {
    var object: JSONObject = ["a": 1, "b": 2, "c": 3]
    object["d"] = 4
    object["a"] = "x"
    object["b"] = nil
    object["e"] = nil
    #expect(object.text == "{\"a\":\"x\",\"c\":3,\"d\":4}")
    #expect(object.map(\.name) == ["a", "c", "d"])
  }

  @Test("Names in different normal forms are different members")
  func normalForms() {
    var object: JSONObject = ["\u{E9}": 1]
    #expect(object["e\u{301}"] == nil)
    object["e\u{301}"] = 2
    #expect(object.count == 2)
    #expect(object["\u{E9}"] == 1)
    object["e\u{301}"] = nil
    #expect(object == ["\u{E9}": 1])
  }

  @Test("A literal that repeats a name keeps the last value")
  func literal() {
    let pairs: JSONObject = ["a": 1, "b": 2, "a": 3]
    #expect(pairs.text == "{\"a\":3,\"b\":2}")
    let value: JSONValue = ["a": 1, "a": 2]
    #expect(value.text == "{\"a\":2}")
  }

  @Test("Objects are equal if names, values and order are")
  func equality() {
    let object: JSONObject = ["a": 1, "b": 2]
    #expect(object == ["a": 1, "b": 2])
    #expect(object != ["b": 2, "a": 1])
    #expect(object != ["a": 1])
    #expect(object != ["a": 1, "b": "2"])
  }

  @Test(
    "Large objects find, change and remove members like small ones", arguments: [31, 32, 33, 34, 100])
  func many(count: Int) {
    func name(_ number: Int) -> String { "member\(number)" }
    var object = JSONObject()
    for number in 0..<count { object[name(number)] = .number(JSONNumber(Int64(number))) }
    object[name(count)] = nil
    object[name(7)] = nil
    object[name(count - 1)] = "changed"
    object["e\u{301}"] = 1
    object["\u{E9}"] = 2
    #expect(object.count == count + 1)
    #expect(object.map(\.name).suffix(3) == [name(count - 1), "e\u{301}", "\u{E9}"])
    #expect(object[name(7)] == nil)
    #expect(object[name(8)] == 8)
    #expect(object[name(count - 1)] == "changed")
    #expect(object["\u{E9}"] == 2)
    object[name(7)] = 7
    #expect(object.last?.name == name(7))
    #expect(JSONValue.object(object) == (try? JSONReader.read(Array(object.text.utf8))))
  }

  @Test("Building a large object takes linear time")
  func manyMembers() {
    var object = JSONObject()
    let duration = processorTime {
      for number in 0..<60_000 { object["member\(number)"] = 1 }
    }
    #expect(object.count == 60_000)
    #expect(duration < .seconds(5))
  }

  @Test("An empty object has no members")
  func empty() {
    #expect(JSONObject().isEmpty)
    #expect(JSONObject()["a"] == nil)
    #expect(JSONObject().text == "{}")
  }
}
