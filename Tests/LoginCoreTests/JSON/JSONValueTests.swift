import Testing

@testable import LoginCore

/// What kind a value is.
@Suite("JSONValue")
struct JSONValueTests {
  private static let values: [JSONValue] = [.null, true, 1, "a", [1], ["a": 1]]

  @Test("a value is of one kind alone")
  func kinds() {
    #expect(Self.values.map { $0.string != nil } == [false, false, false, true, false, false])
    #expect(Self.values.map { $0.object != nil } == [false, false, false, false, false, true])
    #expect(Self.values.map { $0.array != nil } == [false, false, false, false, true, false])
    #expect(Self.values.map { $0.bool != nil } == [false, true, false, false, false, false])
    #expect(Set(Self.values.map(\.kind)).count == Self.values.count)
  }

  @Test("values of different kinds are never equal")
  func equality() {
    for (i, first) in Self.values.enumerated() {
      for (j, second) in Self.values.enumerated() { #expect((first == second) == (i == j)) }
    }
    #expect(JSONValue.string("1") != 1)
    #expect(JSONValue.bool(false) != 0)
    #expect(JSONValue.null != false)
  }

  @Test("strings are equal if their bytes are")
  func stringEquality() {
    #expect(JSONValue.string("\u{E9}") != "e\u{301}")
    #expect(JSONValue.array(["\u{E9}"]) != ["e\u{301}"])
    #expect(JSONValue.string("\u{E9}") == "\u{E9}")
  }
}
