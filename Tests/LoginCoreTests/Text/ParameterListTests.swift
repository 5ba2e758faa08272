import Testing

@testable import LoginCore

/// The parameters of one channel.
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
    "a list is read as the URL Standard reads a form",
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
  @Test("an empty value counts as absent")
  func emptyValue() {
    let parameters = list("code=&state=S&flag")
    #expect(parameters["code"] == nil)
    #expect(parameters["flag"] == nil)
    #expect(parameters["state"] == "S")
    #expect(parameters["other"] == nil)
    #expect(!parameters.parameters.isEmpty)
    #expect(list("&&").parameters.isEmpty)
  }

  @Test("a name is found by its bytes")
  func names() {
    let parameters = list("%C3%A9=composed&State=S")
    #expect(parameters["\u{E9}"] == "composed")
    #expect(parameters["e\u{301}"] == nil)
    #expect(parameters["state"] == nil)
  }

  @Test(
    "a name that is there twice is found, however it is spelled and whatever its values are",
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
    "names that differ in a byte are different",
    arguments: [
      "", "a=1", "a=1&b=1", "a=1&A=1", "a=1&a%00=1", "%C3%A9=1&e%CC%81=1", "a&&b", "code=A&code%20=B",
    ])
  func noRepeatedName(text: String) {
    #expect(list(text).repeatedName == nil)
    #expect(!list(text).repeats("a"))
  }

  @Test(
    "a name that is there twice is found among few and among many",
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

  @Test("reading stops at the limit")
  func limit() {
    #expect(list("a&b&c&d", upTo: 2).parameters.map(\.name) == ["a", "b"])
    #expect(list("&&a&&b", upTo: 2).parameters.map(\.name) == ["a", "b"])
    #expect(list("a", upTo: 0).parameters.isEmpty)
    #expect(ParameterList(form: Array("a&b".utf8), upTo: 2)?.parameters.map(\.name) == ["a", "b"])
    #expect(ParameterList(form: Array("a&b&c".utf8), upTo: 2) == nil)
  }
}
