import Testing

@testable import LoginCore

/// What a person reads about a document that is refused.
@Suite("JSONFault")
struct JSONFaultTests {
  @Test("a name from the document cannot write on a terminal")
  func foreignName() {
    let name = "a\u{1B}[2J\n" + String(repeating: "b", count: 1_000)
    let text = JSONFault(reason: .repeatedName(name), line: 7).description
    #expect(!text.hasControlCharacter)
    #expect(text.count < 150)
    #expect(text.contains("7"))
  }
}
