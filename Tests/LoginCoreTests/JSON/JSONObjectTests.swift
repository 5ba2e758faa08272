import Testing

@testable import LoginCore

/// Members in their order, told apart by bytes.
@Suite("JSONObject")
struct JSONObjectTests {
  @Test("a new member goes to the end, a changed one keeps its place, a removed one leaves no gap")
  func changing() {
    var object: JSONObject = ["a": 1, "b": 2, "c": 3]
    object["d"] = 4
    object["a"] = "x"
    object["b"] = nil
    object["e"] = nil
    #expect(object.text == "{\"a\":\"x\",\"c\":3,\"d\":4}")
    #expect(object.map(\.name) == ["a", "c", "d"])
  }

  @Test("names in different normal forms are different members")
  func normalForms() {
    var object: JSONObject = ["\u{E9}": 1]
    #expect(object["e\u{301}"] == nil)
    object["e\u{301}"] = 2
    #expect(object.count == 2)
    #expect(object["\u{E9}"] == 1)
    object["e\u{301}"] = nil
    #expect(object == ["\u{E9}": 1])
  }

  @Test("a name that a literal repeats is there once, with the last value")
  func literal() {
    let pairs: JSONObject = ["a": 1, "b": 2, "a": 3]
    #expect(pairs.text == "{\"a\":3,\"b\":2}")
    let value: JSONValue = ["a": 1, "a": 2]
    #expect(value.text == "{\"a\":2}")
  }

  @Test("objects are equal if names, values and order are")
  func equality() {
    let object: JSONObject = ["a": 1, "b": 2]
    #expect(object == ["a": 1, "b": 2])
    #expect(object != ["b": 2, "a": 1])
    #expect(object != ["a": 1])
    #expect(object != ["a": 1, "b": "2"])
  }

  @Test(
    "of many members each is found, changed and removed like one of few", arguments: [31, 32, 33, 34, 100])
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

  @Test("an object of as many members as fit into an answer is made at once")
  func manyMembers() {
    var object = JSONObject()
    let duration = processorTime {
      for number in 0..<60_000 { object["member\(number)"] = 1 }
    }
    #expect(object.count == 60_000)
    #expect(duration < .seconds(5))
  }

  @Test("an empty object has no members")
  func empty() {
    #expect(JSONObject().isEmpty)
    #expect(JSONObject()["a"] == nil)
    #expect(JSONObject().text == "{}")
  }
}
