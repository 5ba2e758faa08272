import Testing

@testable import LoginCore

@Suite("Message")
struct MessageTests {
  @Test("Values stand where the literal has them")
  func values() {
    let (name, part) = ("b", "a \(1 as UInt16) c" as Message)
    #expect(("\(name): \(part), 100 %" as Message).description == "b: a 1 c, 100 %")
    #expect(("%1$s \(name) %" as Message).description == "%1$s b %")
    #expect(("\("%2$s") \("%%")" as Message).description == "%2$s %%")
    #expect(("" as Message).description == "")
  }

  @Test("The pattern has a numbered place for each value, and %% for a percent sign")
  func pattern() {
    let message: Message = "\("a") is 100 % \("b", upTo: 3)"
    #expect(message.pattern == "%1$s is 100 %% %2$s")
    #expect(message.values == ["a", "b"])
    #expect(Message(verbatim: "50 %").pattern == "%1$s")
  }

  @Test("A value from outside is shown in one line, without control characters, and is cut")
  func hostileValue() {
    let text = "a\u{1B}[2J\n\u{202E}b"
    #expect(("x\n\(text)" as Message).description == "x\na [2J b")
    #expect(Message(verbatim: text).description == "a [2J b")
    #expect(Message(catalogued: text).description == "a [2J b")
    let long = String(repeating: "c", count: 10_000)
    #expect(("\(long)" as Message).description.utf8.count < 1_000)
    #expect(Message(verbatim: long).description.utf8.count < 1_100)
    #expect(Message(catalogued: long).description.utf8.count < 300)
    #expect(("\(long, upTo: 20_000)" as Message).description == long)
  }

  /// Renders a message with a catalogue, and puts each value into angle brackets.
  private func rendered(_ message: Message, _ catalogue: [String: String]) -> String {
    message.rendered(
      translated: { pattern, plural in
        if let plural { return catalogue["\(pattern)|\(plural.pattern)|\(plural.count)"] ?? pattern }
        return catalogue[pattern] ?? pattern
      }, isolated: { "<\($0)>" })
  }

  @Test("A translation may put the values into another order, and repeat or leave out some")
  func translation() {
    let message: Message = "\("host") did not answer within \(30) s"
    let pattern = "%1$s did not answer within %2$s s"
    #expect(rendered(message, [:]) == "<host> did not answer within <30> s")
    #expect(
      rendered(message, [pattern: "In %2$s s kam von %1$s nichts"]) == "In <30> s kam von <host> nichts")
    #expect(rendered(message, [pattern: "%1$s, %1$s: 100 %%"]) == "<host>, <host>: 100 %")
  }

  @Test("Values are not translated, but messages among them are")
  func inner() {
    let message: Message = "\("open"): \("open" as Message)"
    #expect(rendered(message, ["open": "offen", "%1$s: %2$s": "%2$s – %1$s"]) == "offen – <open>")
    #expect(rendered(Message(verbatim: "open"), ["open": "offen"]) == "<open>")
    #expect(rendered(Message(catalogued: "open"), ["open": "offen"]) == "offen")
  }

  @Test(
    "A broken translation loses only the place that it breaks",
    arguments: [
      ("%3$s!", "!"), ("%", ""), ("%1", "<a>"), ("%99999999999999999999$s!", "!"), ("%0$s%1$s", "<a>"),
      ("a%%%1$s", "a%<a>"),
    ])
  func brokenTranslation(_ translation: String, _ shown: String) {
    #expect(rendered("x \("a")", ["x %1$s": translation]) == shown)
  }

  @Test("An empty message is not looked up, because the header of a catalogue has the empty key")
  func empty() {
    #expect(rendered("", ["": "Language: de\n"]) == "")
  }

  @Test(
    "In English the singular is used only for one thing", arguments: [(0, "0 s"), (1, "1 one"), (2, "2 s")])
  func plural(count: Int, words: String) {
    #expect(Message(count, one: "\(count) one", other: "\(count) s").description == words)
  }

  @Test("A catalogue chooses the form by the number")
  func pluralInCatalogue() {
    let message = Message(3, one: "\(3) page", other: "\(3) pages")
    #expect(rendered(message, ["%1$s page|%1$s pages|3": "%1$s strony"]) == "<3> strony")
  }

  @Test("Lists are joined with commas, \"and\" or \"or\"")
  func lists() {
    #expect(["a", "b", "c"].verbatim.list.description == "a, b, c")
    #expect(["a", "b"].verbatim.conjunction.description == "a and b")
    #expect(["a", "b"].verbatim.alternatives.description == "a or b")
    #expect([String]().verbatim.list.description == "")
    #expect(rendered(["a", "b"].verbatim.conjunction, ["%1$s and %2$s": "%1$s und %2$s"]) == "<a> und <b>")
  }

  @Test("Messages are equal if they read the same in English")
  func equality() {
    #expect(("a \("b")" as Message) == "a b")
    #expect(("a \("b")" as Message) != "a c")
  }
}
