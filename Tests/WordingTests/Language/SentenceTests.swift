import Testing

@testable import Wording

/// How a sentence is put together. That catalogues are found and read is for whole programs to show.
@Suite("Sentences")
struct SentenceTests {
  @Test("What is put into a sentence stands where the source has it")
  func values() {
    let (name, part) = ("b", "a \(1 as UInt16) c" as Sentence)
    #expect(("\(name): \(part), 100 %" as Sentence).source == "b: a 1 c, 100 %")
    #expect(("%1$s \(name) %" as Sentence).source == "%1$s b %")
    #expect(("\("%2$s") \("%%")" as Sentence).source == "%2$s %%")
  }

  @Test("Whatever a value has come from, it is in one line, writes on no terminal, and ends")
  func foreign() {
    let text = "a\u{1B}[2J\n\u{202E}b"
    #expect(("x\n\(text)" as Sentence).source == "x\na [2J b")
    #expect(Sentence(verbatim: text).source == "a [2J b")
    let long = String(repeating: "c", count: 10_000)
    #expect(("\(long)" as Sentence).source.utf8.count < 1_000)
    #expect(("\(long, upTo: 20_000)" as Sentence).source == long)
  }

  @Test("One of something is not several", arguments: [(0, "0 s"), (1, "1 one"), (2, "2 s")])
  func plural(count: Int, words: String) {
    #expect(Sentence(count, one: "\(count) one", other: "\(count) s").source == words)
  }

  @Test("Several are told in a list")
  func lists() {
    #expect(["a", "b", "c"].verbatim.list.source == "a, b, c")
    #expect(["a", "b"].verbatim.conjunction.source == "a and b")
    #expect(["a", "b"].verbatim.alternatives.source == "a or b")
    #expect([String]().verbatim.list.source == "")
  }

  @Test("Without a catalogue people are told in English")
  func english() {
    #expect(("the host \("as.test") is unknown" as Sentence).text == "the host as.test is unknown")
    #expect(Language.tag == "en")
    #expect(!Language.isRightToLeft)
  }
}
