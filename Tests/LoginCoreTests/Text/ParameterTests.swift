import Testing

@testable import LoginCore

@Suite("Parameter")
struct ParameterTests {
  @Test("Parameters are equal if the bytes of name and value are")
  func equality() {
    #expect(Parameter("a", "b") == Parameter("a", "b"))
    #expect(Parameter("a", "b") != Parameter("a", "c"))
    #expect(Parameter("a", "b") != Parameter("A", "b"))
    #expect(Parameter("a", "\u{E9}") != Parameter("a", "e\u{301}"))
    #expect(Parameter("\u{E9}", "") != Parameter("e\u{301}", ""))
  }
}

@Suite("ParameterList")
struct ParameterListTests {
  private func list(_ text: String, upTo limit: Int = .max) -> ParameterList {
    let bytes = Array(text.utf8)
    var list = ParameterList()
    list.append(formEncoded: bytes.span, upTo: limit)
    return list
  }

  // URL Standard section 5.1.
  @Test(
    "A list is read as the URL Standard reads a form",
    arguments: [
      ("", []), ("&", []), ("&&&", []), ("a", [("a", "")]), ("a=", [("a", "")]), ("=", [("", "")]),
      ("=a", [("", "a")]), ("==", [("", "=")]), ("a=b", [("a", "b")]), ("a=b=c", [("a", "b=c")]),
      ("a=b&c=d", [("a", "b"), ("c", "d")]), ("&a=b&&c=d&", [("a", "b"), ("c", "d")]),
      ("a&b", [("a", ""), ("b", "")]),
      ("a+b=c+d", [("a b", "c d")]), ("a%3Db=c%26d", [("a=b", "c&d")]), ("a;b=c", [("a;b", "c")]),
      ("a=1#b=2", [("a", "1#b=2")]),
      ("a?b=c?d", [("a?b", "c?d")]), ("a=%zz&b=%", [("a", "%zz"), ("b", "%")]), ("é=€", [("é", "€")]),
      ("%FF=%FE", [("\u{FFFD}", "\u{FFFD}")]),
      ("a=%&b", [("a", "%"), ("b", "")]), ("a=%2&b=0", [("a", "%2"), ("b", "0")]), ("%=1", [("%", "1")]),
      ("_=_", [("_", "_")]),
    ] as [(String, [(String, String)])])
  func reading(text: String, parameters: [(String, String)]) {
    #expect(list(text).parameters == parameters.map { Parameter($0, $1) })
  }

  // RFC 6749 section 3.1: a parameter without a value is treated as if it were not there.
  @Test("An empty value counts as absent")
  func emptyValue() {
    let parameters = list("code=&state=S&flag")
    #expect(parameters["code"] == nil)
    #expect(parameters["flag"] == nil)
    #expect(parameters["state"] == "S")
    #expect(parameters["other"] == nil)
    #expect(!parameters.parameters.isEmpty)
    #expect(list("&&").parameters.isEmpty)
  }

  @Test("A name is found by its bytes")
  func names() {
    let parameters = list("%C3%A9=composed&State=S")
    #expect(parameters["\u{E9}"] == "composed")
    #expect(parameters["e\u{301}"] == nil)
    #expect(parameters["state"] == nil)
  }

  @Test(
    "A repeated name is found in every spelling and with any values",
    arguments: [
      ("a=1&a=2", "a"), ("a=1&a=1", "a"), ("a&a", "a"), ("a=&a=1", "a"), ("x=1&a=1&y=2&a=2", "a"),
      ("code=A&%63ode=B", "code"),
      ("a+b=1&a%20b=2", "a b"), ("=1&=2", ""), ("%FF=1&%FE=2", "\u{FFFD}"), ("iss=1&iss=2", "iss"),
    ])
  func repeatedName(text: String, name: String) {
    #expect(list(text).repeatedName == name)
    #expect(list(text).repeats(name))
  }

  @Test(
    "Names that differ in one byte are different",
    arguments: [
      "", "a=1", "a=1&b=1", "a=1&A=1", "a=1&a%00=1", "%C3%A9=1&e%CC%81=1", "a&&b", "code=A&code%20=B",
    ])
  func noRepeatedName(text: String) {
    #expect(list(text).repeatedName == nil)
    #expect(!list(text).repeats("a"))
  }

  @Test(
    "A repeated name is found in short lists and in long ones",
    arguments: [1, 2, 14, 15, 16, 17, 18, 255])
  func repeatedNameAmongMany(count: Int) {
    let names = (0..<count).map { "p\($0)" } + ["e%CC%81", "%C3%A9"]
    #expect(list(names.joined(separator: "&")).repeatedName == nil)
    for name in ["p0", "p\(count / 2)", "p\(count - 1)"] {
      #expect(list((names + [name]).joined(separator: "&")).repeatedName == name)
      #expect(list(([name] + names).joined(separator: "&")).repeatedName == name)
    }
    #expect(list((names + ["\u{E9}"]).joined(separator: "&")).repeatedName?.isIdentical(to: "\u{E9}") == true)
  }

  @Test("Reading stops at the limit")
  func limit() {
    #expect(list("a&b&c&d", upTo: 2).parameters.map(\.name) == ["a", "b"])
    #expect(list("&&a&&b", upTo: 2).parameters.map(\.name) == ["a", "b"])
    #expect(list("a", upTo: 0).parameters.isEmpty)
    #expect(ParameterList(form: Array("a&b".utf8), upTo: 2)?.parameters.map(\.name) == ["a", "b"])
    #expect(ParameterList(form: Array("a&b&c".utf8), upTo: 2) == nil)
  }
}
