import Testing

@testable import LoginCore

/// Names that have been seen before, few or many of them.
@Suite("NameSet")
struct NameSetTests {
  @Test(
    "a name is new once, however many others there are or were expected",
    arguments: [0, 1, 15, 16, 17, 18, 1_000], [nil, 0, 16, 17, 2_000])
  func once(others: Int, expected: Int?) {
    var names = expected.map { NameSet(expecting: $0) } ?? NameSet()
    for other in 0..<others {
      let isNew = names.insert("n\(other)")
      #expect(isNew)
    }
    for name in ["", "a", "é"] {
      #expect(!names.contains(name))
      let first = names.insert(name), second = names.insert(name)
      #expect(first)
      #expect(!second)
      #expect(names.contains(name))
    }
    for other in [0, others / 2, others - 1] where other >= 0 && other < others {
      let isNew = names.insert("n\(other)")
      #expect(!isNew)
    }
  }

  @Test("names are told apart by their bytes", arguments: [0, 100])
  func bytes(others: Int) {
    var names = NameSet()
    for other in 0..<others { _ = names.insert("n\(other)") }
    for name in ["\u{E9}", "e\u{301}", "K", "\u{212A}", "k", "a", "a\u{0}", ""] {
      let isNew = names.insert(name)
      #expect(isNew, "\(Array(name.utf8))")
    }
  }
}
